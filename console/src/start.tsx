// Starts the application, once the texts of its language are there.
import { render } from 'preact'
import { holdWhileVisible } from './alerts/tabs.ts'
import { App } from './app.tsx'
import { loadStoredKey } from './inbox/decryption.ts'
import { language } from './language.ts'
import { storeValue } from './state/browser-store.ts'
import { followJoinLinks } from './state/join-links.ts'
import { startSession, wasSignedIn } from './state/session.ts'
import { registerWorker } from './state/this-browser.ts'

// Loaded while the server is asked who this is, unless nobody was signed in here.
if (wasSignedIn()) void import('./signed-in.tsx').catch(() => {})

followJoinLinks()
holdWhileVisible()
render(<App />, document.getElementById('app') as HTMLElement)

// Some browsers refuse storage in private windows: encrypted messages stay closed there, everything else works.
void loadStoredKey()
  .catch(() => {})
  .then(startSession)
// For the banners of the service worker.
storeValue('language', language).catch(() => {})
// Optional: without the service worker only pushes and offline use are missing.
registerWorker().catch(() => {})
