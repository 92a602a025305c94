// The menu at the side: the switch between the account and its organizations, the sections, and the views of the open one.
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { hasCritical, ringingCount, unreadCount, waiting } from '../inbox/inbox.ts'
import { organizationIn, type Place, SECTIONS, type Section, sectionsOf, type View } from '../pages.ts'
import { accountStream } from '../state/events.ts'
import { myOrganizations, OPTIONAL, shownSections } from '../state/menu.ts'
import { session } from '../state/session.ts'
import { TEXTS } from '../texts/base.ts'
import { Icon, Mark } from '../ui/icon.tsx'
import { openPalette } from './palette-open.ts'

const { nav } = TEXTS

// The sections for this address; `current` is among them also if it is hidden otherwise.
export function sectionsFor(path: string): Section[] {
  const orgId = organizationIn(path)
  if (!orgId) return SECTIONS
  return sectionsOf(orgId, myOrganizations.value.find(({ id }) => id === orgId)?.role)
}

export function visibleSections(path: string, current: Section | undefined): Section[] {
  if (organizationIn(path)) return sectionsFor(path)
  const isOptional = (id: string) => OPTIONAL.some((one) => one === id)
  return SECTIONS.filter(({ id }) => !isOptional(id) || shownSections.value.has(id) || id === current?.id)
}

export function SideMenu({ place }: { place?: Place }) {
  const { path } = useLocation()
  return (
    <nav class="side" aria-label={nav.label}>
      <AccountSwitch />
      <button class="text-button side-link" type="button" aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
        <Icon name="search" />
        <span>{TEXTS.commands}</span>
      </button>
      <div class="side-group">
        {visibleSections(path, place?.section).map((section) => (
          <MenuSection key={section.id} section={section} place={place} />
        ))}
      </div>
      <div class="side-foot">
        <a class="side-link" href="/docs/" target="_blank" rel="noreferrer">
          <Icon name="book" />
          {nav.docs}
        </a>
        <Connection />
      </div>
    </nav>
  )
}

function MenuSection({ section, place }: { section: Section; place?: Place }) {
  const { id, name, icon, views } = section
  const isOpen = id === place?.section.id
  const [first] = views
  return (
    <>
      <a
        class={isOpen ? 'side-link side-open' : 'side-link'}
        href={first?.path}
        aria-current={isOpen && views.length === 1 ? 'page' : undefined}
        onClick={first?.onOpen}
      >
        <Icon name={icon} />
        <span>{name}</span>
        {!isOpen && <Counts section={section} />}
      </a>
      {isOpen && views.length > 1 && <Views section={section} place={place} look="side-views" />}
    </>
  )
}

// The views of a section: unfolded in the menu, or on a phone as tabs above the page.
export function Views({ section, place, look }: { section: Section; place?: Place; look: 'side-views' | 'view-tabs' }) {
  const links = section.views.map((view) => (
    <a
      key={view.path}
      href={view.path}
      aria-current={view.path === place?.view.path ? 'page' : undefined}
      onClick={view.onOpen}
    >
      <span>{view.name}</span>
      <ViewCount view={view} />
    </a>
  ))
  const tabs = useRef<HTMLElement>(null)
  // The tab of the open page is on the screen, however many are beside it.
  useEffect(() => {
    const open = tabs.current?.querySelector<HTMLElement>('[aria-current]')
    if (tabs.current && open)
      tabs.current.scrollLeft = open.offsetLeft - (tabs.current.clientWidth - open.offsetWidth) / 2
  }, [place?.view.path])
  if (look === 'side-views') return <div class={look}>{links}</div>
  return (
    <nav ref={tabs} class={look} aria-label={nav.part(section.name)}>
      {links}
    </nav>
  )
}

export function AccountSwitch() {
  const { path, route } = useLocation()
  const current = organizationIn(path) ?? ''
  const account = session.value.state === 'signed-in' ? session.value.account : undefined
  if (myOrganizations.value.length === 0) {
    return (
      <a class="brand" href="/app/">
        <Mark />
        <span>{TEXTS.name}</span>
      </a>
    )
  }
  const go = (value: string) =>
    route(value === '*' ? '/app/organizations' : value ? `/app/organizations/${value}` : '/app/')
  return (
    <label class="brand account-switch">
      <Mark />
      <select
        aria-label={nav.switchTo}
        value={current}
        onChange={(event) => {
          const { value } = event.currentTarget
          // The address decides which one is selected.
          event.currentTarget.value = current
          go(value)
        }}
      >
        <option value="">{account?.nickname ?? nav.mine}</option>
        {myOrganizations.value.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value="*">{nav.allOrganizations}</option>
      </select>
      <Icon name="down" size={16} />
    </label>
  )
}

// How much of a section waits for the person.
export function Counts({ section }: { section: Section }) {
  if (section !== SECTIONS[0]) return null
  const look = hasCritical.value ? 'critical' : 'unread'
  if (ringingCount.value > 0)
    return <Count count={ringingCount.value} look="critical" words={TEXTS.receipts.ringingCount} />
  return <Count count={unreadCount.value} look={look} words={TEXTS.inbox.unread} />
}

function ViewCount({ view: { path } }: { view: View }) {
  if (path === '/app/') {
    return (
      <Count count={unreadCount.value} look={hasCritical.value ? 'critical' : 'unread'} words={TEXTS.inbox.unread} />
    )
  }
  if (path === '/app/?waiting=true') {
    return <Count count={waiting.value.length} look="waiting" words={TEXTS.inbox.waitingCount} />
  }
  if (path !== '/app/alerts') return null
  return <Count count={ringingCount.value} look="critical" words={TEXTS.receipts.ringingCount} />
}

type CountProps = { count: number; look: 'unread' | 'waiting' | 'critical'; words: string }

function Count({ count, look, words }: CountProps) {
  if (count === 0) return null
  return (
    <span class={`count count-${look}`} title={`${count} ${words}`}>
      {count > 999 ? '999+' : count}
      <span class="hidden"> {words}</span>
    </span>
  )
}

function Connection() {
  const name = session.value.state === 'signed-in' ? session.value.account.nickname : null
  const isLive = accountStream.connection.value === 'live'
  return (
    <p class="connection">
      <span class={isLive ? 'dot dot-live' : 'dot'} />
      <span>{isLive ? TEXTS.connection.live : TEXTS.connection.waiting}</span>
      {name && <span class="connection-name">{name}</span>}
    </p>
  )
}
