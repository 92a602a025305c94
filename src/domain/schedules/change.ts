// Changes of a pending schedule: its content, its times, and pausing it.
import { Problem } from '../../contract/problems.ts'
import type { SchedulePatch } from '../../contract/schedules.ts'
import { type Instant, toRfc3339 } from '../instant.ts'
import type { IncomingNotification } from '../notifications/notification.ts'
import { invalidSchedule, nextSendAt, planSchedule, type Schedule, type SchedulePlan } from './schedule.ts'

export function requirePending(schedule: Schedule | undefined): asserts schedule is Schedule {
  if (schedule?.status === 'scheduled') return
  throw new Problem(
    'scheduled_notification.not_pending',
    'This schedule has been sent, has failed or was canceled; create a new one.',
  )
}

export function changedSchedule(
  schedule: Schedule,
  { paused = schedule.isPaused, send_at, recurrence, ...content }: SchedulePatch,
  now: Instant,
): Schedule {
  const input = withMembers(schedule.input, content)
  const times = isTimed({ send_at, recurrence })
    ? planAnew(schedule, { send_at, recurrence }, now)
    : { recurrence: schedule.recurrence, sendAt: paused ? schedule.sendAt : resumedAt(schedule, now) }
  return { ...schedule, ...times, input, isPaused: paused }
}

type Timing = Pick<SchedulePatch, 'send_at' | 'recurrence'>

const isTimed = ({ send_at, recurrence }: Timing): boolean => send_at !== undefined || recurrence !== undefined

// A member that is sent replaces the stored one; null removes it.
function withMembers(input: IncomingNotification, patch: object): IncomingNotification {
  const members = Object.entries({ ...input, ...patch }).filter(([, value]) => value !== null)
  return Object.fromEntries(members) as IncomingNotification
}

// A series keeps its number of sends. One that becomes a single send keeps its next time unless another one is given.
function planAnew(schedule: Schedule, patch: Timing, now: Instant): Pick<SchedulePlan, 'recurrence' | 'sendAt'> {
  const recurrence = (patch.recurrence === undefined ? schedule.recurrence : patch.recurrence) ?? undefined
  const kept = patch.send_at === undefined && !recurrence ? toRfc3339(schedule.sendAt) : undefined
  const { sendAt } = planSchedule({ send_at: patch.send_at ?? kept, recurrence }, now)
  if (recurrence?.count !== undefined && recurrence.count <= schedule.occurrence) {
    const message = `must be more than the ${schedule.occurrence} sends so far`
    throw invalidSchedule([{ location: 'body.recurrence.count', message }])
  }
  return { recurrence: recurrence ?? null, sendAt }
}

// What fell due during the pause is not sent. One that is due and was not paused is about to be sent.
function resumedAt({ isPaused, sendAt, recurrence }: Schedule, now: Instant): Instant {
  if (!isPaused || sendAt > now) return sendAt
  const next = recurrence ? nextSendAt(recurrence, now) : undefined
  if (next !== undefined) return next
  const message = `passed during the pause, at ${toRfc3339(sendAt)}; send a new one`
  throw invalidSchedule([{ location: 'body.send_at', message }])
}
