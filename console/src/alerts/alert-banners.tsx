// The banners for new notifications, on every page but that of the notification itself.
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import { withoutMarks } from '../../../src/domain/notifications/markdown.ts'
import { Actions } from '../inbox/actions.tsx'
import { decryptedView } from '../inbox/decryption.ts'
import { LevelTag } from '../inbox/rows/row.tsx'
import { senderOf } from '../inbox/sender.ts'
import { ALERT_TEXTS } from '../texts/alerts.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { banners, dismissBanner, staysUntilDismissed } from './banners.ts'
import { alertSound, isSoundBlocked, ring } from './sound.ts'

const SHOWN_AT_ONCE = 3
const SHOWN_MS = 8000

export function AlertBanners() {
  const { path } = useLocation()
  const waiting = banners.value.filter(({ id }) => path !== `/app/n/${id}`)
  if (waiting.length === 0) return null
  const hiddenCount = waiting.length - SHOWN_AT_ONCE
  return (
    <section class="alerts" aria-label={ALERT_TEXTS.label}>
      {waiting.slice(0, SHOWN_AT_ONCE).map((one) => (
        <AlertBanner key={one.id} notification={one} />
      ))}
      {hiddenCount > 0 && (
        <a class="alerts-more" href="/app/">
          {ALERT_TEXTS.more(hiddenCount)}
        </a>
      )}
    </section>
  )
}

function AlertBanner({ notification }: { notification: NotificationView }) {
  const view = decryptedView(notification)
  const { id, level, title, body, format, icon_url } = view
  const [isHeld, setHeld] = useState(staysUntilDismissed(notification))
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismissBanner(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isHeld])
  const sender = senderOf(view) ?? view.org_name
  // Someone who points at a banner or types into it keeps it.
  const hold = () => setHeld(true)
  return (
    <article class={`alert alert-${level}`} onPointerEnter={hold} onFocusIn={hold}>
      <header class="alert-head">
        <Avatar name={sender ?? title} iconUrl={icon_url} size={28} />
        <span class="alert-sender">{sender}</span>
        <LevelTag level={level} />
        <Button look="quiet" size="small" icon="close" label={ALERT_TEXTS.dismiss} onClick={() => dismissBanner(id)} />
      </header>
      <p class="alert-title" dir="auto">
        {title}
      </p>
      <p class="alert-body" dir="auto">
        {format === 'markdown' ? withoutMarks(body) : body}
      </p>
      <Actions notification={view} size="small" />
      <footer class="alert-foot">
        {level === 'critical' && <Sound />}
        <ButtonLink size="small" href={`/app/n/${id}`}>
          {ALERT_TEXTS.open}
        </ButtonLink>
      </footer>
    </article>
  )
}

function Sound() {
  if (isSoundBlocked.value) return <span class="alert-note">{ALERT_TEXTS.soundBlocked}</span>
  if (alertSound.value !== 'unset') return null
  const switchOn = () => {
    alertSound.value = 'on'
    void ring()
  }
  return (
    <Button look="quiet" size="small" icon="bell" onClick={switchOn}>
      {ALERT_TEXTS.offerSound}
    </Button>
  )
}
