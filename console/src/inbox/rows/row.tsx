// One row of the list: a notification, and the number of earlier ones in its thread.
import { useState } from 'preact/hooks'
import type { NotificationView } from '../../../../src/contract/notifications/notification.ts'
import { withoutMarks } from '../../../../src/domain/notifications/markdown.ts'
import { TEXTS } from '../../texts/base.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Highlight } from '../../ui/highlight.tsx'
import { Icon } from '../../ui/icon.tsx'
import { shortTime } from '../../ui/time.tsx'
import { decryptedView } from '../decryption.ts'
import { filter, pageOf } from '../inbox.ts'
import { senderOf } from '../sender.ts'
import { hiddenIn, type Row } from '../threads.ts'
import { RowMarks } from './marks.tsx'
import { RowTools, useTouchSelection } from './tools.tsx'

export function NotificationRow({ row, selectedId }: { row: Row; selectedId?: number }) {
  const { newest, earlier } = row
  const [isExpanded, setExpanded] = useState(false)
  const hidden = hiddenIn(earlier)
  const showsEarlier = isExpanded || earlier.some(({ id }) => id === selectedId)
  return (
    <li class="row-item">
      <RowTools notification={newest} />
      <RowLink notification={newest} isSelected={newest.id === selectedId} />
      {earlier.length > 0 && (
        <button
          type="button"
          class={`row-thread ${hidden.level ? `row-thread-${hidden.level}` : ''}`}
          aria-expanded={showsEarlier}
          onClick={() => setExpanded(!showsEarlier)}
        >
          <Icon name={showsEarlier ? 'down' : 'next'} size={14} />
          {TEXTS.inbox.earlier(earlier.length, hidden.unread, hidden.level && TEXTS.levels[hidden.level])}
        </button>
      )}
      {showsEarlier && (
        <ul class="row-list row-list-earlier">
          {earlier.map((one) => (
            <li key={one.id} class="row-item">
              <RowTools notification={one} />
              <RowLink notification={one} isSelected={one.id === selectedId} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

// `hasMarks` is false where the buttons themselves are shown.
type RowLinkProps = { notification: NotificationView; isSelected: boolean; hasMarks?: boolean }

export function RowLink({ notification, isSelected, hasMarks = true }: RowLinkProps) {
  const { id, title, subtitle, body, level, created_at, isLocked, ...rest } = decryptedView(notification)
  const { org_name } = rest
  const sender = senderOf(notification)
  const isUnread = !rest.read_at
  const touch = useTouchSelection(id)
  const { q } = filter.value
  const text = rest.format === 'markdown' ? withoutMarks(body) : body
  return (
    <a
      class={`row row-${level} ${isUnread ? 'row-unread' : ''}`}
      href={pageOf(id)}
      aria-current={isSelected ? 'true' : undefined}
      {...touch}
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
        <span class="row-title" dir="auto">
          {isUnread && (
            // `dir` keeps this word from deciding the direction of the title.
            <span class="row-dot" dir="ltr">
              <span class="hidden">{TEXTS.inbox.unread}: </span>
            </span>
          )}
          {isLocked && <Icon name="lock" size={14} />}
          <Highlight text={title} words={q} />
        </span>
        <span class="row-body" dir="auto">
          {subtitle && `${subtitle} — `}
          <Highlight text={text} words={q} />
        </span>
        {hasMarks && <RowMarks notification={notification} />}
      </span>
    </a>
  )
}

export function LevelTag({ level }: { level: NotificationView['level'] }) {
  if (level === 'active') return null
  return <span class={`level level-${level}`}>{TEXTS.levels[level]}</span>
}
