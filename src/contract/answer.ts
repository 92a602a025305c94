// Answers: which action of a notification was chosen, and what was typed.
import { type Static, Type } from 'typebox'
import { ApprovalAnswer } from './activity.ts'
import { closed, OneOf, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'

export const ANSWER_STATUSES = ['pending', 'answered'] as const

export const AnswerInput = Type.Object(
  {
    action_id: Text(LIMITS.notificationActionIdChars, { minLength: 1 }),
    text: Type.Optional(Text(LIMITS.answerTextChars, { description: 'only for an action with text_input' })),
    device_id: Type.Optional(Text(LIMITS.deviceIdChars, { minLength: 1 })),
  },
  closed,
)
export type AnswerInput = Static<typeof AnswerInput>

// One path for both kinds of tickets; what each of them needs is known once the ticket is read.
export const TicketAnswer = Type.Object(
  { ...Type.Partial(AnswerInput).properties, option: Type.Optional(ApprovalAnswer.properties.option) },
  closed,
)
export type TicketAnswer = Static<typeof TicketAnswer>

// While pending, only the first two.
export const AnswerView = Type.Object({
  notification_id: Type.Integer(),
  status: OneOf(ANSWER_STATUSES),
  action_id: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  answered_at: Type.Optional(Timestamp),
})
export type AnswerView = Static<typeof AnswerView>
