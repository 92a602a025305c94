// The answer to a notification as clients see it.
import type { AnswerState as AnswerStateView, AnswerView } from '../contract/answers.ts'
import type { Answer } from '../domain/answers/answer.ts'
import type { AnswerState } from '../domain/answers/state.ts'
import { toRfc3339 } from '../domain/instant.ts'

export function answerView({ notificationId, given }: Answer): AnswerView {
  if (!given) return { notification_id: notificationId, status: 'pending' }
  return {
    notification_id: notificationId,
    status: 'answered',
    action_id: given.actionId,
    text: given.text,
    answered_at: toRfc3339(given.at),
    answered_by: given.by,
  }
}

export const answerStateView = ({ status, given }: AnswerState): AnswerStateView => ({
  status,
  action_id: given?.actionId,
  text: given?.text,
  answered_at: given && toRfc3339(given.at),
  answered_by: given?.by,
  answered_by_device: given?.device,
})
