// The sections that have no tab on a phone, with their views, and the switch between the account and its organizations.
import { useLocation } from 'preact-iso'
import { SECTIONS, sectionsOf, tabsOf } from '../pages.ts'
import { myOrganizations } from '../state/menu.ts'
import { TEXTS } from '../texts/base.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { openPalette } from './palette-open.ts'
import { AccountSwitch } from './side-menu.tsx'

export function MorePage() {
  const { org } = useLocation().query
  const tabs = tabsOf(org)
  const sections = org ? sectionsOf(org, myOrganizations.value.find(({ id }) => id === org)?.role) : SECTIONS
  return (
    <Page title={TEXTS.nav.more}>
      <AccountSwitch />
      <ul class="card more-list">
        <li>
          <button class="text-button" type="button" onClick={openPalette}>
            <Icon name="search" />
            <span>{TEXTS.commands}</span>
          </button>
        </li>
        {sections
          .filter(({ id }) => !tabs.includes(id))
          .flatMap(({ icon, views }) =>
            views.map(({ path, name }) => (
              <li key={path}>
                <a href={path}>
                  <Icon name={icon} />
                  <span>{name}</span>
                  <Icon name="next" size={18} />
                </a>
              </li>
            )),
          )}
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
