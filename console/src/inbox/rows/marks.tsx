// The mark of a row that asks something: its buttons while it waits, then what became of it.
import type { ComponentChildren } from 'preact'
import type { NotificationAction, NotificationView } from '../../../../src/contract/notifications/notification.ts'
import { TEXTS } from '../../texts/base.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Ago } from '../../ui/time.tsx'
import { actionTitle } from '../action-title.ts'

export function RowMarks({ notification: { actions = [], answer, receipt } }: { notification: NotificationView }) {
  if (receipt?.status === 'acknowledged') {
    return (
      <Mark look="done" icon="check">
        {TEXTS.inbox.acknowledged(receipt.acknowledged_by_device)}
        <At instant={receipt.acknowledged_at} />
      </Mark>
    )
  }
  if (answer?.status === 'answered') {
    return (
      <Mark look="done" icon="check">
        {TEXTS.inbox.answered(titleOf(actions.find(({ id }) => id === answer.action_id)) ?? answer.action_id ?? '')}
        {answer.answered_by_device && <span>{answer.answered_by_device}</span>}
        <At instant={answer.answered_at} />
      </Mark>
    )
  }
  if (answer?.status === 'expired') {
    return (
      <Mark look="expired" icon="clock">
        {TEXTS.inbox.expired}
      </Mark>
    )
  }
  if (answer?.status !== 'pending') return null
  return (
    <Mark look="open" icon="reply">
      {actions
        .filter(({ url }) => !url)
        .map(titleOf)
        .join(' · ')}
    </Mark>
  )
}

// The point keeps it from being read as a part of the words before.
function At({ instant }: { instant: string | undefined }) {
  if (!instant) return null
  return (
    <span>
      {' · '}
      <Ago at={instant} />
    </span>
  )
}

const titleOf = (action: NotificationAction | undefined): string | undefined =>
  action && actionTitle(action, TEXTS.detail.acknowledge)

type MarkProps = { look: 'open' | 'done' | 'expired'; icon: IconName; children: ComponentChildren }

function Mark({ look, icon, children }: MarkProps) {
  return (
    <span class={`row-mark row-mark-${look}`}>
      <Icon name={icon} size={14} />
      <span class="row-mark-text">{children}</span>
    </span>
  )
}
