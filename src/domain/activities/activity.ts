// An activity: its state, and how a request changes it.
//
//   ended ──start──▶ ongoing ──end──▶ ended          preempted ──start──▶ ongoing
//                      └──a sixth one starts──▶ preempted
import { ACTIVITY_STATES, type ActivityPatch, type SOUNDS } from '../../contract/activities.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import { excerpt } from '../../contract/validation.ts'
import type { UserId } from '../caller.ts'
import type { OrgId } from '../ids.ts'
import { type Instant, instant, later, plusSeconds } from '../instant.ts'
import type { ActivityTarget } from '../organizations/activity-target.ts'
import { endedContent, patchedActivityContent } from './content.ts'
import { asksAgain, newRound, questionOf } from './templates/approval.ts'
import type { ActivityContent } from './templates/content.ts'

export type ActivityId = string & { readonly of: 'activity' }
export type ActivityState = (typeof ACTIVITY_STATES)[number]
export type Sound = (typeof SOUNDS)[number]

export type Activity = {
  id: ActivityId
  userId: UserId
  slug: string
  name: string
  state: ActivityState
  // When the current state began; an ongoing activity ends eight hours later.
  stateAt: Instant
  // The number of starts. A device that shows an earlier run does not show this one.
  startCount: number
  priority: number
  content: ActivityContent
  endedTtlSeconds: number | null
  staleTtlSeconds: number | null
  dismissalTtlSeconds: number | null
  // When it ended for the first time.
  endedAt: Instant | null
  deleteAt: Instant | null
  createdAt: Instant
  // Moves with every change; devices are brought up to this version.
  updatedAt: Instant
  // The last change with a sound.
  alert: { sound: Sound; version: Instant } | null
  // When its tick job is due, see clock.ts.
  tickAt: Instant | null
  // The number of stored records, see operations/activities/records.ts.
  recordCount: number
  // Whom an activity of an organization reaches; null if a person owns it.
  target: ActivityTarget | null
}

export type OrgActivity = Activity & { userId: OrgId; target: ActivityTarget }

export const isOfOrganization = (activity: Activity): activity is OrgActivity => activity.target !== null

export function newActivity(
  fields: Pick<Activity, 'id' | 'userId' | 'slug' | 'name'> & Partial<Activity>,
  now: Instant,
): Activity {
  return {
    state: 'ended',
    stateAt: now,
    startCount: 0,
    priority: 0,
    content: {},
    endedTtlSeconds: null,
    staleTtlSeconds: null,
    dismissalTtlSeconds: null,
    endedAt: null,
    deleteAt: null,
    createdAt: now,
    updatedAt: now,
    alert: null,
    tickAt: null,
    recordCount: 0,
    target: null,
    ...fields,
  }
}

// Rules that no schema can state, checked before any query.
export function validatePatch({ state, priority }: ActivityPatch): void {
  requirePriority(priority)
  requestedState(state)
}

function requestedState(state: string | undefined): 'ongoing' | 'ended' | undefined {
  const wanted = state?.toLowerCase()
  if (wanted === undefined || wanted === 'ongoing' || wanted === 'ended') return wanted
  throw new Problem(
    'activity.state_invalid',
    `The state can be set to ongoing or ended, not to "${excerpt(String(state))}".`,
  )
}

export function requirePriority(priority: number | null | undefined): void {
  if (priority == null || (priority >= 0 && priority <= LIMITS.activity.maxPriority)) return
  throw new Problem('activity.priority_invalid', `The priority is from 0 to ${LIMITS.activity.maxPriority}.`)
}

export function readState(text: string): ActivityState {
  const state = ACTIVITY_STATES.find((known) => known === text.toLowerCase())
  if (state) return state
  throw new Problem(
    'activity.state_invalid',
    `The state is one of ${ACTIVITY_STATES.join(', ')}, not "${excerpt(text)}".`,
  )
}

export function patchedActivity(current: Activity, patch: ActivityPatch, now: Instant): Activity {
  const state = requestedState(patch.state)
  if (current.state === 'preempted' && state === undefined) {
    throw new Problem(
      'activity.state_invalid',
      `"${current.slug}" was preempted; send a state with the change, ongoing to start it again.`,
    )
  }
  const wantsStart = state === 'ongoing' && current.state !== 'ongoing'
  const merged =
    patch.content || wantsStart ? patchedActivityContent(current.content, patch.content ?? {}, now) : current.content
  const isAskedAgain = wantsStart && asksAgain(current.content, merged, patch.content)
  const content = isAskedAgain ? newRound(merged) : merged
  const starts = wantsStart && !questionOf(content)?.answer
  const changed: Activity = {
    ...current,
    content,
    priority: patch.priority ?? current.priority,
    endedTtlSeconds: patch.ended_ttl === undefined ? current.endedTtlSeconds : patch.ended_ttl,
    staleTtlSeconds: patch.stale_ttl === undefined ? current.staleTtlSeconds : patch.stale_ttl,
    dismissalTtlSeconds: patch.dismissal_ttl === undefined ? current.dismissalTtlSeconds : patch.dismissal_ttl,
  }
  const touched = withSound(touch(changed, now), patch.sound)
  if (starts) return started(touched, now)
  return state === 'ended' && current.state !== 'ended' ? ended(touched, now) : withDeletion(touched)
}

// Every change moves updated_at, even within one millisecond, and even one that changes nothing.
export function touch(activity: Activity, now: Instant): Activity {
  return { ...activity, updatedAt: later(now, instant(activity.updatedAt + 1)) }
}

export function ended(activity: Activity, now: Instant): Activity {
  return withDeletion({
    ...activity,
    state: 'ended',
    stateAt: now,
    endedAt: activity.endedAt ?? now,
    content: endedContent(activity.content),
  })
}

export function preempted(activity: Activity, now: Instant): Activity {
  return { ...touch(activity, now), state: 'preempted', stateAt: now }
}

function started(activity: Activity, now: Instant): Activity {
  return { ...activity, state: 'ongoing', stateAt: now, startCount: activity.startCount + 1, deleteAt: null }
}

export function withDeletion(activity: Activity): Activity {
  const { state, stateAt, endedTtlSeconds } = activity
  // An activity that has never run has no end to count from.
  const counts = state === 'ended' && activity.endedAt !== null && endedTtlSeconds !== null
  return { ...activity, deleteAt: counts ? plusSeconds(stateAt, endedTtlSeconds) : null }
}

function withSound(activity: Activity, sound: Sound | '' | null | undefined): Activity {
  return sound ? { ...activity, alert: { sound, version: activity.updatedAt } } : activity
}

export const wouldStart = ({ state }: ActivityPatch): boolean => requestedState(state) === 'ongoing'

// The push that a change causes, if any. Each counts one unit of the quota.
export type ActivityPushEvent = 'start' | 'update' | 'end'

export function pushEventOf(before: Activity, after: Activity): ActivityPushEvent | undefined {
  if (after.state === 'ongoing') return before.state === 'ongoing' ? 'update' : 'start'
  return before.state === 'ongoing' ? 'end' : undefined
}

// The order of preemption: lowest priority first, then least recently updated.
export function byImportance(activities: readonly Activity[]): Activity[] {
  return activities.toSorted((a, b) => a.priority - b.priority || a.updatedAt - b.updatedAt)
}
