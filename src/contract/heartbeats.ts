// Heartbeats: a job, a backup or a device pings an address, and an alert is sent when the pings stop.
import { type Static, Type } from 'typebox'
import { closed, Nullable, OneOf, Slug, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { Acknowledge, Level, NotificationInput } from './notifications/notification.ts'
import { Sound } from './notifications/sound.ts'
import { Target } from './organizations/target.ts'
import { Recurrence } from './schedules.ts'

export const HEARTBEAT_STATUSES = ['new', 'up', 'started', 'late', 'down', 'paused'] as const
export const PING_KINDS = ['success', 'start', 'fail', 'log'] as const

const { everySeconds, graceSeconds, maxRunSeconds, keptPings } = LIMITS.heartbeat

const MEMBERS = {
  name: Text(LIMITS.heartbeat.maxNameChars, { minLength: 1 }),
  every_seconds: Type.Integer({
    minimum: everySeconds.min,
    maximum: everySeconds.max,
    description: 'The longest time between two successes. Either this, or cron with timezone.',
  }),
  cron: Recurrence.properties.cron,
  timezone: Recurrence.properties.timezone,
  grace_seconds: Type.Integer({
    minimum: graceSeconds.min,
    maximum: graceSeconds.max,
    description: `How much later than due a success may come before the alert; ${graceSeconds.default} if left out.`,
  }),
  max_run_seconds: Type.Integer({
    minimum: maxRunSeconds.min,
    maximum: maxRunSeconds.max,
    description: 'How long a run may take from its start to its end; the grace if left out.',
  }),
  level: Type.Unsafe<Static<typeof Level>>({
    ...Level,
    description: 'The level of the alert; time-sensitive if left out.',
  }),
  // The alert repeats until someone acknowledges it, or the heartbeat is up again.
  acknowledge: Acknowledge,
  tags: NotificationInput.properties.tags,
  url: Text(LIMITS.url.maxChars, { description: 'What a tap on the alert opens.' }),
  sound: Type.Unsafe<Static<typeof Sound>>({
    ...Sound,
    description: 'The sound of the alert; see `sound` of a notification.',
  }),
  target: Target,
  widget: Type.Boolean({ description: 'true: the status is kept as the widget `hb-{slug}`. Not for organizations.' }),
}

export const HeartbeatInput = Type.Object(
  {
    slug: Slug,
    name: MEMBERS.name,
    every_seconds: Type.Optional(MEMBERS.every_seconds),
    cron: Type.Optional(MEMBERS.cron),
    timezone: Type.Optional(MEMBERS.timezone),
    grace_seconds: Type.Optional(MEMBERS.grace_seconds),
    max_run_seconds: Type.Optional(MEMBERS.max_run_seconds),
    level: Type.Optional(MEMBERS.level),
    acknowledge: Type.Optional(Nullable(MEMBERS.acknowledge)),
    tags: Type.Optional(MEMBERS.tags),
    url: Type.Optional(MEMBERS.url),
    sound: Type.Optional(MEMBERS.sound),
    target: Type.Optional(Nullable(MEMBERS.target)),
    widget: Type.Optional(MEMBERS.widget),
  },
  {
    ...closed,
    title: 'HeartbeatInput',
    examples: [
      { slug: 'backup', name: 'Nightly backup', cron: '0 3 * * *', timezone: 'Europe/Berlin', grace_seconds: 3600 },
      { slug: 'sensor', name: 'Greenhouse sensor', every_seconds: 600, level: 'critical', acknowledge: {} },
    ],
  },
)
export type HeartbeatInput = Static<typeof HeartbeatInput>

export const HeartbeatPatch = Type.Object(
  {
    name: Type.Optional(MEMBERS.name),
    every_seconds: Type.Optional(Nullable(MEMBERS.every_seconds)),
    cron: Type.Optional(Nullable(MEMBERS.cron)),
    timezone: Type.Optional(Nullable(MEMBERS.timezone)),
    grace_seconds: Type.Optional(Nullable(MEMBERS.grace_seconds)),
    max_run_seconds: Type.Optional(Nullable(MEMBERS.max_run_seconds)),
    level: Type.Optional(Nullable(MEMBERS.level)),
    acknowledge: Type.Optional(Nullable(MEMBERS.acknowledge)),
    tags: Type.Optional(Nullable(MEMBERS.tags)),
    url: Type.Optional(Nullable(MEMBERS.url)),
    sound: Type.Optional(Nullable(MEMBERS.sound)),
    target: Type.Optional(Nullable(MEMBERS.target)),
    widget: Type.Optional(Nullable(MEMBERS.widget)),
  },
  {
    ...closed,
    title: 'HeartbeatPatch',
    description: 'A JSON merge patch (RFC 7396): null removes a member, or sets it to its default.',
    examples: [{ grace_seconds: 900 }, { every_seconds: 86400, cron: null, timezone: null }],
  },
)
export type HeartbeatPatch = Static<typeof HeartbeatPatch>

export const HeartbeatView = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    every_seconds: Type.Optional(Type.Integer()),
    cron: Type.Optional(Type.String()),
    timezone: Type.Optional(Type.String()),
    grace_seconds: Type.Integer(),
    max_run_seconds: Type.Optional(Type.Integer()),
    level: Level,
    acknowledge: Type.Optional(MEMBERS.acknowledge),
    tags: Type.Optional(Type.Array(Type.String())),
    url: Type.Optional(Type.String()),
    sound: Type.Optional(Type.String()),
    target: Type.Optional(Target),
    widget: Type.Boolean(),
    status: OneOf(
      HEARTBEAT_STATUSES,
      'new: never pinged. started: a run has begun and not ended. late: due, within its grace. paused: not judged until a ping or POST …/resume.',
    ),
    last_ping_at: Type.Optional(Timestamp),
    last_duration_ms: Type.Optional(Type.Integer({ description: 'From the start of the last run to its end.' })),
    next_due_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'By when a success, or the end of the run, is expected.' }),
    ),
    ping_url: Type.Optional(
      Type.String({
        description: 'The address to ping. It ends in a secret, so only callers that may change the heartbeat see it.',
        examples: ['https://push.example.org/ping/5bb1ae4f-1f6e-4bd2-9d38-6b1a2d1a5e10'],
      }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Heartbeat' },
)
export type HeartbeatView = Static<typeof HeartbeatView>

const PingKeyText = Type.String({
  description:
    'For addresses by slug: `/ping/{ping_key}/{slug}`, with all forms of a ping. `?create=1` makes a heartbeat of that slug, every day with an hour of grace. A secret, so only callers that may change all heartbeats see it.',
  examples: ['fqOOd6xF4MMNuCEnzTU01w'],
})

export const HeartbeatList = Type.Object(
  { items: Type.Array(HeartbeatView), ping_key: Type.Optional(PingKeyText) },
  { title: 'HeartbeatList' },
)

export const PingKeyView = Type.Object({ ping_key: PingKeyText }, { title: 'PingKey' })

export const PingView = Type.Object(
  {
    at: Timestamp,
    kind: OneOf(PING_KINDS),
    exit_status: Type.Optional(Type.Integer()),
    duration_ms: Type.Optional(Type.Integer({ description: 'From the start of the run that this ping ended.' })),
    body: Type.Optional(Type.String({ description: `The first ${LIMITS.heartbeat.maxKeptBodyBytes} bytes.` })),
    from: Type.String({ description: 'The address that the ping came from.' }),
  },
  { title: 'Ping' },
)
export type PingView = Static<typeof PingView>

export const PingList = Type.Object(
  { items: Type.Array(PingView, { description: `The last ${keptPings}, newest first.` }) },
  { title: 'PingList' },
)

export const HeartbeatParams = Type.Object({ slug: Type.String({ description: 'The slug of the heartbeat.' }) })
