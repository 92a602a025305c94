// A heartbeat: what a request may set, and when its next success is due.
import { Type } from 'typebox'
import { type HEARTBEAT_STATUSES, HeartbeatInput, type HeartbeatPatch } from '../../contract/heartbeats.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { NotificationInput } from '../../contract/notifications/notification.ts'
import type { Target } from '../../contract/organizations/target.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import { compileCheck, inOneSentence } from '../../contract/validation.ts'
import type { WidgetContent } from '../../contract/widgets.ts'
import type { UserId } from '../caller.ts'
import type { TargetIds } from '../ids.ts'
import { type Instant, instant, plusSeconds } from '../instant.ts'
import { mergePatch } from '../merge-patch.ts'
import type { NotificationId } from '../notifications/notification.ts'
import { nextMatch, type Pattern, patternFault } from '../schedules/recurrence.ts'
import { findTimeZone } from '../schedules/wall-clock.ts'

export type HeartbeatId = string & { readonly of: 'heartbeat' }
// The end of the ping address. A UUID, because clients of healthchecks.io check for one.
export type PingToken = string & { readonly of: 'ping address' }
// The secret of an account in addresses that end in the slug of a heartbeat.
export type PingKey = string & { readonly of: 'ping key' }
export type HeartbeatStatus = (typeof HEARTBEAT_STATUSES)[number]

// A client's document with the defaults applied: it keeps its wire names.
export type HeartbeatSettings = {
  name: string
  every_seconds?: number
  cron?: string
  timezone?: string
  grace_seconds: number
  max_run_seconds?: number
  level: NonNullable<NotificationInput['level']>
  acknowledge?: NonNullable<NotificationInput['acknowledge']>
  tags?: string[]
  url?: string
  sound?: string
  target?: Target
  widget: boolean
}

// A run that has started and not ended. `rid`: '' if its pings have none. `firstAt`: of the first start if the run was
// started again without an end, by which it is judged; its duration counts from `at`.
export type Run = { rid: string; at: Instant; firstAt?: Instant }

export type Heartbeat = {
  id: HeartbeatId
  userId: UserId
  slug: string
  token: PingToken
  settings: HeartbeatSettings
  // The ids behind the names of `settings.target`. Only on heartbeats of organizations.
  targetIds: TargetIds | null
  status: HeartbeatStatus
  lastPingAt: Instant | null
  lastSuccessAt: Instant | null
  lastDurationMs: number | null
  // When the next success is due; null before the first success and while it is down.
  dueAt: Instant | null
  // Oldest first, by their first starts.
  runs: Run[]
  // When the oldest run must have ended; null if there is none.
  runUntil: Instant | null
  downSince: Instant | null
  // The notification of the last alert.
  alertId: NotificationId | null
  // The number of pings so far.
  pings: number
  // The minute of the last ping, and the pings in it: the limit counts in the row that a ping changes anyway.
  minuteStart: Instant
  minutePings: number
  createdAt: Instant
  updatedAt: Instant
}

// What a request sets, in its wire form.
type SentSettings = Omit<HeartbeatInput, 'slug'>

// `/heartbeats/ping-key/roll` is that of the ping key.
const RESERVED_SLUG = 'ping-key'

// As a ping makes it: healthchecks.io has the same times.
const CREATED_BY_PING = { every_seconds: 86_400, grace_seconds: 3600 }

export const settingsByPing = (slug: string): HeartbeatSettings =>
  newSettings({ slug, name: [...slug].slice(0, LIMITS.heartbeat.maxNameChars).join(''), ...CREATED_BY_PING })

export function newSettings({ slug, ...input }: HeartbeatInput): HeartbeatSettings {
  if (slug === RESERVED_SLUG) throw invalidHeartbeat([{ location: 'body.slug', message: 'is reserved' }])
  return checkedSettings(slug, mergePatch({}, input) as SentSettings)
}

const checkShape = compileCheck(Type.Omit(HeartbeatInput, ['slug']), 'body')

