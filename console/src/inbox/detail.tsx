// One notification in full: its text, its buttons and its delivery to each device.
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Linked } from '../ui/linked.tsx'
import { Facts, Waiting } from '../ui/page.tsx'
import { Moment, shortMoment } from '../ui/time.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { Actions } from './actions.tsx'
import { Attachments } from './attachments.tsx'
import { type DecryptedView, decrypt, decryptedView } from './decryption.ts'
import { deleteWithUndo } from './deletion.ts'
import { Delivery } from './delivery.tsx'
import { leaveFor, nextTo } from './focus.ts'
import { find, listPage, setFilter } from './inbox.ts'
import { Media } from './media.tsx'
import { ReceiptCard } from './receipt-card.tsx'
import { LevelTag } from './rows/row.tsx'
import { QuietDialog } from './rows/tools.tsx'
import { senderOf } from './sender.ts'
import { ThreadTimeline } from './thread-timeline.tsx'
import { markRead, markUnread, wake } from './triage.ts'

// A notification that is open this long counts as read. The keys j and k pass over many.
const READ_AFTER_MS = 1500

export function NotificationDetail({ id }: { id: number }) {
  const listed = find(id)
  const loaded = useLoaded(() => api.get<NotificationView>(`/notifications/${id}`), {
    on: listed ? undefined : ['notification.', 'receipt.'],
    id,
    key: id,
    initial: listed,
  })
  const notification = listed ?? loaded.value
  const envelope = notification?.encrypted
  useEffect(() => {
    if (envelope) void decrypt(envelope)
  }, [envelope])
  const isLoaded = notification !== undefined
  useEffect(() => {
    if (!isLoaded) return
    // If this fails, the notification stays unread.
    const timer = setTimeout(() => markRead([id]).catch(() => {}), READ_AFTER_MS)
    return () => clearTimeout(timer)
  }, [id, isLoaded])
  if (!notification) return <Waiting error={loaded.error} rows={4} />
  return <Detail notification={decryptedView(notification)} reload={listed ? undefined : loaded.reload} />
}

type DetailProps = { notification: DecryptedView; reload: (() => Promise<void>) | undefined }

function Detail({ notification, reload }: DetailProps) {
  const { id, title, subtitle, level, isLocked, org_id } = notification
  return (
    <article class={`detail detail-${level}`}>
      <Toolbar notification={notification} />
      <Snoozed notification={notification} />
      <Sender notification={notification} />
      <h2 class="detail-title" tabIndex={-1} dir="auto">
        {title}
      </h2>
      {subtitle && (
        <p class="detail-subtitle" dir="auto">
          {subtitle}
        </p>
      )}
      {isLocked ? (
        <p class="note">
          <Icon name="lock" size={18} />
          <span>
            {TEXTS.detail.locked} <a href="/app/settings">{TEXTS.detail.enterKey}</a>
          </span>
        </p>
      ) : (
        <Body notification={notification} />
      )}
      <Media notification={notification} />
      <Attachments notification={notification} />
      <ReceiptCard
        id={id}
        actions={notification.actions}
        organization={org_id ? { id: org_id, isSender: false } : undefined}
      />
      <Actions notification={notification} reload={reload} />
      <Metadata notification={notification} />
      <ThreadTimeline notification={notification} />
      <Delivery notification={notification} />
    </article>
  )
}

const Markdown = lazy(async () => (await import('../ui/markdown.tsx')).Markdown)

function Body({ notification: { body, format } }: { notification: DecryptedView }) {
  if (format === 'markdown') return <Markdown text={body} />
  return (
    <p class="detail-body" dir="auto">
      <Linked text={body} />
    </p>
  )
}

function Toolbar({ notification }: { notification: DecryptedView }) {
  const { id, read_at, snoozed_until } = notification
  const { route } = useLocation()
  const [isQuieting, setQuieting] = useState(false)
  const keepUnread = () => attempt(() => markUnread([id]))
  // The focus goes to the neighbour: the row of this one is gone.
  const leave = (next: number | undefined) => leaveFor(next, () => route(listPage(), true))
  const remove = () => {
    const next = nextTo(id)
    deleteWithUndo([id])
    leave(next)
  }
  useKeys({ '#': remove, u: keepUnread, h: () => setQuieting(true) })
  return (
    <div class="detail-tools">
      <span class="only-phone">
        <Button look="quiet" icon="back" onClick={() => route(listPage())}>
          {TEXTS.nav.inbox}
        </Button>
      </span>
      {read_at && !snoozed_until && (
        <Button look="quiet" icon="mail" label={TEXTS.detail.markUnread} onClick={keepUnread} />
      )}
      <Button look="quiet" icon="snooze" label={TEXTS.inbox.quiet} onClick={() => setQuieting(true)} />
      <Button look="quiet" icon="trash" label={TEXTS.detail.delete} onClick={remove} />
      {isQuieting && (
        <QuietDialog
          notification={notification}
          onClose={() => setQuieting(false)}
          onSnoozed={() => leave(nextTo(id))}
        />
      )}
    </div>
  )
}

function Snoozed({ notification: { id, snoozed_until } }: { notification: DecryptedView }) {
  if (!snoozed_until) return null
  return (
    <p class="note">
      <Icon name="snooze" size={18} />
      <span>{TEXTS.detail.snoozedUntil(shortMoment(snoozed_until))}</span>
      <Button size="small" onClick={() => attempt(() => wake(id))}>
        {TEXTS.detail.wake}
      </Button>
    </p>
  )
}

function Sender({ notification }: { notification: DecryptedView }) {
  const { source, icon_url, created_at, level, thread_id, org_name } = notification
  const sender = senderOf(notification) ?? org_name ?? ''
  return (
    <div class="detail-sender">
      <Avatar name={sender} iconUrl={icon_url} size={40} />
      <div>
        <p class="detail-from">
          {source ? (
            <button type="button" class="text-button" onClick={() => setFilter({ source })}>
              {sender}
            </button>
          ) : (
            sender !== org_name && sender
          )}
          <Organization notification={notification} />
          <LevelTag level={level} />
        </p>
        <p class="muted">
          <Moment at={created_at} />
          {thread_id && (
            <>
              {' · '}
              <button type="button" class="text-button" onClick={() => setFilter({ threadId: thread_id })}>
                {thread_id}
              </button>
            </>
          )}
        </p>
      </div>
    </div>
  )
}

function Organization({ notification: { org_id, org_name } }: { notification: DecryptedView }) {
  if (!org_id) return null
  return (
    <button type="button" class="chip" onClick={() => setFilter({ orgId: org_id })}>
      {org_name}
    </button>
  )
}

function Metadata({ notification: { metadata, activity_slug } }: { notification: DecryptedView }) {
  const rows: [string, string][] = Object.entries(metadata ?? {})
  if (activity_slug) rows.push([TEXTS.detail.activity, activity_slug])
  if (rows.length === 0) return null
  return (
    <section class="detail-section">
      <h3>{TEXTS.detail.metadata}</h3>
      <Facts rows={rows} />
    </section>
  )
}
