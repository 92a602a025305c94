// The page of the signed-out: what an invitation offers, or the ways in. What it shows is loaded when somebody is signed out.
import { useEffect } from 'preact/hooks'
import { showTabIcon } from '../alerts/tab-icon.ts'
import { openedLink } from '../state/join-links.ts'
import { session, usedKeptLink } from '../state/session.ts'
import { TEXTS } from '../texts/base.ts'
import { Mark } from '../ui/icon.tsx'
import { lazy } from '../ui/lazy.tsx'

const WaysIn = lazy(async () => (await import('./ways-in.tsx')).WaysIn)
const Invited = lazy(async () => (await import('./invited.tsx')).Invited)
const KeepAgain = lazy(async () => (await import('./keep-way-in.tsx')).KeepAgain)

export function SignInPage() {
  useEffect(() => {
    document.title = TEXTS.name
    showTabIcon('plain')
    navigator.clearAppBadge?.().catch(() => {})
  }, [])
  return (
    <main class="sign-in">
      <div class="sign-in-box">
        <Mark size={56} />
        <h1>{TEXTS.name}</h1>
        <Content />
      </div>
    </main>
  )
}

function Content() {
  if (usedKeptLink.value) return <KeepAgain />
  if (session.value.state === 'starting') {
    return (
      <p class="muted" role="status">
        {TEXTS.loading}
      </p>
    )
  }
  const link = openedLink()
  return link ? <Invited key={link.code.value} link={link} /> : <WaysIn />
}
