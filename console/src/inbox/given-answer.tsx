// The answer that was given to a notification; for one of an organization, also by whom.
import type { AnswerState } from '../../../src/contract/answers.ts'
import type { NotificationAction } from '../../../src/contract/notifications/notification.ts'
import { TEXTS } from '../texts/base.ts'
import { Icon } from '../ui/icon.tsx'
import { Ago } from '../ui/time.tsx'
import { ByMember } from './by-member.tsx'

type GivenAnswerProps = { answer: AnswerState; actions: NotificationAction[]; orgId: string | undefined }

export function GivenAnswer({ answer, actions, orgId }: GivenAnswerProps) {
  const title = actions.find(({ id }) => id === answer.action_id)?.title ?? answer.action_id
  return (
    <p class="given" role="status">
      <Icon name="check" size={18} />
      <span>
        {TEXTS.detail.answered} <strong>{title}</strong>
        {answer.text && <q class="given-text">{answer.text}</q>}{' '}
        {orgId && answer.answered_by && <ByMember orgId={orgId} userId={answer.answered_by} />}{' '}
        {answer.answered_at && (
          <span class="muted">
            <Ago at={answer.answered_at} />
          </span>
        )}
      </span>
    </p>
  )
}
