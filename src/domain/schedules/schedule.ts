// A schedule: what a request may plan, when it is sent, and how a series continues after a send.
import type { ScheduleId } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import type { FAILURE_REASONS, Recurrence, SCHEDULE_STATUSES, ScheduleInput } from '../../contract/schedules.ts'
import { inOneSentence } from '../../contract/validation.ts'
import type { KeyId, UserId } from '../caller.ts'
import type { TargetIds } from '../ids.ts'
import { DAY_SECONDS, fromRfc3339, type Instant, instant, plusSeconds, toRfc3339 } from '../instant.ts'
import type { Delivery } from '../notifications/delivery.ts'
import type { IncomingNotification, NotificationId } from '../notifications/notification.ts'
import { cronFault, nextMatch } from './recurrence.ts'
import { findTimeZone } from './wall-clock.ts'

export type { ScheduleId }

export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number]
export type FailureReason = (typeof FAILURE_REASONS)[number]

export type Schedule = {
  id: ScheduleId
  userId: UserId
  keyId: KeyId | null
  // Clients' documents: both keep their wire names.
  input: IncomingNotification
  recurrence: Recurrence | null
  status: ScheduleStatus
  sendAt: Instant
  // The number of sends of the series so far.
  occurrence: number
  createdAt: Instant
  lastSentAt: Instant | null
  notificationId: NotificationId | null
  sentAt: Instant | null
  delivery: Delivery | null
  failureReason: FailureReason | null
  canceledAt: Instant | null
  isPaused: boolean
  // The ids behind the names of `input.target`, in their order. Only on schedules of organizations.
  targetIds: TargetIds | null
}

export type IncomingSchedule = ScheduleInput & IncomingNotification

export type SchedulePlan = Pick<Schedule, 'input' | 'recurrence' | 'sendAt'>

export function planSchedule({ send_at, recurrence, ...input }: IncomingSchedule, now: Instant): SchedulePlan {
  const startAt = send_at === undefined ? undefined : fromRfc3339(send_at)
  const errors = [
    ...(startAt === undefined ? [] : startViolations(startAt, now)),
    ...(recurrence === undefined ? [] : recurrenceViolations(recurrence)),
  ]
  if (send_at === undefined && recurrence === undefined) {
    errors.push({ location: 'body.send_at', message: 'is required unless recurrence is sent' })
  }
  if (errors.length > 0) throw invalidSchedule(errors)
  const sendAt = recurrence === undefined ? startAt : firstSendAt(recurrence, startAt ?? now)
  if (sendAt === undefined)
    throw invalidSchedule([{ location: 'body.recurrence.until', message: 'is before the first send' }])
  return { input, recurrence: recurrence ?? null, sendAt }
}

// The next time of a series: the first match after the given time that `until` allows.
export function nextSendAt(recurrence: Recurrence, after: Instant): Instant | undefined {
  const next = nextMatch(recurrence, after)
  return next !== undefined && next <= lastMomentOf(recurrence) ? next : undefined
}

export function nextSendTimes({ recurrence, sendAt }: SchedulePlan, count: number): Instant[] {
  if (recurrence === null) return [sendAt]
  const times: Instant[] = []
  const most = Math.min(count, recurrence.count ?? count)
  for (let at: Instant | undefined = sendAt; at !== undefined && times.length < most; at = nextSendAt(recurrence, at)) {
    times.push(at)
  }
  return times
}

export type Due = { dueAt: Instant; skipped: number }

// After downtime, a series sends the most recent of the missed times once. The others are counted, up to a bound.
export function dueNow({ recurrence, sendAt }: SchedulePlan, now: Instant): Due {
  if (recurrence === null) return { dueAt: sendAt, skipped: 0 }
  const dueAt = latestMatch(recurrence, sendAt, instant(Math.min(now, lastMomentOf(recurrence))))
  let skipped = 0
  for (let at = sendAt; at < dueAt && skipped < SKIPPED_COUNTED; at = nextMatch(recurrence, at) ?? dueAt) skipped++
  return { dueAt, skipped }
}

export const SKIPPED_COUNTED = 100

// The schedule after a send, or after a time that was skipped because the quota was used up.
export function afterSend(schedule: Schedule, now: Instant, sent?: { notificationId: NotificationId }): Schedule {
  const { recurrence, sendAt } = schedule
  const occurrence = schedule.occurrence + (sent ? 1 : 0)
  const isComplete = recurrence === null || occurrence === recurrence.count
  // A clock that was set back must not repeat a time.
  const next = isComplete ? undefined : nextSendAt(recurrence, instant(Math.max(now, sendAt)))
  const moved = { ...schedule, ...sent, occurrence, lastSentAt: sent ? now : schedule.lastSentAt }
  if (next !== undefined) return { ...moved, sendAt: next }
  if (occurrence === 0 && !sent) return { ...moved, status: 'failed', failureReason: 'quota_exceeded' }
  return { ...moved, status: 'sent', sentAt: moved.lastSentAt }
}

// Bisection: a year of downtime takes a few dozen steps for any pattern.
function latestMatch(recurrence: Recurrence, from: Instant, now: Instant): Instant {
  let [latest, before] = [from, now]
  while (before - latest > 60_000) {
    const middle = instant(Math.floor((latest + before) / 2))
    const next = nextMatch(recurrence, middle)
    if (next !== undefined && next <= now) latest = next
    else before = middle
  }
  return latest
}

// `until` is inclusive.
const lastMomentOf = ({ until }: Recurrence): number => (until === undefined ? Infinity : fromRfc3339(until))

const firstSendAt = (recurrence: Recurrence, startAt: Instant) => nextSendAt(recurrence, instant(startAt - 1))

function startViolations(startAt: Instant, now: Instant): Violation[] {
  const location = 'body.send_at'
  if (startAt <= now) return [{ location, message: `must be in the future; it is ${toRfc3339(now)} now` }]
  if (startAt <= plusSeconds(now, LIMITS.schedule.horizonDays * DAY_SECONDS)) return []
  return [{ location, message: `must be at most ${LIMITS.schedule.horizonDays} days ahead` }]
}

function recurrenceViolations({ cron, timezone, until, count }: Recurrence): Violation[] {
  const violations: Violation[] = []
  const fault = cronFault(cron)
  if (fault !== undefined) violations.push({ location: 'body.recurrence.cron', message: fault, value: cron })
  if (findTimeZone(timezone) === undefined) {
    const message = 'must be the IANA name of a time zone, such as Europe/Berlin'
    violations.push({ location: 'body.recurrence.timezone', message, value: timezone })
  }
  if (until !== undefined && count !== undefined) {
    violations.push({ location: 'body.recurrence.until', message: 'and count cannot be sent together' })
  }
  return violations
}

export const invalidSchedule = (errors: Violation[]) =>
  new Problem('scheduled_notification.invalid', inOneSentence(errors), { errors })
