// The timed changes of an activity: its template's timer, staleness, the platform's limit of eight hours, and its
// deletion. Each is computed from the current row, so a job that runs too early finds nothing to do.
import { LIMITS } from '../../contract/limits.ts'
import { type Instant, instant, plusSeconds } from '../instant.ts'
import { type Activity, ended, touch } from './activity.ts'
import { templateFor } from './templates/templates.ts'

export function nextTickAt(activity: Activity): Instant | undefined {
  if (activity.state !== 'ongoing') return activity.deleteAt ?? undefined
  const moments = [templateDueAt(activity), staleAt(activity), longestAt(activity)]
  return instant(Math.min(...moments.filter((moment) => moment !== undefined)))
}

export type Tick = { kind: 'nothing' } | { kind: 'delete' } | { kind: 'change'; activity: Activity }

// The first change that is due. The caller looks again after it.
export function tick(activity: Activity, now: Instant): Tick {
  const dueAt = nextTickAt(activity)
  if (dueAt === undefined || dueAt > now) return { kind: 'nothing' }
  if (activity.state !== 'ongoing') return { kind: 'delete' }
  const touched = touch(activity, now)
  if (dueAt === templateDueAt(activity)) return { kind: 'change', activity: fired(touched, now) }
  const isStale = dueAt === staleAt(activity)
  return { kind: 'change', activity: ended(isStale ? { ...touched, content: staleContent(touched) } : touched, now) }
}

// From then on devices show it as out of date.
export function staleAt({
  staleTtlSeconds,
  updatedAt,
}: Pick<Activity, 'staleTtlSeconds' | 'updatedAt'>): Instant | undefined {
  return staleTtlSeconds === null ? undefined : plusSeconds(updatedAt, staleTtlSeconds)
}

const longestAt = ({ stateAt }: Activity): Instant => plusSeconds(stateAt, LIMITS.activity.maxOngoingSeconds)

const templateDueAt = ({ content }: Activity): Instant | undefined => templateFor(content)?.timer?.dueAt(content)

function fired(activity: Activity, now: Instant): Activity {
  const result = templateFor(activity.content)?.timer?.fire(activity.content, now)
  if (!result) return activity
  const { content, isOver } = result
  if (!isOver) return { ...activity, content }
  // An alarm has a sound.
  const alert = content.alarm ? { sound: 'alert' as const, version: activity.updatedAt } : activity.alert
  return ended({ ...activity, content, alert }, now)
}

const staleContent = ({ content }: Activity) => ({
  ...content,
  state: 'Stale (auto-ended)',
  accent_color: '#8E8E93',
  icon: 'clock.badge.xmark',
})
