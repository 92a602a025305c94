// Which of the sections that most accounts do not need are in the menu of this browser.
import { SECTIONS } from '../pages.ts'
import { OPTIONAL, shownSections, showSection } from '../state/menu.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'

export function MenuSettings() {
  return (
    <section class="card section">
      <h2>{ACCOUNT_TEXTS.connections.menu}</h2>
      <p class="muted">{ACCOUNT_TEXTS.connections.menuText}</p>
      {OPTIONAL.map((section) => (
        <label key={section} class="choice">
          <input
            type="checkbox"
            checked={shownSections.value.has(section)}
            onChange={(event) => showSection(section, event.currentTarget.checked)}
          />
          <span>{SECTIONS.find(({ id }) => id === section)?.name}</span>
        </label>
      ))}
    </section>
  )
}
