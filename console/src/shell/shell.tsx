// The layout around every page: the side menu, or tabs at the bottom on a phone, and global keyboard shortcuts.
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { AlertBanners } from '../alerts/alert-banners.tsx'
import { limitedUntil } from '../api/rate-limit.ts'
import { decryptedView } from '../inbox/decryption.ts'
import { announced, filter } from '../inbox/inbox.ts'
import { movedTo, organizationIn, type Place, placeAt, type SectionId, tabsOf } from '../pages.ts'
import { lostSince } from '../state/lost-connection.ts'
import { session } from '../state/session.ts'
import { onBannerClick } from '../state/this-browser.ts'
import { TEXTS } from '../texts/base.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { clockTime, now } from '../ui/time.tsx'
import { useKeys, usePaletteKey } from '../ui/use-keys.ts'
import { KeyboardHelp } from './keyboard-help.tsx'
import { MorePage } from './more.tsx'
import { closePalette, openPalette, paletteOpening, stopKeeping } from './palette-open.ts'
import { Counts, SideMenu, sectionsFor, Views } from './side-menu.tsx'

const Palette = lazy(async () => {
  try {
    return (await import('./palette.tsx')).Palette
  } catch (error) {
    stopKeeping()
    throw error
  }
})

// On a phone, this page lists the sections that have no tab.
const MORE = '/app/more'

export function Shell() {
  const { path, route } = useLocation()
  useEffect(() => onBannerClick(route), [route])
  const [helpIsOpen, setHelpOpen] = useState(false)
  useKeys({ '?': () => setHelpOpen(true) })
  usePaletteKey(openPalette)
  // Whoever signs in next starts without it.
  useEffect(() => () => closePalette(), [])
  const moved = movedTo(path)
  useEffect(() => {
    if (moved) route(moved, true)
  }, [moved])
  const { waiting, snoozed } = filter.value
  const opening = paletteOpening.value
  const place = placeAt(sectionsFor(path), path, { waiting, snoozed })
  const Content = path === MORE ? MorePage : place?.view.component
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {TEXTS.skip}
      </a>
      <SideMenu place={place} />
      <div class="column">
        <main id="main" class="main" tabIndex={-1}>
          <div class="banners">
            <Offline />
            <Limited />
          </div>
          {place && place.section.views.length > 1 && <Views section={place.section} place={place} look="view-tabs" />}
          {Content ? <Content /> : !moved && <NoSuchPage />}
        </main>
        <AlertBanners />
      </div>
      <Tabs place={place} />
      <Announcer />
      {opening > 0 && <Palette key={opening} onClose={() => closePalette(opening)} />}
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

function Tabs({ place }: { place?: Place }) {
  const { path } = useLocation()
  const tabs = sectionsFor(path).filter(({ id }) => tabsOf(organizationIn(path)).includes(id))
  const isCurrent = (id: SectionId) => id === place?.section.id
  const orgId = organizationIn(path)
  const more = orgId ? `${MORE}?org=${orgId}` : MORE
  return (
    <nav class="tabs" aria-label={TEXTS.nav.label}>
      {tabs.map((section) => (
        <a
          key={section.id}
          class="tab"
          href={section.views[0]?.path}
          aria-current={isCurrent(section.id) ? 'page' : undefined}
          onClick={section.views[0]?.onOpen}
        >
          <span class="tab-icon">
            <Icon name={section.icon} size={24} />
            <Counts section={section} />
          </span>
          {section.name}
        </a>
      ))}
      <a class="tab" href={more} aria-current={tabs.some(({ id }) => isCurrent(id)) ? undefined : 'page'}>
        <span class="tab-icon">
          <Icon name="more" size={24} />
        </span>
        {TEXTS.nav.more}
      </a>
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
