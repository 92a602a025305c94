// Receipts: the state of a notification that repeats until someone acknowledges it.
import { type Static, Type } from 'typebox'
import { closed, OneOf, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'

export const RECEIPT_STATUSES = ['active', 'acknowledged', 'expired', 'canceled'] as const
export const CANCEL_REASONS = ['api', 'tag', 'superseded', 'key_revoked', 'deleted', 'resolved'] as const
export const CALLBACK_STATUSES = ['pending', 'delivered', 'failed'] as const

export const TAG_PATTERN = `^[\\x21-\\x7e]{1,${LIMITS.acknowledge.maxTagChars}}$`

const CallbackView = Type.Object(
  {
    status: OneOf(CALLBACK_STATUSES),
    attempts: Type.Integer(),
    delivered_at: Type.Optional(Timestamp),
    last_status_code: Type.Optional(Type.Integer({ description: 'the HTTP status of the last response' })),
  },
  { title: 'CallbackState' },
)

export const ReceiptView = Type.Object(
  {
    notification_id: Type.Integer(),
    status: OneOf(RECEIPT_STATUSES),
    repeat_seconds: Type.Integer(),
    expires_at: Timestamp,
    repeats_sent: Type.Integer(),
    created_at: Timestamp,
    last_delivered_at: Type.Optional(Timestamp),
    acknowledged_at: Type.Optional(Timestamp),
    acknowledged_by: Type.Optional(Type.String({ description: 'the id of the user' })),
    acknowledged_by_device: Type.Optional(Type.String({ description: 'the name of the device' })),
    action_id: Type.Optional(Type.String({ description: 'the button that was pressed' })),
    canceled_at: Type.Optional(Timestamp),
    cancel_reason: Type.Optional(OneOf(CANCEL_REASONS)),
    tags: Type.Optional(Type.Array(Type.String())),
    escalation: Type.Optional(Type.String({ description: 'the slug of the escalation policy' })),
    escalated_steps: Type.Optional(
      Type.Integer({ description: 'how many steps of the policy have been taken; only with escalation' }),
    ),
    next_escalation_at: Type.Optional(Timestamp),
    shared_with: Type.Optional(
      Type.Integer({
        description:
          'the alert that repeats and escalates for this one as well, because the account had as many open alerts as it may; acknowledging one acknowledges both',
      }),
    ),
    callback: Type.Optional(CallbackView),
  },
  { title: 'Receipt' },
)
export type ReceiptView = Static<typeof ReceiptView>

// The receipt as the inbox shows it.
export const ReceiptState = Type.Object(
  {
    status: OneOf(RECEIPT_STATUSES),
    expires_at: Timestamp,
    repeats_sent: Type.Integer(),
    acknowledged_at: Type.Optional(Timestamp),
    acknowledged_by: ReceiptView.properties.acknowledged_by,
    acknowledged_by_device: ReceiptView.properties.acknowledged_by_device,
  },
  { title: 'ReceiptState', description: 'Of an alert that repeats until someone acknowledges it.' },
)
export type ReceiptState = Static<typeof ReceiptState>

export const CancelByTagInput = Type.Object(
  { tag: Type.String({ pattern: TAG_PATTERN, description: '1 to 64 printable ASCII characters without spaces' }) },
  { ...closed, title: 'CancelByTagInput', examples: [{ tag: 'server-7' }] },
)
export type CancelByTagInput = Static<typeof CancelByTagInput>

export const CancelByTagResult = Type.Object(
  { canceled: Type.Integer({ description: 'The number of receipts canceled.' }) },
  { title: 'CancelByTagResult' },
)
export type CancelByTagResult = Static<typeof CancelByTagResult>

// The last one goes to the `callback_url` of a step of an escalation policy.
export const CALLBACK_TYPES = ['notification.acknowledged', 'notification.expired', 'notification.escalated'] as const

// The body of the request to `callback_url`. Its headers follow Standard Webhooks.
export const CallbackBody = Type.Object(
  { type: OneOf(CALLBACK_TYPES), timestamp: Timestamp, data: ReceiptView },
  { title: 'ReceiptCallback' },
)
export type CallbackBody = Static<typeof CallbackBody>
