// Answers: which action of a notification was chosen, and what was typed.
import { type Static, Type } from 'typebox'
import { ApprovalAnswer } from './activities.ts'
import { closed, OneOf, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'

export const ANSWER_STATUSES = ['pending', 'answered'] as const

export const AnswerInput = Type.Object(
  {
    action_id: Text(LIMITS.notification.maxActionIdChars, { minLength: 1 }),
    text: Type.Optional(Text(LIMITS.answer.maxTextChars, { description: 'only for an action with text_input' })),
    device_id: Type.Optional(
      Text(LIMITS.device.maxIdChars, { minLength: 1, description: 'the device the person answered on' }),
    ),
  },
  { ...closed, title: 'AnswerInput', examples: [{ action_id: 'yes', device_id: '7F3C0A51-phone' }] },
)
export type AnswerInput = Static<typeof AnswerInput>

// Both kinds of tickets share one path; the operation checks the members once it has read the ticket.
export const TicketAnswer = Type.Object(
  { ...Type.Partial(AnswerInput).properties, option: Type.Optional(ApprovalAnswer.properties.option) },
  { ...closed, title: 'TicketAnswer', examples: [{ action_id: 'yes' }, { option: 'approve' }] },
)
export type TicketAnswer = Static<typeof TicketAnswer>

// A pending answer has only the first two members.
export const AnswerView = Type.Object(
  {
    notification_id: Type.Integer(),
    status: OneOf(ANSWER_STATUSES),
    action_id: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    answered_at: Type.Optional(Timestamp),
    answered_by: Type.Optional(
      Type.String({ description: 'The member who answered a notification of an organization.' }),
    ),
  },
  { title: 'Answer' },
)
export type AnswerView = Static<typeof AnswerView>

export const ANSWER_STATES = [...ANSWER_STATUSES, 'expired'] as const

// The answer as the inbox shows it.
export const AnswerState = Type.Object(
  {
    status: OneOf(ANSWER_STATES, 'expired: it was not answered while the sender waited for it'),
    action_id: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    answered_at: Type.Optional(Timestamp),
    answered_by: AnswerView.properties.answered_by,
    answered_by_device: Type.Optional(Type.String({ description: 'The name of the device.' })),
  },
  { title: 'AnswerState', description: 'Of a notification with an action that is answered here.' },
)
export type AnswerState = Static<typeof AnswerState>
