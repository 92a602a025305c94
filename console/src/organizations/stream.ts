// The event stream of an organization, which its owners and admins follow.
import { useEffect, useMemo } from 'preact/hooks'
import { createEventStream } from '../state/event-stream.ts'
import { accountStream } from '../state/events.ts'
import { everyWhileVisible } from '../state/use-loaded.ts'
import { MEMBER_REFRESH_MS } from './lists.ts'

// `onChange` is called when the organization changes: its number of members is not told by the stream of the account.
export function useOrganizationStream(id: string, isManager: boolean, onChange: () => Promise<void>) {
  const stream = useMemo(() => (isManager ? createEventStream(`/orgs/${id}/events`) : accountStream), [id, isManager])
  useEffect(() => {
    if (stream === accountStream) return everyWhileVisible(MEMBER_REFRESH_MS, onChange)
    stream.onEvents('org.member', () => void onChange())
    // A browser opens six connections to a server over HTTP/1.1, so a hidden tab does without this one.
    const follow = () => (document.hidden ? stream.close() : stream.open())
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      stream.close()
    }
  }, [stream])
  return stream
}
