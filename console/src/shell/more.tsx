// The pages that have no tab on a phone.
import { MENU } from '../pages.ts'
import { TEXTS } from '../texts/base.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'

export function MorePage() {
  return (
    <Page title={TEXTS.nav.more}>
      <ul class="card more-list">
        {MENU.filter(({ isTab }) => !isTab).map(({ path, name, icon }) => (
          <li key={path}>
            <a href={path}>
              <Icon name={icon} />
              <span>{name}</span>
              <Icon name="next" size={18} />
            </a>
          </li>
        ))}
        <li>
          <a href="/docs/" target="_blank" rel="noreferrer">
            <Icon name="book" />
            <span>{TEXTS.nav.docs}</span>
            <Icon name="link" size={18} />
          </a>
        </li>
      </ul>
    </Page>
  )
}
