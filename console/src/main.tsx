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
import './styles/journey.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { recallKey } from './inbox/opened.ts'
import { startSession } from './state/session.ts'
import { registerWorker } from './state/this-browser.ts'

render(<App />, document.getElementById('app') as HTMLElement)

// Some browsers refuse storage in private windows: encrypted messages stay closed there, everything else works.
void recallKey()
  .catch(() => {})
  .then(startSession)
// Without it everything but pushes and the offline shell works.
registerWorker().catch(() => {})
