// What the apps of other services show of an activity: one message, which is updated in place and not too often. A change with a
// sound, and an alert that becomes critical, ring: they are a new message, and the one before is removed.
import { type Instant, plusSeconds } from '../instant.ts'
import type { Activity } from './activity.ts'
import { questionOf } from './templates/approval.ts'

export type ShowingApp = 'ntfy' | 'bark'

export type ShowHow = 'start' | 'update' | 'ring' | 'end'

// `count`: rings so far, which names the message. `step`: counts what was shown. `shownInHour`: of `hour`. `pendingHow`: it is
// being pushed, by the job `pendingJob`.
export type AppShow = {
  run: number
  count: number
  step: number
  version: Instant
  shownAt: Instant
  endedAt: Instant | null
  isCritical: boolean
  hour: number
  shownInHour: number
  pendingJob: number | null
  pendingHow: ShowHow | null
}

export type ShowStep =
  | { kind: 'nothing' }
  | { kind: 'wait'; until: Instant }
  | { kind: 'remove' }
  // `removes`: the message before had another name.
  | { kind: 'show'; how: ShowHow; show: AppShow; removes: boolean }

const PACES: Record<ShowingApp, { everySeconds: number; perHour: number }> = {
  ntfy: { everySeconds: 15, perHour: 240 },
  bark: { everySeconds: 60, perHour: 30 },
}

const DISMISSED_AFTER_SECONDS = 600
const HOUR_MS = 3_600_000

// `activity`: undefined if it is deleted, or must not be shown any more.
export function nextShow(
  activity: Activity | undefined,
  before: AppShow | undefined,
  app: ShowingApp,
  now: Instant,
): ShowStep {
  if (!activity || activity.state === 'preempted') return before ? { kind: 'remove' } : { kind: 'nothing' }
  const isSameRun = before?.run === activity.startCount
  if (activity.state === 'ended') return before && isSameRun ? ending(activity, before, now) : withdrawn(before)
  if (!before || !isSameRun) return shown(activity, before, 'start', now)
  if (before.version >= activity.updatedAt) return { kind: 'nothing' }
  if (rings(activity, before)) return shown(activity, before, 'ring', now)
  const until = freeAt(before, app, now)
  return until > now ? { kind: 'wait', until } : shown(activity, before, 'update', now)
}

// For a job whose process died before its push had ended. The newest state is shown, and rings if that one was to ring.
export function resumedShow(
  activity: Activity | undefined,
  before: AppShow & { pendingHow: ShowHow },
  next: ShowStep,
): ShowStep {
  const { pendingHow: how } = before
  if (next.kind === 'remove' || !activity) return next
  if (next.kind === 'show') return next.how === 'update' ? { ...next, how } : next
  const show = { ...before, version: activity.updatedAt, isCritical: isCritical(activity) }
  return { kind: 'show', how, show, removes: false }
}

const withdrawn = (before: AppShow | undefined): ShowStep => (before ? { kind: 'remove' } : { kind: 'nothing' })

// A question that is settled is of no use to anyone.
function ending(activity: Activity, before: AppShow, now: Instant): ShowStep {
  const seconds = questionOf(activity.content) ? 0 : (activity.dismissalTtlSeconds ?? DISMISSED_AFTER_SECONDS)
  if (before.endedAt === null && seconds > 0) return shown(activity, before, 'end', now)
  const until = plusSeconds(before.endedAt ?? now, seconds)
  return until > now ? { kind: 'wait', until } : { kind: 'remove' }
}

const isCritical = ({ content }: Activity): boolean => content.template === 'alert' && content.severity === 'critical'

const rings = (activity: Activity, { version, isCritical: wasCritical }: AppShow): boolean =>
  (activity.alert !== null && activity.alert.version > version) || (isCritical(activity) && !wasCritical)

function freeAt({ shownAt, hour, shownInHour }: AppShow, app: ShowingApp, now: Instant): Instant {
  const { everySeconds, perHour } = PACES[app]
  const isSpent = hour === hourOf(now) && shownInHour >= perHour
  return isSpent ? (((hourOf(now) + 1) * HOUR_MS) as Instant) : plusSeconds(shownAt, everySeconds)
}

const hourOf = (now: Instant): number => Math.floor(now / HOUR_MS)

function shown(activity: Activity, before: AppShow | undefined, how: ShowHow, now: Instant): ShowStep {
  const hour = hourOf(now)
  const isNamedAnew = how === 'start' || how === 'ring'
  const show: AppShow = {
    run: activity.startCount,
    count: how === 'start' ? 0 : (before?.count ?? 0) + (how === 'ring' ? 1 : 0),
    step: (before?.step ?? 0) + 1,
    version: activity.updatedAt,
    shownAt: now,
    endedAt: how === 'end' ? now : null,
    isCritical: isCritical(activity),
    hour,
    shownInHour: before?.hour === hour ? before.shownInHour + 1 : 1,
    pendingJob: null,
    pendingHow: null,
  }
  return { kind: 'show', how, show, removes: isNamedAnew && before !== undefined }
}

// The name of the message in the apps.
export const showName = (activityId: string, { run, count }: Pick<AppShow, 'run' | 'count'>): string =>
  `act-${activityId.replaceAll('-', '')}-${run}${count > 0 ? `-${count}` : ''}`
