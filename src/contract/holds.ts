// What holds pushes back: quiet hours, storm shields and mutes.
import { type Static, Type } from 'typebox'
import { closed, Nullable, OneOf, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { Recurrence } from './schedules.ts'

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export const PASSING_LEVELS = ['time-sensitive', 'critical'] as const

export const TimeOfDay = Type.String({
  title: 'TimeOfDay',
  pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'a time of day such as 07:00, from 00:00 to 23:59',
  examples: ['22:00'],
})

export const QuietWindow = Type.Object(
  {
    days: Type.Array(OneOf(WEEKDAYS), {
      minItems: 1,
      maxItems: WEEKDAYS.length,
      uniqueItems: true,
      description: 'the days on which the window begins',
    }),
    from: TimeOfDay,
    to: TimeOfDay,
  },
  { ...closed, title: 'QuietWindow', description: 'A `to` that is not after `from` is that of the next day.' },
)
export type QuietWindow = Static<typeof QuietWindow>

const MEMBERS = {
  timezone: Recurrence.properties.timezone,
  windows: Type.Array(QuietWindow, { maxItems: LIMITS.quietHours.maxWindows }),
}
const passes = OneOf(PASSING_LEVELS, 'the lowest level that is pushed all the same')
const digest = Type.Boolean({ description: 'whether a push at the end tells what was held and is still unread' })

export const QuietHoursInput = Type.Object(
  {
    ...MEMBERS,
    passes: Type.Optional(Type.Unsafe<(typeof PASSING_LEVELS)[number]>({ ...passes, default: 'time-sensitive' })),
    digest: Type.Optional(Type.Unsafe<boolean>({ ...digest, default: true })),
  },
  {
    ...closed,
    title: 'QuietHoursInput',
    examples: [
      {
        timezone: 'Europe/Berlin',
        windows: [
          { days: ['mon', 'tue', 'wed', 'thu', 'sun'], from: '22:00', to: '07:00' },
          { days: ['fri', 'sat'], from: '23:30', to: '09:00' },
        ],
      },
    ],
  },
)
export type QuietHoursInput = Static<typeof QuietHoursInput>

export const QuietUntilInput = Type.Object(
  {
    until: Type.String({
      format: 'date-time',
      description: `a time in the future, at most ${LIMITS.quietHours.maxUntilDays} days ahead`,
    }),
  },
  { ...closed, title: 'QuietUntilInput', examples: [{ until: '2026-11-20T08:00:00Z' }] },
)
export type QuietUntilInput = Static<typeof QuietUntilInput>

export const QuietHoursView = Type.Object(
  {
    ...MEMBERS,
    passes,
    digest,
    until: Type.Optional(Timestamp),
    quiet_until: Type.Optional(Timestamp),
  },
  {
    title: 'QuietHours',
    description:
      'Without quiet hours `windows` is empty. `until`: the end of "do not disturb until". `quiet_until`: it is quiet now, and until then.',
  },
)
export type QuietHoursView = Static<typeof QuietHoursView>

// Storm shields: how many pushes a minute a key or a hook may cause.
const { min, max } = LIMITS.storm.pushesPerMinute

export const StormShield = Type.Object(
  { pushes_per_minute: Type.Integer({ minimum: min, maximum: max }) },
  {
    ...closed,
    title: 'StormShield',
    description:
      'Messages beyond it within a minute are stored and not pushed (`delivery` `none`, `reason` `storm`), and cost no quota; a push at most once a minute tells how many.',
  },
)
export type StormShield = Static<typeof StormShield>

// null: no limit.
export const StormShieldInput = Nullable(StormShield)

// Mutes: what a person does not want to be pushed for a while.
const TARGETS = {
  source: Type.Optional(Text(LIMITS.notification.maxSourceChars, { minLength: 1 })),
  thread_id: Type.Optional(Text(LIMITS.notification.maxThreadIdChars, { minLength: 1 })),
  key_id: Type.Optional(Text(LIMITS.path.maxIdChars, { minLength: 1, description: 'an integration key' })),
}

// domain/holds/hold.ts requires exactly one of the targets.
export const MuteInput = Type.Object(
  {
    ...TARGETS,
    until: Type.String({
      format: 'date-time',
      description: `a time in the future, at most ${LIMITS.mute.maxDays} days ahead`,
    }),
  },
  {
    ...closed,
    title: 'MuteInput',
    description: 'Exactly one of source, thread_id and key_id.',
    examples: [{ source: 'ci', until: '2026-11-20T08:00:00Z' }],
  },
)
export type MuteInput = Static<typeof MuteInput>

export const MuteView = Type.Object(
  { id: Type.String(), ...TARGETS, until: Timestamp, created_at: Timestamp },
  { title: 'Mute' },
)
export type MuteView = Static<typeof MuteView>

export const MuteParams = Type.Object({ mute_id: Type.String({ description: 'The id of the mute.' }) })
