// The root component: the page of the signed-out, the console of a signed-in person, or a page that needs no session.
import { LocationProvider, useLocation } from 'preact-iso'
import { linkToOpen } from './phones/open-in-app-url.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { session } from './state/session.ts'
import { lazy } from './ui/lazy.tsx'
import { Toaster } from './ui/toaster.tsx'

const WALL = '/app/wall'
const OpenInAppPage = lazy(async () => (await import('./phones/open-in-app-page.tsx')).OpenInAppPage)
const SignedIn = lazy(async () => (await import('./signed-in.tsx')).SignedIn)
const WallPage = lazy(async () => (await import('./wall/wall-page.tsx')).WallPage)

export function App() {
  return (
    <LocationProvider scope="/app">
      <Screen />
      <Toaster />
    </LocationProvider>
  )
}

function Screen() {
  const { path } = useLocation()
  const isWall = path === WALL
  const link = linkToOpen(location)
  if (link) return <OpenInAppPage link={link} />
  // A link to the wall has a token of its own, and needs no session.
  if (isWall && location.hash.startsWith('#link=')) return <WallPage />
  return session.value.state === 'signed-in' ? <SignedIn isWall={isWall} /> : <SignInPage />
}
