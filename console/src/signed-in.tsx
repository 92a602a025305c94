// The console of a signed-in person: the shell with the page of the current path, or the wall. The page of the signed-out does not
// load it.
import { useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { followAlerts } from './alerts/banners.ts'
import { showTabIcon } from './alerts/tab-icon.ts'
import { hasCritical, loadInbox, loadWaiting, unreadCount, waiting } from './inbox/inbox.ts'
import { followInbox } from './inbox/inbox-events.ts'
import { Shell } from './shell/shell.tsx'
import { accountStream } from './state/events.ts'
import { openedLink } from './state/join-links.ts'
import { followConnection } from './state/lost-connection.ts'
import { followMenu } from './state/menu.ts'
import { loadAccount, session } from './state/session.ts'
import { TEXTS } from './texts/base.ts'
import { lazy } from './ui/lazy.tsx'
import { pageTitle } from './ui/page.tsx'

const WallPage = lazy(async () => (await import('./wall/wall-page.tsx')).WallPage)

export function SignedIn({ isWall }: { isWall: boolean }) {
  const { route } = useLocation()
  useSignalEffect(showUnread)
  useSignalEffect(comeBackOnline)
  useEffect(() => {
    // A sign-in link leads to the inbox; a link to join that was opened before it has priority.
    const link = openedLink()
    if (link) route(link.path, true)
    const stops = [followInbox(), followAlerts(route), followConnection(), followMenu()]
    accountStream.open()
    void loadInbox()
    void loadWaiting()
    return () => {
      for (const stop of stops) stop()
      accountStream.close()
    }
  }, [])
  return isWall ? <WallPage /> : <Shell />
}

// Shows the unread count in the title and the icon of the tab, and on the icon of the installed app.
function showUnread(): void {
  const count = unreadCount.value
  document.title = `${TEXTS.titleCounts(count, waiting.value.length)}${pageTitle.value} · ${TEXTS.name}`
  showTabIcon(hasCritical.value ? 'critical' : count > 0 ? 'unread' : 'plain')
  navigator.setAppBadge?.(count).catch(() => {})
}

function comeBackOnline(): void {
  const current = session.peek()
  if (accountStream.connection.value !== 'live' || current.state !== 'signed-in' || !current.isOffline) return
  void loadAccount().then(loadInbox).then(loadWaiting)
}
