// One row of the list: a notification, and the number of earlier ones in its thread.
import { useState } from 'preact/hooks'
import type { NotificationView } from '../../../src/contract/notification.ts'
import { withoutMarks } from '../../../src/domain/notifications/markdown.ts'
import { TEXTS } from '../texts.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Icon } from '../ui/icon.tsx'
import { shortTime } from '../ui/time.tsx'
import { decryptedView } from './decryption.ts'
import { liveAnswers } from './inbox.ts'
import type { Row } from './threads.ts'

export function NotificationRow({ row, selectedId }: { row: Row; selectedId?: number }) {
  const { newest, earlier } = row
  const [isExpanded, setExpanded] = useState(false)
  const showsEarlier = isExpanded || earlier.some(({ id }) => id === selectedId)
  return (
    <li>
      <RowLink notification={newest} isSelected={newest.id === selectedId} />
      {earlier.length > 0 && (
        <button
          type="button"
          class="row-thread"
          aria-expanded={showsEarlier}
          onClick={() => setExpanded(!showsEarlier)}
        >
          <Icon name={showsEarlier ? 'down' : 'next'} size={14} />
          {TEXTS.inbox.earlier(earlier.length)}
        </button>
      )}
      {showsEarlier && (
        <ul class="row-list row-list-earlier">
          {earlier.map((one) => (
            <li key={one.id}>
              <RowLink notification={one} isSelected={one.id === selectedId} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function RowLink({ notification, isSelected }: { notification: NotificationView; isSelected: boolean }) {
  const { id, title, subtitle, body, level, source, created_at, isLocked, ...rest } = decryptedView(notification)
  const { org_name } = rest
  const sender = rest.source_display_name ?? source ?? (org_name ? undefined : TEXTS.inbox.noSource)
  const isUnread = !rest.read_at
  const text = rest.format === 'markdown' ? withoutMarks(body) : body
  return (
    <a
      class={`row row-${level} ${isUnread ? 'row-unread' : ''}`}
      href={`/app/n/${id}`}
      aria-current={isSelected ? 'true' : undefined}
    >
      <Avatar name={sender ?? org_name ?? ''} iconUrl={rest.icon_url} />
      <span class="row-text">
        <span class="row-top">
          {sender && <span class="row-sender">{sender}</span>}
          {org_name && <span class="tag tag-plain row-organization">{org_name}</span>}
          <LevelTag level={level} />
          <time class="row-time" dateTime={created_at}>
            {shortTime(created_at)}
          </time>
        </span>
        <span class="row-title">
          {isUnread && (
            <span class="row-dot">
              <span class="hidden">{TEXTS.inbox.unread}: </span>
            </span>
          )}
          {isLocked && <Icon name="lock" size={14} />}
          {title}
        </span>
        <span class="row-body">{subtitle ? `${subtitle} — ${text}` : text}</span>
        <RowMarks notification={notification} />
      </span>
    </a>
  )
}

export function LevelTag({ level }: { level: NotificationView['level'] }) {
  if (level === 'active') return null
  return <span class={`level level-${level}`}>{TEXTS.levels[level]}</span>
}

// Shows whether an answer is awaited, or which one was given.
function RowMarks({ notification }: { notification: NotificationView }) {
  const { id, actions } = notification
  const answerable = actions?.filter(({ url }) => !url) ?? []
  if (answerable.length === 0) return null
  const answer = liveAnswers.value[id]
  if (!answer) {
    return (
      <span class="row-mark">
        <Icon name="reply" size={14} />
        <span>{answerable.map(({ title }) => title).join(' · ')}</span>
      </span>
    )
  }
  return (
    <span class="row-mark row-mark-done">
      <Icon name="check" size={14} />
      <span>{actions?.find((action) => action.id === answer.action_id)?.title ?? answer.action_id}</span>
    </span>
  )
}
