// Notifications that are sent later, or again and again: what clients send, list and read.
import { type Static, Type } from 'typebox'
import { DryRun } from './dry-run.ts'
import { Cursor, closed, Limit, OneOf, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { DELIVERIES, DELIVERY_REASONS, NotificationInput } from './notification.ts'

export const SCHEDULE_STATUSES = ['scheduled', 'sent', 'failed', 'canceled'] as const
export const FAILURE_REASONS = ['quota_exceeded', 'key_revoked', 'internal_error'] as const

export const Recurrence = Type.Object(
  {
    cron: Text(LIMITS.scheduleCronChars, {
      minLength: 1,
      description: 'minute, hour, day, month and weekday; or @hourly, @daily, @weekly, @monthly, @yearly',
    }),
    timezone: Text(LIMITS.scheduleTimezoneChars, { minLength: 1, description: 'an IANA name such as Europe/Berlin' }),
    until: Type.Optional(Timestamp),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.scheduleCount })),
  },
  closed,
)
export type Recurrence = Static<typeof Recurrence>

export const ScheduleInput = Type.Object(
  {
    ...NotificationInput.properties,
    send_at: Type.Optional(Timestamp),
    recurrence: Type.Optional(Recurrence),
  },
  closed,
)
export type ScheduleInput = Static<typeof ScheduleInput>

export const ScheduleView = Type.Object({
  ...NotificationInput.properties,
  id: Type.Integer(),
  status: OneOf(SCHEDULE_STATUSES),
  send_at: Type.String({ format: 'date-time', description: 'when it is due next, or was due last' }),
  created_at: Timestamp,
  recurrence: Type.Optional(Recurrence),
  occurrence: Type.Optional(Type.Integer({ description: 'how many of the series have been sent' })),
  last_sent_at: Type.Optional(Timestamp),
  notification_id: Type.Optional(Type.Integer({ description: 'the notification that was sent, of a series the last' })),
  sent_at: Type.Optional(Timestamp),
  delivery: Type.Optional(OneOf(DELIVERIES, 'whether every, some or no device accepted the push')),
  reason: Type.Optional(OneOf(DELIVERY_REASONS, 'why delivery is not all')),
  failure_reason: Type.Optional(OneOf(FAILURE_REASONS)),
  canceled_at: Type.Optional(Timestamp),
})
export type ScheduleView = Static<typeof ScheduleView>

export const ScheduleQuery = Type.Object({
  status: Type.Optional(
    OneOf([...SCHEDULE_STATUSES, 'all'], 'scheduled (the default) is sorted soonest first, the others latest first'),
  ),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
})
export type ScheduleQuery = Static<typeof ScheduleQuery>

export const ScheduleList = Type.Object({
  items: Type.Array(ScheduleView),
  next_cursor: Type.Optional(Type.String()),
  has_more: Type.Boolean(),
})
export type ScheduleList = Static<typeof ScheduleList>

export const PurgeQuery = Type.Object({
  purge: Type.Optional(Type.Boolean({ description: 'true: leave no record of it' })),
})
export type PurgeQuery = Static<typeof PurgeQuery>

export const ScheduleDryRun = Type.Object({
  valid: DryRun.properties.valid,
  would: Type.Object({
    ...DryRun.properties.would.properties,
    send_times: Type.Array(Timestamp, { description: 'the next ten' }),
  }),
})
export type ScheduleDryRun = Static<typeof ScheduleDryRun>
