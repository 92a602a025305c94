// The bar below every page: an alert that rings or a notification that has arrived, or, of several, their number. It is part of
// the frame, so that it covers no button of the page.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import { withoutMarks } from '../../../src/domain/notifications/markdown.ts'
import { Actions } from '../inbox/actions.tsx'
import { decryptedView } from '../inbox/decryption.ts'
import { isRinging, notifications, pinnedRows } from '../inbox/inbox.ts'
import { LevelTag } from '../inbox/rows/row.tsx'
import { senderOf } from '../inbox/sender.ts'
import { ALERT_TEXTS } from '../texts/alerts.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { banners, dismissBanner, staysUntilDismissed } from './banners.ts'
import { alertSound, isSoundBlocked, ring } from './sound.ts'

const SHOWN_MS = 8000

export function AlertBanners() {
  const { path } = useLocation()
  const [isExpanded, setExpanded] = useState(false)
  const listed = isListShown(path) ? [...pinnedRows.value, ...notifications.value] : []
  const isListed = ({ id }: NotificationView) => listed.some((one) => one.id === id)
  const hasButtonsInList = ({ id }: NotificationView) =>
    isListShown(path) && pinnedRows.value.some((one) => one.id === id)
  const shown = banners.value.filter((one) => !isOnPage(path, one) && (staysUntilDismissed(one) || !isListed(one)))
  const hasSeveral = shown.length > 1
  useEffect(() => {
    if (!hasSeveral) setExpanded(false)
  }, [hasSeveral])
  if (shown.length === 0) return null
  return (
    <Bar>
      {(!hasSeveral || isExpanded) &&
        shown.map((one, index) => (
          <AlertBanner key={one.id} notification={one} hasButtons={!hasButtonsInList(one)} offersSound={index === 0} />
        ))}
      {hasSeveral && <Summary shown={shown} isExpanded={isExpanded} onToggle={() => setExpanded(!isExpanded)} />}
      {shown.map((one) => !staysUntilDismissed(one) && <Leaving key={one.id} id={one.id} isHeld={isExpanded} />)}
    </Bar>
  )
}

// What else stays at the bottom of the window has its place above the bar: toasts, dialogs, and what gets the focus.
function Bar({ children }: { children: ComponentChildren }) {
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const follow = () => style.setProperty('--alerts-height', `${bar.current?.offsetHeight ?? 0}px`)
    const observer = new ResizeObserver(follow)
    if (bar.current) observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--alerts-height')
    }
  }, [])
  return (
    <section class="alerts" aria-label={ALERT_TEXTS.label} ref={bar}>
      {children}
    </section>
  )
}

// Whether the page itself shows it in full.
const isOnPage = (path: string, one: NotificationView): boolean =>
  path === `/app/n/${one.id}` || (path === '/app/alerts' && isRinging(one))

// Whether the list of the inbox is on the screen.
const isListShown = (path: string): boolean =>
  path === '/app' || (path.startsWith('/app/n/') && matchMedia('(min-width: 64rem)').matches)

// Ends the banner of a notification that is not urgent, unless somebody points at it or reads several.
function Leaving({ id, isHeld }: { id: number; isHeld: boolean }) {
  useEffect(() => {
    if (isHeld) return
    const leave = () => {
      if (document.querySelector('.alerts:is(:hover, :focus-within)')) timer = setTimeout(leave, SHOWN_MS)
      else dismissBanner(id)
    }
    let timer = setTimeout(leave, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isHeld])
  return null
}

type SummaryProps = { shown: NotificationView[]; isExpanded: boolean; onToggle: () => void }

function Summary({ shown, isExpanded, onToggle }: SummaryProps) {
  const ringing = shown.filter(isRinging).length
  const level = shown[0]?.level
  const dismissAll = () => {
    for (const { id } of shown) dismissBanner(id)
  }
  return (
    <div class={`alert alert-summary alert-${level}`}>
      <Icon name={ringing > 0 ? 'receipt' : 'bell'} />
      <p class="alert-text">
        <strong class="alert-title">{ALERT_TEXTS.several(ringing, shown.length - ringing)}</strong>
        <span class="alert-body">{shown.map((one) => decryptedView(one).title).join(' · ')}</span>
      </p>
      {!isExpanded && level === 'critical' && <Sound />}
      <Button look="primary" size="small" onClick={onToggle}>
        {isExpanded ? ALERT_TEXTS.collapse : ALERT_TEXTS.show}
      </Button>
      <Button look="quiet" size="small" icon="close" label={ALERT_TEXTS.dismissAll} onClick={dismissAll} />
    </div>
  )
}

// `hasButtons` is false where the list has them beside it.
type AlertBannerProps = { notification: NotificationView; hasButtons: boolean; offersSound: boolean }

function AlertBanner({ notification, hasButtons, offersSound }: AlertBannerProps) {
  const view = decryptedView(notification)
  const { id, level, title, body, format, icon_url } = view
  const sender = senderOf(view) ?? view.org_name
  return (
    <article class={`alert alert-${level}`}>
      <Avatar name={sender ?? title} iconUrl={icon_url} size={32} />
      <div class="alert-text">
        <p class="alert-title" dir="auto">
          {title} <LevelTag level={level} />
        </p>
        <p class="alert-body" dir="auto">
          {sender && `${sender} · `}
          {format === 'markdown' ? withoutMarks(body) : body}
        </p>
      </div>
      <div class="alert-tools">
        {offersSound && level === 'critical' && <Sound />}
        {hasButtons && <Actions notification={view} size="small" />}
        <ButtonLink size="small" href={`/app/n/${id}`}>
          {ALERT_TEXTS.open}
        </ButtonLink>
      </div>
      <Button look="quiet" size="small" icon="close" label={ALERT_TEXTS.dismiss} onClick={() => dismissBanner(id)} />
    </article>
  )
}

function Sound() {
  if (isSoundBlocked.value) return <span class="alert-note">{ALERT_TEXTS.soundBlocked}</span>
  if (alertSound.value !== 'unset') return null
  const [offer, when] = ALERT_TEXTS.offerSound
  const switchOn = () => {
    alertSound.value = 'on'
    void ring()
  }
  return (
    <Button look="quiet" size="small" icon="bell" onClick={switchOn}>
      <span>
        {offer} <span class="alert-when">{when}</span>
      </span>
    </Button>
  )
}
