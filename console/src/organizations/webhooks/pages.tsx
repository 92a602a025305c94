// The pages below the tab of an organization's webhooks: a new one, one of them, and its template.
import '../../styles/builder.css'
import '../../styles/card-pages.css'
import '../../styles/hooks.css'
import { NewHook } from '../../hooks/new-hook.tsx'
import { OneHook } from '../../hooks/one-hook.tsx'
import { HookOwnerContext, NEW, organizationHooks } from '../../hooks/paths.ts'
import { FollowedStream } from '../../state/events.ts'
import { useOrganizationStream } from '../stream.ts'

type WebhookPagesProps = { orgId: string; which: string; isTemplate: boolean }

export function WebhookPages({ orgId, which, isTemplate }: WebhookPagesProps) {
  // Only owners and admins can read webhooks; to others the server answers that there is none.
  const stream = useOrganizationStream(orgId, true, async () => {})
  return (
    <FollowedStream.Provider value={stream}>
      <HookOwnerContext.Provider value={organizationHooks(orgId)}>
        {which === NEW ? <NewHook /> : <OneHook key={which} id={which} isTemplate={isTemplate} />}
      </HookOwnerContext.Provider>
    </FollowedStream.Provider>
  )
}
