// Writes a change of an activity, made by a request, a device or the clock. The row, the records of its template, its
// next tick, the events and the push jobs are one transaction.
import type { ActivityEventType } from '../../contract/events/event-types.ts'
import { LIMITS } from '../../contract/limits.ts'
import { type Activity, byImportance, preempted, pushEventOf } from '../../domain/activities/activity.ts'
import { nextTickAt } from '../../domain/activities/clock.ts'
import type { ActivityContent } from '../../domain/activities/templates/content.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import { owned, type SeenActivity, type Standing } from '../../domain/shares/standing.ts'
import { approvalTopic, listOngoingForUpdate, updateActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/feeds.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { type Audience, type AudienceDevice, activityNews, audienceOf, devicesOf } from './audience.ts'
import { keepRecords } from './records.ts'

export type Change = {
  now: Instant
  // The content of the change, if it has any.
  sent?: ActivityContent
  event?: ActivityEventType
  // Gets the events of the change, which the caller appends to the feeds at the end of its transaction.
  news: FeedEntry[]
}

export type SavedActivity = { activity: Activity; audience: Audience }

// Returns the activity as it was written.
export async function saveActivity(
  tx: Writer,
  before: Activity,
  after: Activity,
  { now, sent = {}, event = eventOf(before, after), news }: Change,
): Promise<SavedActivity> {
  const recorded = await keepRecords(tx, before, after, sent, now)
  const saved = await writeActivity(tx, recorded, { now, event, news })
  const { activity, audience } = saved
  if (pushEventOf(before, activity)) await enqueueActivityPushes(tx, activity, audience, now)
  if (activity.content.template === 'approval') tx.signal(approvalTopic(activity.id))
  return saved
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
  return standing.kind === 'owned' ? owned(activity, audience.recipients.length) : { activity, standing }
}

// Writes the row, without pushes.
export async function writeActivity(
  tx: Writer,
  activity: Activity,
  { now, event, news }: Required<Omit<Change, 'sent'>>,
): Promise<SavedActivity> {
  const scheduled = await scheduleTick(tx, activity, now)
  await updateActivity(tx, scheduled)
  const audience = await audienceOf(tx, scheduled)
  news.push(...activityNews(scheduled, audience, { type: event, at: now }))
  return { activity: scheduled, audience }
}

function eventOf(before: Activity, after: Activity): ActivityEventType {
  if (before.state === after.state) return 'activity.updated'
  if (after.state === 'ongoing') return 'activity.started'
  return after.state === 'ended' ? 'activity.ended' : 'activity.preempted'
}

// A phone shows five activities. Returns those that must be preempted so that one more can start. The caller holds the
// lock on the account, so no other one starts. They are locked here and written later: the lock order is account,
// activities, quota, feed.
export async function findOutnumbered(tx: Writer, userId: UserId): Promise<Activity[]> {
  const ongoing = await listOngoingForUpdate(tx, userId)
  return byImportance(ongoing).slice(0, Math.max(ongoing.length - LIMITS.activity.maxOngoing + 1, 0))
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

async function enqueueActivityPushes(tx: Writer, activity: Activity, audience: Audience, now: Instant): Promise<void> {
  for (const device of devicesOf(audience)) await enqueueActivityPush(tx, activity, device, now)
}

// At most one push waits per activity and device; it sends the newest state when it runs.
export async function enqueueActivityPush(
  tx: Writer,
  { id, userId }: Activity,
  device: AudienceDevice,
  now: Instant,
): Promise<void> {
  const recipientId = device.userId === userId ? undefined : device.userId
  const payload = { userId, activityId: id, deviceId: device.deviceId, recipientId }
  await enqueueJob(tx, { kind: 'push-activity', key: JOB_KEYS.activityPush(id, device), payload, runAt: now })
}
