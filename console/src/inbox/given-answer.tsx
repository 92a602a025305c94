// The answer that was given to a notification; for one of an organization, also by whom.
import type { AnswerState } from '../../../src/contract/answers.ts'
import type { NotificationAction } from '../../../src/contract/notifications/notification.ts'
import type { MemberView } from '../../../src/contract/organizations/organization.ts'
import { api, unlessMissing } from '../api/client.ts'
import { session } from '../state/session.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { Icon } from '../ui/icon.tsx'
import { Ago } from '../ui/time.tsx'
import { actionTitle } from './action-title.ts'

type GivenAnswerProps = { answer: AnswerState; actions: NotificationAction[]; orgId: string | undefined }

export function GivenAnswer({ answer, actions, orgId }: GivenAnswerProps) {
  const action = actions.find(({ id }) => id === answer.action_id)
  const title = action ? actionTitle(action, TEXTS.detail.acknowledge) : answer.action_id
  return (
    <p class="given" role="status">
      <Icon name="check" size={18} />
      <span>
        {TEXTS.detail.answered} <strong>{title}</strong>
        {answer.text && <q class="given-text">{answer.text}</q>}{' '}
        {orgId && answer.answered_by && <ByMember orgId={orgId} userId={answer.answered_by} />}{' '}
        {answer.answered_at && (
          <span class="muted">
            {'· '}
            <Ago at={answer.answered_at} />
          </span>
        )}
      </span>
    </p>
  )
}

// "by Ada": the member of an organization who answered or acknowledged.
type ByMemberProps = { orgId: string; userId: string }

export function ByMember({ orgId, userId }: ByMemberProps) {
  // Missing: that member, or this person, has left the organization.
  const load = async () => (await unlessMissing(api.get<MemberView>(`/orgs/${orgId}/members/${userId}`))) ?? 'missing'
  const { value } = useLoaded(load, { key: userId })
  const isMe = session.value.state === 'signed-in' && session.value.account.id === userId
  if (isMe) return <span>{TEXTS.detail.answeredByYou}</span>
  if (!value) return null
  return <span>{TEXTS.detail.answeredBy(value === 'missing' ? undefined : value.nickname)}</span>
}
