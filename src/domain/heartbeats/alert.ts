// The words of the notifications that a heartbeat sends.
import { LIMITS } from '../../contract/limits.ts'
import type { Instant } from '../instant.ts'
import type { IncomingNotification } from '../notifications/notification.ts'
import { findTimeZone, toWallTime } from '../schedules/wall-clock.ts'
import { type Heartbeat, type HeartbeatSettings, longestRunSeconds } from './heartbeat.ts'
import type { DownCause, Told } from './judging.ts'

// By which the alert and the news of its end are one banner, and people mute all heartbeats.
const SOURCE = { source: 'heartbeats', source_display_name: 'Heartbeats' }

// The alert. A heartbeat is validated by it, too.
export function downNotification(heartbeat: Alerting, cause: DownCause): IncomingNotification {
  const { name, level, url, sound, acknowledge, tags } = heartbeat.settings
  return {
    ...common(heartbeat),
    title: `${name} is down`,
    body: withEndOf(expectation(heartbeat, cause), cause.kind === 'failed' ? cause.body : ''),
    level,
    ...(url && { url }),
    ...(sound && { sound }),
    ...(acknowledge && { acknowledge }),
    ...(tags && { tags }),
  }
}

function upNotification(heartbeat: Alerting, downSince: Instant, now: Instant): IncomingNotification {
  const { name, url } = heartbeat.settings
  return {
    ...common(heartbeat),
    title: `${name} is up again, down for ${inWords(now - downSince)}`,
    body: `It was down since ${timeOf(heartbeat.settings, downSince)}.`,
    level: 'passive',
    ...(url && { url }),
  }
}

export const notificationOf = (heartbeat: Alerting, told: Told, now: Instant): IncomingNotification =>
  told.kind === 'down' ? downNotification(heartbeat, told.cause) : upNotification(heartbeat, told.downSince, now)

type Alerting = Pick<Heartbeat, 'id' | 'settings' | 'lastSuccessAt'>

function common({ id }: Alerting): IncomingNotification {
  const thread = `hb-${id}`
  return { ...SOURCE, thread_id: thread, collapse_id: thread }
}

function expectation({ settings, lastSuccessAt }: Alerting, cause: DownCause): string {
  const seen = lastSuccessAt === null ? 'it has never succeeded' : `last success ${timeOf(settings, lastSuccessAt)}`
  switch (cause.kind) {
    case 'missed':
      return `Expected a ping by ${timeOf(settings, cause.dueAt)}; ${seen}.`
    case 'failed': {
      const what = cause.exitStatus === undefined ? 'a failure' : `exit status ${cause.exitStatus}`
      return `Expected a success, got ${what}; ${seen}.`
    }
    case 'hung': {
      if (cause.startedAt === undefined) return `It started and did not finish; ${seen}.`
      const limit = inWords(longestRunSeconds(settings) * 1000)
      return `It started at ${timeOf(settings, cause.startedAt)} and did not finish within ${limit}; ${seen}.`
    }
  }
}

const MOST_SHOWN_CHARS = 1000

function withEndOf(sentence: string, body: string): string {
  const characters = [...body.trim()]
  if (characters.length === 0) return sentence
  const end = characters.slice(-MOST_SHOWN_CHARS).join('')
  const shown = characters.length > MOST_SHOWN_CHARS ? `…${end}` : end
  return [...`${sentence}\n\n${shown}`].slice(0, LIMITS.notification.maxBodyChars).join('')
}

// In the time zone of the heartbeat, to the minute: 2026-11-16 03:00 (Europe/Berlin).
function timeOf({ timezone = 'UTC' }: HeartbeatSettings, at: Instant): string {
  const wall = toWallTime(at, findTimeZone(timezone) ?? 'UTC')
  const text = new Date(wall).toISOString().slice(0, 16).replace('T', ' ')
  return timezone === 'UTC' ? `${text} UTC` : `${text} (${timezone})`
}

const UNITS = [
  { unit: 'd', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
]

// The two largest units, such as 2 d 3 h; less than a minute is a minute.
function inWords(ms: number): string {
  let left = Math.max(Math.round(ms / 60_000), 1) * 60_000
  const parts = UNITS.flatMap(({ unit, ms: size }) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? [`${count} ${unit}`] : []
  })
  return parts.slice(0, 2).join(' ')
}
