// Where the webhooks of an account or an organization are: their pages in the console, and their paths in the API.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export type HookOwner = { home: string; collection: string; keys: string; keysPage: string; escalations: string }

export const ACCOUNT_HOOKS: HookOwner = {
  home: '/app/webhooks',
  collection: '/integrations/hooks',
  keys: '/integrations/keys',
  keysPage: '/app/keys',
  escalations: '/escalations',
}

export const organizationHooks = (orgId: string): HookOwner => ({
  home: `/app/organizations/${orgId}/webhooks`,
  collection: `/orgs/${orgId}/hooks`,
  keys: `/orgs/${orgId}/keys`,
  keysPage: `/app/organizations/${orgId}/keys`,
  escalations: `/orgs/${orgId}/escalations`,
})

// Not a valid id, so it cannot collide with one.
export const NEW = '_new'

export const HookOwnerContext = createContext(ACCOUNT_HOOKS)

export type HookPaths = ReturnType<typeof useHookPaths>

export function useHookPaths() {
  const owner = useContext(HookOwnerContext)
  const { home, collection } = owner
  return {
    ...owner,
    newPage: `${home}/${NEW}`,
    pageOf: (id: string): string => `${home}/${id}`,
    templatePageOf: (id: string): string => `${home}/${id}/template`,
    pathOf: (id: string): string => `${collection}/${id}`,
  }
}
