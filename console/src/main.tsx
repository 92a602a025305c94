// The entry of the console in the browser: its styles, its language, then the application.
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/overlays.css'
import './styles/shell.css'
import './styles/menu.css'
import './styles/inbox.css'
import './styles/rows.css'
import './styles/notification.css'
import './styles/pages.css'
import './styles/cards.css'
import './styles/delivery.css'
import './styles/alerts.css'
import { loadLanguage } from './load-language.ts'

// Without its translation the console starts in English rather than not at all.
void loadLanguage()
  .catch(() => {})
  .then(() => import('./start.tsx'))
