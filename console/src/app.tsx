// The whole console: the way in, or the shell around the page that the address names.

import { useEffect } from 'preact/hooks'
import { LocationProvider } from 'preact-iso'
import { followInbox, loadInbox } from './inbox/inbox.ts'
import { SignInPage } from './pages/sign-in.tsx'
import { Shell } from './shell/shell.tsx'
import { closeStream, openStream } from './state/events.ts'
import { findFeatures } from './state/features.ts'
import { session } from './state/session.ts'
import { Toaster } from './ui/toaster.tsx'

export function App() {
  const { state } = session.value
  return (
    <LocationProvider scope="/app">
      {state === 'signed-in' ? <SignedIn /> : <SignInPage />}
      <Toaster />
    </LocationProvider>
  )
}

function SignedIn() {
  useEffect(() => {
    const stopFollowing = followInbox()
    openStream()
    loadInbox()
    findFeatures()
    return () => {
      stopFollowing()
      closeStream()
    }
  }, [])
  return <Shell />
}
