// Starts the console in the browser.
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/overlays.css'
import './styles/shell.css'
import './styles/inbox.css'
import './styles/rows.css'
import './styles/notification.css'
import './styles/pages.css'
import './styles/cards.css'
import './styles/delivery.css'
import './styles/alerts.css'
import { render } from 'preact'
import { holdWhileVisible } from './alerts/tabs.ts'
import { App } from './app.tsx'
import { loadStoredKey } from './inbox/decryption.ts'
import { followJoinLinks } from './state/join-links.ts'
import { startSession } from './state/session.ts'
import { registerWorker } from './state/this-browser.ts'

followJoinLinks()
holdWhileVisible()
render(<App />, document.getElementById('app') as HTMLElement)

// Some browsers refuse storage in private windows: encrypted messages stay closed there, everything else works.
void loadStoredKey()
  .catch(() => {})
  .then(startSession)
// Optional: without the service worker only pushes and offline use are missing.
registerWorker().catch(() => {})
