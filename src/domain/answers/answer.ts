// The answer to a notification: which actions are answered here, and which one was chosen.
import type { AnswerInput } from '../../contract/answers.ts'
import type { NotificationAction } from '../../contract/notifications/notification.ts'
import { Problem } from '../../contract/problems.ts'
import { inOneSentence, validationProblem } from '../../contract/validation.ts'
import type { KeyId, UserId } from '../caller.ts'
import type { Instant } from '../instant.ts'
import type { NotificationDraft, NotificationId } from '../notifications/notification.ts'

export type Answer = {
  notificationId: NotificationId
  userId: UserId
  keyId: KeyId | null
  // The actions that can be chosen.
  actions: NotificationAction[]
  // `by`: the member of the organization who answered.
  given?: { actionId: string; text?: string; at: Instant; by?: UserId }
}

type WithActions = Pick<NotificationDraft, 'actions'>

// Wider than recordable, as specified: any action without a url can be answered. If it opens the app, the app answers.
export function answerableActions({ actions = [] }: WithActions): NotificationAction[] {
  return actions.filter((action) => action.url === undefined)
}

export const isAnswerable = (draft: WithActions): boolean => answerableActions(draft).length > 0

export function checkAnswer(actions: NotificationAction[], { action_id, text }: AnswerInput): void {
  const action = actions.find(({ id }) => id === action_id)
  if (!action || action.url !== undefined) {
    const errors = [{ location: 'body.action_id', message: 'must be the id of an action without a url' }]
    throw new Problem('notification_answer.action_unknown', inOneSentence(errors), { errors })
  }
  if (text && !action.text_input) {
    throw validationProblem([{ location: 'body.text', message: 'is only possible for an action with text_input' }])
  }
}
