// The webhooks of an organization: the list as a tab. A new one, one of them, and its template are pages below it.
import '../../styles/hooks.css'
import { Hooks, NewHookLink } from '../../hooks/hook-list.tsx'
import { HookOwnerContext, organizationHooks } from '../../hooks/paths.ts'
import type { TabProps } from '../tab.ts'

export function WebhooksTab({ organization: { id } }: TabProps) {
  return (
    <HookOwnerContext.Provider value={organizationHooks(id)}>
      <div class="page-actions">
        <NewHookLink />
      </div>
      <Hooks />
    </HookOwnerContext.Provider>
  )
}
