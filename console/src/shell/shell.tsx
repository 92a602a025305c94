// The layout around every page: the side menu, or tabs at the bottom on a phone, and global keyboard shortcuts.
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { AlertBanners } from '../alerts/alert-banners.tsx'
import { limitedUntil } from '../api/rate-limit.ts'
import { decryptedView } from '../inbox/decryption.ts'
import { announced, hasCritical, ringingCount, unreadCount, waiting } from '../inbox/inbox.ts'
import { MENU, type PageEntry, pageAt } from '../pages.ts'
import { accountStream } from '../state/events.ts'
import { lostSince } from '../state/lost-connection.ts'
import { session } from '../state/session.ts'
import { onBannerClick } from '../state/this-browser.ts'
import { TEXTS } from '../texts/base.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Icon, Mark } from '../ui/icon.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { clockTime, now } from '../ui/time.tsx'
import { useKeys, usePaletteKey } from '../ui/use-keys.ts'
import { KeyboardHelp } from './keyboard-help.tsx'
import { MorePage } from './more.tsx'
import { openPalette, paletteIsOpen } from './palette-open.ts'

const Palette = lazy(async () => (await import('./palette.tsx')).Palette)

// On a phone, this tab lists the pages that have no tab of their own.
const MORE: PageEntry = { path: '/app/more', name: TEXTS.nav.more, icon: 'more', component: MorePage, group: 'setup' }

export function Shell() {
  const { path, route } = useLocation()
  useEffect(() => onBannerClick(route), [route])
  const [helpIsOpen, setHelpOpen] = useState(false)
  useKeys({ '?': () => setHelpOpen(true) })
  usePaletteKey(openPalette)
  const page = path === MORE.path ? MORE : pageAt(path)
  const Content = page?.component
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {TEXTS.skip}
      </a>
      <SideMenu current={page} />
      <div class="column">
        <main id="main" class="main" tabIndex={-1}>
          <Offline />
          <Limited />
          {Content ? <Content /> : <NoSuchPage />}
        </main>
        <AlertBanners />
      </div>
      <Tabs current={page} />
      <Announcer />
      {paletteIsOpen.value && <Palette onClose={() => (paletteIsOpen.value = false)} />}
      {helpIsOpen && <KeyboardHelp onClose={() => setHelpOpen(false)} />}
    </div>
  )
}

function NoSuchPage() {
  const home = <ButtonLink href="/app/">{TEXTS.toInbox}</ButtonLink>
  return (
    <Page title={TEXTS.noSuchPage}>
      <Empty icon="search" title={TEXTS.noSuchPageHint} action={home} />
    </Page>
  )
}

function SideMenu({ current }: { current?: PageEntry }) {
  const link = (page: PageEntry) => <MenuLink key={page.path} page={page} isCurrent={page === current} />
  return (
    <nav class="side" aria-label={TEXTS.nav.label}>
      <a class="brand" href="/app/">
        <Mark />
        <span>{TEXTS.name}</span>
      </a>
      <button class="text-button side-link" type="button" aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
        <Icon name="search" />
        <span>{TEXTS.commands}</span>
      </button>
      <div class="side-group">{MENU.filter(({ group }) => group === 'daily').map(link)}</div>
      <p class="side-title">{TEXTS.nav.onCall}</p>
      <div class="side-group">{MENU.filter(({ group }) => group === 'on-call').map(link)}</div>
      <p class="side-title">{TEXTS.nav.setup}</p>
      <div class="side-group">{MENU.filter(({ group }) => group === 'setup').map(link)}</div>
      <div class="side-foot">
        <a class="side-link" href="/docs/" target="_blank" rel="noreferrer">
          <Icon name="book" />
          {TEXTS.nav.docs}
        </a>
        <Connection />
      </div>
    </nav>
  )
}

function MenuLink({ page, isCurrent }: { page: PageEntry; isCurrent: boolean }) {
  return (
    <a class="side-link" href={page.path} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={page.icon} />
      <span>{page.name}</span>
      <Counts page={page} />
    </a>
  )
}

// How much of a page waits for the person.
function Counts({ page }: { page: PageEntry }) {
  if (page.path === '/app/alerts') {
    return <Count count={ringingCount.value} look="critical" words={TEXTS.receipts.ringingCount} />
  }
  if (page.path !== '/app/') return null
  return (
    <>
      <Count count={unreadCount.value} look={hasCritical.value ? 'critical' : 'unread'} words={TEXTS.inbox.unread} />
      <Count count={waiting.value.length} look="waiting" words={TEXTS.inbox.waitingCount} />
    </>
  )
}

type CountProps = { count: number; look: 'unread' | 'waiting' | 'critical'; words: string }

function Count({ count, look, words }: CountProps) {
  if (count === 0) return null
  return (
    <span class={`count count-${look}`}>
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

function Tabs({ current }: { current?: PageEntry }) {
  const tabs = MENU.filter(({ isTab }) => isTab)
  return (
    <nav class="tabs" aria-label={TEXTS.nav.label}>
      {[...tabs, MORE].map((page) => {
        const isCurrent = page === current || (page === MORE && current !== undefined && !tabs.includes(current))
        return (
          <a key={page.path} class="tab" href={page.path} aria-current={isCurrent ? 'page' : undefined}>
            <span class="tab-icon">
              <Icon name={page.icon} size={24} />
              <Counts page={page} />
            </span>
            {page.name}
          </a>
        )
      })}
    </nav>
  )
}

function Offline() {
  const current = session.value
  const isOffline = current.state === 'signed-in' && current.isOffline
  const words = isOffline
    ? TEXTS.connection.offline
    : lostSince.value && TEXTS.connection.lost(clockTime.format(lostSince.value))
  if (!words) return null
  return (
    <p class="banner" role="status">
      <Icon name="offline" size={18} />
      {words}
    </p>
  )
}

function Limited() {
  if (limitedUntil.value === 0) return null
  return (
    <p class="banner" role="status">
      <Icon name="clock" size={18} />
      {TEXTS.connection.limited(Math.max(1, Math.ceil((limitedUntil.value - now.value) / 1000)))}
    </p>
  )
}

// Announces new notifications to screen readers; critical ones interrupt.
function Announcer() {
  const news = announced.value && decryptedView(announced.value)
  const isUrgent = news?.level === 'critical'
  const words = news && TEXTS.inbox.arrived(news.source_display_name ?? news.source, news.title)
  return (
    <div class="hidden" aria-live={isUrgent ? 'assertive' : 'polite'}>
      {words}
    </div>
  )
}
