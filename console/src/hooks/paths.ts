// Paths of the pages for webhooks, and of webhooks in the API.
export const HOME = '/app/webhooks'
// Not a valid id, so it cannot collide with one.
export const NEW = '_new'

export const pageOf = (id: string): string => `${HOME}/${id}`
export const templatePageOf = (id: string): string => `${HOME}/${id}/template`

export const COLLECTION = '/integrations/hooks'
export const pathOf = (id: string): string => `${COLLECTION}/${id}`
