// The inbox as clients filter and change it. The notifications themselves are in notification.ts.

import { type Static, Type } from 'typebox'
import { Cursor, closed, Limit, NotificationId, OneOf, Page, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { ReceiptView } from '../receipts.ts'
import { Level, NotificationView } from './notification.ts'

// PostgreSQL rejects U+0000 even as a value to compare with.
function TextFilter(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000]*$', description: 'text without U+0000' })
}

export const NotificationQuery = Type.Object({
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
  unread: Type.Optional(Type.Boolean({ description: 'true: only unread notifications' })),
  waiting: Type.Optional(
    Type.Boolean({ description: 'true: only questions without an answer and alerts that still repeat' }),
  ),
  snoozed: Type.Optional(
    Type.Boolean({ description: 'true: only those that are snoozed, which other lists leave out' }),
  ),
  source: Type.Optional(TextFilter(LIMITS.notification.maxSourceChars)),
  thread_id: Type.Optional(TextFilter(LIMITS.notification.maxThreadIdChars)),
  level: Type.Optional(Level),
  org_id: Type.Optional(TextFilter(LIMITS.path.maxIdChars)),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
  q: Type.Optional(TextFilter(LIMITS.notification.maxSearchChars)),
})
export type NotificationQuery = Static<typeof NotificationQuery>

export const SnoozeInput = Type.Object(
  {
    until: Type.String({
      format: 'date-time',
      description: `a time in the future, at most ${LIMITS.notification.maxSnoozeDays} days ahead`,
    }),
  },
  { ...closed, title: 'SnoozeInput', examples: [{ until: '2026-11-20T08:00:00Z' }] },
)
export type SnoozeInput = Static<typeof SnoozeInput>

export const UnreadCount = Type.Object({ count: Type.Integer() }, { title: 'UnreadCount' })
export type UnreadCount = Static<typeof UnreadCount>

const ReadFilter = Type.Object(
  {
    level: Type.Optional(Level),
    source: Type.Optional(TextFilter(LIMITS.notification.maxSourceChars)),
    thread_id: Type.Optional(TextFilter(LIMITS.notification.maxThreadIdChars)),
    q: Type.Optional(TextFilter(LIMITS.notification.maxSearchChars)),
    before: Type.Optional(Timestamp),
  },
  {
    ...closed,
    title: 'ReadFilter',
    description: 'The notifications that meet every condition. `before`: those created before that time.',
  },
)
export type ReadFilter = Static<typeof ReadFilter>

const Ids = Type.Array(NotificationId, { maxItems: LIMITS.notification.maxIdsAtOnce })

// domain/notifications/inbox.ts requires exactly one of ids, all and filter.
export const ReadInput = Type.Object(
  {
    ids: Type.Optional(Ids),
    all: Type.Optional(Type.Literal(true)),
    filter: Type.Optional(ReadFilter),
    unread: Type.Optional(Type.Boolean({ description: 'true: mark them as unread again' })),
  },
  {
    ...closed,
    title: 'ReadInput',
    description: 'Exactly one of ids, all and filter.',
    minProperties: 1,
    examples: [
      { ids: [17, 18] },
      { all: true },
      { ids: [17], unread: true },
      { filter: { level: 'critical', before: '2026-11-15T08:30:00Z' } },
    ],
  },
)
export type ReadInput = Static<typeof ReadInput>

export const ReadResult = Type.Object(
  { updated: Type.Integer({ description: 'The number of notifications that were changed.' }) },
  { title: 'ReadResult' },
)
export type ReadResult = Static<typeof ReadResult>

export const DeleteNotificationsInput = Type.Object(
  { ids: Ids },
  { ...closed, title: 'DeleteNotificationsInput', examples: [{ ids: [17, 18] }] },
)

export const DeleteNotificationsResult = Type.Object(
  { deleted: Type.Integer({ description: 'The number of notifications that were deleted.' }) },
  { title: 'DeleteNotificationsResult' },
)

// The list of receipts: alerts that still repeat, and those that have ended.
export const RECEIPT_LISTS = ['active', 'ended'] as const

export const ReceiptQuery = Type.Object({
  status: Type.Optional(OneOf(RECEIPT_LISTS, 'all receipts if left out')),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
})
export type ReceiptQuery = Static<typeof ReceiptQuery>

const ListedReceiptView = Type.Object(
  { ...ReceiptView.properties, notification: Type.Optional(NotificationView) },
  { title: 'ListedReceipt', description: 'A receipt, with its notification unless that was deleted.' },
)
export type ListedReceiptView = Static<typeof ListedReceiptView>

export const ReceiptList = Page('ReceiptList', ListedReceiptView)
