// The parameters of a push in Bark's own words: lower-case names, values as text, as bark-server hands them on.
export type BarkParameters = { [name: string]: string }

// bark-server sends a message without a text as this, because APNs drops an alert without one.
export const EMPTY_MESSAGE = 'Empty Message'
export const DELETION = '1'

// Removes a message that was sent before under the same id.
export const isDeletion = ({ id, delete: deletion }: BarkParameters): boolean => Boolean(id) && deletion === DELETION
