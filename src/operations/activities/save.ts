// Writes a change of an activity, whoever makes it: a request, a device or the clock. The row, what its template
// accumulates, its next moment, the event and the pushes to the devices are one transaction.
import type { ActivityEventType } from '../../contract/event-types.ts'
import { LIMITS } from '../../contract/limits.ts'
import { type Activity, byImportance, preempted, shownAs } from '../../domain/activities/activity.ts'
import { nextTickAt } from '../../domain/activities/clock.ts'
import type { Content } from '../../domain/activities/templates/content.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import type { Instant } from '../../domain/instant.ts'
import { approvalTopic, listOngoingForUpdate, updateActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { listDevicesForActivity } from '../../store/push-tokens.ts'
import { keepRecords } from './records.ts'

// `sent`: the content that this change brings, if it brings any. Returns the activity as it was written.
export async function saveActivity(
  tx: Writer,
  before: Activity,
  after: Activity,
  { now, sent = {}, event = eventOf(before, after) }: { now: Instant; sent?: Content; event?: ActivityEventType },
): Promise<Activity> {
  const activity = await writeActivity(tx, await keepRecords(tx, before, after, sent, now), event, now)
  if (shownAs(before, activity)) await enqueuePushes(tx, activity, now)
  if (activity.content.template === 'approval') tx.signal(approvalTopic(activity.id))
  return activity
}

// The row and its event, without telling devices.
export async function writeActivity(
  tx: Writer,
  activity: Activity,
  event: ActivityEventType,
  now: Instant,
): Promise<Activity> {
  const wound = await windClock(tx, activity, now)
  await updateActivity(tx, wound)
  await appendEvent(tx, wound.userId, { type: event, at: now, data: { slug: wound.slug } })
  return wound
}

function eventOf(before: Activity, after: Activity): ActivityEventType {
  if (before.state === after.state) return 'activity.updated'
  if (after.state === 'ongoing') return 'activity.started'
  return after.state === 'ended' ? 'activity.ended' : 'activity.preempted'
}

// A phone shows five at a time: these must go so that one more can start. The caller holds the lock on the account, so
// nobody else starts one meanwhile. Locked here and written later: every change locks account, activities, quota and
// feed in this order.
export async function findOutnumbered(tx: Writer, userId: UserId): Promise<Activity[]> {
  const ongoing = await listOngoingForUpdate(tx, userId)
  return byImportance(ongoing).slice(0, Math.max(ongoing.length - LIMITS.ongoingActivities + 1, 0))
}

export async function preempt(tx: Writer, activity: Activity, now: Instant): Promise<void> {
  await saveActivity(tx, activity, preempted(activity, now), { now })
}

// One job waits for the next moment at which something happens by itself. Moments that move further away leave it where
// it is: it comes, finds nothing to do and is set anew, which is cheaper than moving it with every change.
async function windClock(tx: Writer, activity: Activity, now: Instant): Promise<Activity> {
  const { id, userId, clockAt } = activity
  const next = nextTickAt(activity)
  const isSet = clockAt !== null && clockAt > now && (next === undefined || clockAt <= next)
  if (next === undefined || isSet) return activity
  const payload = { userId, activityId: id }
  await enqueueJob(tx, { kind: 'tick-activity', key: `activity-clock:${id}`, payload, runAt: next })
  return { ...activity, clockAt: next }
}

// For the job that came, so that one waits again if there is anything to wait for.
export async function rewindClock(tx: Writer, activity: Activity, now: Instant): Promise<void> {
  const wound = await windClock(tx, activity, now)
  if (wound !== activity) await updateActivity(tx, wound)
}

async function enqueuePushes(tx: Writer, activity: Activity, now: Instant): Promise<void> {
  for (const deviceId of await listDevicesForActivity(tx, activity.userId, activity.slug)) {
    await enqueueActivityPush(tx, activity, deviceId, now)
  }
}

// One waits per activity and device: it sends whatever is the newest state when it runs.
export async function enqueueActivityPush(
  tx: Writer,
  { id, userId }: Activity,
  deviceId: DeviceId,
  now: Instant,
): Promise<void> {
  const payload = { userId, activityId: id, deviceId }
  await enqueueJob(tx, { kind: 'push-activity', key: `activity:${id}:${deviceId}`, payload, runAt: now })
}
