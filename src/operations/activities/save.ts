// Writes a change of an activity, made by a request, a device or the clock. The row, the records of its template, its
// next tick, the events and the push jobs are one transaction.

import type { ActivityEventType } from '../../contract/events/event.ts'
import {
  type Activity,
  byImportance,
  isOfOrganization,
  preempted,
  pushEventOf,
} from '../../domain/activities/activity.ts'
import { nextTickAt } from '../../domain/activities/clock.ts'
import type { ActivityContent } from '../../domain/activities/templates/content.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import type { Caps } from '../../domain/plans.ts'
import { owned, type SeenActivity, type Standing } from '../../domain/shares/standing.ts'
import { approvalTopic, listOngoingForUpdate, updateActivity, updateTarget } from '../../store/activities/activities.ts'
import { listShowingApps } from '../../store/activities/app-shows.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/events/feeds.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { enqueueAppShows } from './app-shows.ts'
import { type Audience, activityNews, audienceOf } from './audience.ts'
import { enqueueActivityPushes } from './enqueue-push.ts'
import { keepRecords } from './records.ts'
import { revocationOf, revokeFromLost } from './revoke.ts'
import { enqueueSpread } from './spread.ts'

export type Change = {
  now: Instant
  // The content of the change, if it has any.
  sent?: ActivityContent
  event?: ActivityEventType
  // Gets the events of the change, which the caller appends to the feeds at the end of its transaction.
  news: FeedEntry[]
  // The audience of the changed activity, if the caller has read it.
  audience?: Audience
}

export type SavedActivity = { activity: Activity; audience: Audience }

// Returns the activity as it was written.
export async function saveActivity(
  tx: Writer,
  before: Activity,
  after: Activity,
  { now, sent = {}, event = eventOf(before, after), news, audience: known }: Change,
): Promise<SavedActivity> {
  const recorded = await keepRecords(tx, before, after, sent, now)
  const isPushed = pushEventOf(before, after) !== undefined
  const revocation = await retarget(tx, before, after, now)
  const saved = await writeActivity(tx, recorded, { now, event, news, isPushed, audience: known })
  const { activity, audience } = saved
  if (isPushed) {
    await enqueueActivityPushes(tx, activity, audience, now)
    await enqueueAppShows(tx, activity, await showingAppsOf(tx, activity, audience), now)
  }
  if (revocation) news.push(...(await revokeFromLost(tx, revocation, now)))
  if (activity.content.template === 'approval') tx.signal(approvalTopic(activity.id))
  return saved
}

async function showingAppsOf(tx: Writer, { userId }: Activity, { recipients, ownApps }: Audience) {
  if (!ownApps) return listShowingApps(tx, [userId, ...recipients])
  return recipients.length === 0 ? ownApps : [...ownApps, ...(await listShowingApps(tx, recipients))]
}

// Returns what members who lose the activity by a new target must know of it.
async function retarget(tx: Writer, before: Activity, after: Activity, now: Instant) {
  if (before.target === after.target || !isOfOrganization(before)) return undefined
  const revocation = await revocationOf(tx, before, now)
  await updateTarget(tx, after)
  return revocation
}

// For a transaction that changes one activity and appends no other events.
export async function saveAlone(
  tx: Writer,
  before: Activity,
  after: Activity,
  change: Omit<Change, 'news'>,
): Promise<SavedActivity> {
  const news: FeedEntry[] = []
  const saved = await saveActivity(tx, before, after, { ...change, news })
  await appendToFeeds(tx, news)
  return saved
}

// What the caller of a change sees afterwards.
export function seenAfter({ activity, audience }: SavedActivity, standing: Standing): SeenActivity {
  return standing.kind === 'owned' ? owned(activity, audience.shareCount) : { activity, standing }
}

type WrittenChange = Omit<Change, 'sent' | 'event'> & { event: ActivityEventType; isPushed: boolean }

// Writes the row, without pushes; those of a large audience follow in steps.
export async function writeActivity(
  tx: Writer,
  activity: Activity,
  { now, event, news, isPushed, audience: known }: WrittenChange,
): Promise<SavedActivity> {
  const scheduled = await scheduleTick(tx, activity, now)
  await updateActivity(tx, scheduled)
  const audience = known ?? (await audienceOf(tx, scheduled, now))
  if (audience.isLarge) await enqueueSpread(tx, scheduled, { event, isPushed }, now)
  news.push(...activityNews(scheduled, audience, { type: event, at: now }))
  return { activity: scheduled, audience }
}

// The audience of a new activity, and the events of its creation, which the caller appends.
export async function tellOfNew(
  tx: Writer,
  activity: Activity,
  now: Instant,
): Promise<{ audience: Audience; news: FeedEntry[] }> {
  const event = 'activity.created'
  const audience = await audienceOf(tx, activity, now)
  if (audience.isLarge) await enqueueSpread(tx, activity, { event, isPushed: false }, now)
  return { audience, news: activityNews(activity, audience, { type: event, at: now }) }
}

function eventOf(before: Activity, after: Activity): ActivityEventType {
  if (before.state === after.state) return 'activity.updated'
  if (after.state === 'ongoing') return 'activity.started'
  return after.state === 'ended' ? 'activity.ended' : 'activity.preempted'
}

// A phone shows few activities. Returns those that must be preempted so that one more can start. The caller holds the
// lock on the account, so no other one starts. They are locked here and written later: the lock order is account,
// activities, quota, feed.
export async function findOutnumbered(tx: Writer, userId: UserId, caps: Caps): Promise<Activity[]> {
  const ongoing = await listOngoingForUpdate(tx, userId)
  return byImportance(ongoing).slice(0, Math.max(ongoing.length - caps.ongoing_activities + 1, 0))
}

export async function preempt(tx: Writer, activity: Activity, now: Instant, news: FeedEntry[]): Promise<void> {
  await saveActivity(tx, activity, preempted(activity, now), { now, news })
}

// One job waits for the next tick. If the tick moves later, the earlier job is kept: it runs, finds nothing due and
// reschedules itself, which is cheaper than an update per patch.
async function scheduleTick(tx: Writer, activity: Activity, now: Instant): Promise<Activity> {
  const { id, userId, tickAt } = activity
  const next = nextTickAt(activity)
  const isScheduled = tickAt !== null && tickAt > now && (next === undefined || tickAt <= next)
  if (next === undefined || isScheduled) return activity
  const payload = { userId, activityId: id }
  await enqueueJob(tx, { kind: 'tick-activity', key: JOB_KEYS.activityTick(id), payload, runAt: next })
  return { ...activity, tickAt: next }
}

// For the job of a tick, which has just run: schedules the next one, if any.
export async function rescheduleTick(tx: Writer, activity: Activity, now: Instant): Promise<void> {
  const scheduled = await scheduleTick(tx, activity, now)
  if (scheduled !== activity) await updateActivity(tx, scheduled)
}
