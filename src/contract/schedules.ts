// Scheduled and recurring notifications as clients send, list and read them.
import { type Static, type TOptional, type TUnsafe, Type } from 'typebox'
import { DryRun } from './dry-run.ts'
import { Cursor, closed, Limit, Nullable, OneOf, Page, ScheduleId, Text, Timestamp } from './fields.ts'
import { AttachmentView } from './files.ts'
import { LIMITS } from './limits.ts'
import { DELIVERIES, DELIVERY_REASONS } from './notifications/delivery.ts'
import { NotificationInput } from './notifications/notification.ts'

export const SCHEDULE_STATUSES = ['scheduled', 'sent', 'failed', 'canceled'] as const
export const FAILURE_REASONS = ['quota_exceeded', 'key_revoked', 'internal_error'] as const

export const Recurrence = Type.Object(
  {
    cron: Text(LIMITS.schedule.maxCronChars, {
      minLength: 1,
      description: 'minute, hour, day, month and weekday; or @hourly, @daily, @weekly, @monthly, @yearly',
    }),
    timezone: Text(LIMITS.schedule.maxTimezoneChars, {
      minLength: 1,
      description: 'an IANA name such as Europe/Berlin',
    }),
    until: Type.Optional(Timestamp),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMITS.schedule.maxCount, description: 'the number of sends of the series' }),
    ),
  },
  { ...closed, title: 'Recurrence' },
)
export type Recurrence = Static<typeof Recurrence>

export const ScheduleInput = Type.Object(
  {
    ...NotificationInput.properties,
    send_at: Type.Optional(Timestamp),
    recurrence: Type.Optional(Recurrence),
  },
  {
    ...closed,
    title: 'ScheduleInput',
    examples: [
      {
        title: 'Take out the bins',
        body: 'Paper today.',
        recurrence: { cron: '0 19 * * TUE', timezone: 'Europe/Berlin' },
      },
    ],
  },
)
export type ScheduleInput = Static<typeof ScheduleInput>

const SCHEDULE_MEMBERS = {
  ...NotificationInput.properties,
  send_at: Timestamp,
  recurrence: Recurrence,
}

// Not a deep merge: half a recurrence, or half an action, means nothing.
export const SchedulePatch = Type.Object(
  {
    ...(Object.fromEntries(
      Object.entries(SCHEDULE_MEMBERS).map(([name, schema]) => [name, Type.Optional(Nullable(schema))]),
    ) as {
      [Name in keyof typeof SCHEDULE_MEMBERS]: TOptional<TUnsafe<Static<(typeof SCHEDULE_MEMBERS)[Name]> | null>>
    }),
    paused: Type.Optional(Type.Boolean({ description: 'true: nothing is sent until it is set to false' })),
  },
  {
    ...closed,
    title: 'SchedulePatch',
    description: 'A member that is sent replaces the stored one as a whole; null removes it.',
    examples: [{ paused: true }, { body: 'Paper and glass today.', send_at: '2027-03-02T19:00:00+01:00' }],
  },
)
export type SchedulePatch = Static<typeof SchedulePatch>

export const ScheduleView = Type.Object(
  {
    ...NotificationInput.properties,
    attachments: Type.Optional(Type.Array(AttachmentView)),
    id: Type.Integer(),
    status: OneOf(SCHEDULE_STATUSES),
    send_at: Type.String({ format: 'date-time', description: 'when it is due next, or was due last' }),
    created_at: Timestamp,
    recurrence: Type.Optional(Recurrence),
    occurrence: Type.Optional(Type.Integer({ description: 'the number of sends so far' })),
    last_sent_at: Type.Optional(Timestamp),
    notification_id: Type.Optional(
      Type.Integer({ description: 'the notification that was sent; for a series, the last one' }),
    ),
    sent_at: Type.Optional(Timestamp),
    delivery: Type.Optional(OneOf(DELIVERIES, 'whether every, some or no device accepted the push')),
    reason: Type.Optional(OneOf(DELIVERY_REASONS, 'why delivery is not all')),
    failure_reason: Type.Optional(OneOf(FAILURE_REASONS)),
    canceled_at: Type.Optional(Timestamp),
    paused: Type.Optional(Type.Literal(true, { description: 'nothing is sent until it is resumed' })),
  },
  { title: 'Schedule' },
)
export type ScheduleView = Static<typeof ScheduleView>

export const ScheduleQuery = Type.Object({
  status: Type.Optional(
    OneOf([...SCHEDULE_STATUSES, 'all'], 'scheduled (the default) is sorted soonest first, the others latest first'),
  ),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
})
export type ScheduleQuery = Static<typeof ScheduleQuery>

export const ScheduleList = Page('ScheduleList', ScheduleView)
export type ScheduleList = Static<typeof ScheduleList>

export const ScheduleParams = Type.Object({ id: ScheduleId })

export const PurgeQuery = Type.Object({
  purge: Type.Optional(Type.Boolean({ description: 'true: delete the record as well' })),
})
export type PurgeQuery = Static<typeof PurgeQuery>

export const ScheduleDryRun = Type.Object(
  {
    valid: DryRun.properties.valid,
    would: Type.Object({
      ...DryRun.properties.would.properties,
      send_times: Type.Array(Timestamp, { description: 'the next ten send times' }),
    }),
  },
  { title: 'ScheduleDryRun' },
)
export type ScheduleDryRun = Static<typeof ScheduleDryRun>