// The merge can produce a shape that neither the stored settings nor the patch had.
export function patchedSettings({ slug, settings }: Heartbeat, patch: HeartbeatPatch): HeartbeatSettings {
  const merged = mergePatch(settings, patch) as SentSettings
  const violations = checkShape(merged)
  if (violations.length > 0) throw invalidHeartbeat(violations)
  return checkedSettings(slug, merged)
}

function checkedSettings(slug: string, document: SentSettings): HeartbeatSettings {
  const errors = [...timingViolations(document), ...widgetViolations(slug, document)]
  if (errors.length > 0) throw invalidHeartbeat(errors)
  const { acknowledge, target, url, sound, tags, ...rest } = document
  return {
    ...rest,
    grace_seconds: rest.grace_seconds ?? LIMITS.heartbeat.graceSeconds.default,
    level: rest.level ?? 'time-sensitive',
    widget: rest.widget ?? false,
    ...(acknowledge && { acknowledge }),
    ...(target && { target }),
    ...(url && { url }),
    ...(sound && { sound }),
    ...(tags && tags.length > 0 && { tags }),
  }
}

function timingViolations({ every_seconds, cron, timezone }: SentSettings): Violation[] {
  if (cron === undefined && timezone === undefined) {
    const message = 'is required unless cron and timezone are set'
    return every_seconds === undefined ? [{ location: 'body.every_seconds', message }] : []
  }
  if (every_seconds !== undefined) {
    return [{ location: 'body.every_seconds', message: 'cannot be set together with cron and timezone' }]
  }
  return [...cronViolations(cron), ...timezoneViolations(timezone)]
}

function cronViolations(cron: string | undefined): Violation[] {
  const location = 'body.cron'
  if (cron === undefined) return [{ location, message: 'is required with timezone' }]
  const message = patternFault(cron)
  return message === undefined ? [] : [{ location, message, value: cron }]
}

function timezoneViolations(timezone: string | undefined): Violation[] {
  const location = 'body.timezone'
  if (timezone === undefined) return [{ location, message: 'is required with cron' }]
  if (findTimeZone(timezone) !== undefined) return []
  return [{ location, message: 'must be the IANA name of a time zone, such as Europe/Berlin', value: timezone }]
}

export const widgetSlug = (slug: string): string => `hb-${slug}`

function widgetViolations(slug: string, { widget }: SentSettings): Violation[] {
  if (!widget || widgetSlug(slug).length <= LIMITS.slug.maxChars) return []
  const most = LIMITS.slug.maxChars - widgetSlug('').length
  return [{ location: 'body.slug', message: `must have at most ${most} characters for a heartbeat with a widget` }]
}

export const invalidHeartbeat = (errors: Violation[]) =>
  new Problem('heartbeat.invalid', inOneSentence(errors), { errors })

const patternOf = ({ cron = '', timezone = '' }: HeartbeatSettings): Pattern => ({ cron, timezone })

// When a success is due that follows one at this time.
export function dueAfter(settings: HeartbeatSettings, at: Instant): Instant {
  if (settings.every_seconds !== undefined) return plusSeconds(at, settings.every_seconds)
  // Every accepted pattern has a next time: patternFault refuses dates that never come.
  return nextMatch(patternOf(settings), at) ?? instant(Number.MAX_SAFE_INTEGER)
}

export const longestRunSeconds = ({ max_run_seconds, grace_seconds }: HeartbeatSettings): number =>
  max_run_seconds ?? grace_seconds

// The widget that shows the status of a heartbeat.
type Shown = Required<Pick<WidgetContent, 'label' | 'severity'>>

const SHOWN: Record<HeartbeatStatus, Shown> = {
  new: { label: 'Waiting for the first ping', severity: 'info' },
  up: { label: 'Up', severity: 'success' },
  started: { label: 'Running', severity: 'info' },
  late: { label: 'Late', severity: 'warning' },
  down: { label: 'Down', severity: 'critical' },
  paused: { label: 'Paused', severity: 'info' },
}

export const statusContent = ({ status }: Heartbeat): WidgetContent => ({ template: 'status', ...SHOWN[status] })
