// Dismisses an activity on one device, because it was deleted or does not reach the device any more. The row of the activity
// may be gone when the job runs, so the payload has what the push needs.
import type { Activity } from '../../domain/activities/activity.ts'
import { essentialContent } from '../../domain/activities/content.ts'
import { type Instant, toUnixSeconds } from '../../domain/instant.ts'
import { nextPushAttemptAt } from '../../domain/push.ts'
import { findActivityById, stampNewestVersion } from '../../store/activities/activities.ts'
import type { AudienceAddress } from '../../store/activities/audience.ts'
import { deleteShownActivity, findShownActivity, type Screen } from '../../store/activities/shown-activities.ts'
import { deletePushTokenIfRegisteredBefore, findPushToken } from '../../store/devices/push-tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { deleteDeadTokens } from '../push/dead-tokens.ts'
import { enqueueActivityPush } from './enqueue-push.ts'
import { findShowing } from './showing.ts'

// Also for an activity that has ended: its end may not have been pushed yet.
export async function enqueueDismissals(
  tx: Writer,
  activity: Activity,
  addresses: readonly AudienceAddress[],
  now: Instant,
): Promise<void> {
  const showing = activity.state === 'ongoing' ? addresses : await listShowing(tx, activity, addresses)
  if (showing.length === 0) return
  const stamped = await stampNewestVersion(tx, activity.userId, activity.id, toUnixSeconds(now))
  const timestamp = (stamped?.timestamp ?? 0) + 1
  for (const address of showing) await enqueueDismissal(tx, activity, address, { timestamp, now })
}

// A phone keeps its update token until the end was pushed. A browser has no update token, so its screen is looked up.
async function listShowing(
  tx: Writer,
  { id: activityId }: Activity,
  addresses: readonly AudienceAddress[],
): Promise<AudienceAddress[]> {
  const showing: AudienceAddress[] = []
  for (const address of addresses) {
    const { userId, deviceId, kind } = address
    const isShowing =
      kind === 'activity' || (kind === 'web_push' && (await findShownActivity(tx, { userId, deviceId, activityId })))
    if (isShowing) showing.push(address)
  }
  return showing
}

// `timestamp`: greater than in every earlier push of the activity. It is decided here, because each attempt must have the
// same id, which is made of it.
export async function enqueueDismissal(
  tx: Writer,
  activity: Pick<Activity, 'id' | 'slug' | 'name' | 'content'>,
  { userId, deviceId, kind }: AudienceAddress,
  { timestamp, now }: { timestamp: number; now: Instant },
): Promise<void> {
  // A token that starts activities cannot end one.
  if (kind === 'push_to_start') return
  const { id: activityId, slug, name } = activity
  const content = essentialContent(activity.content)
  const latest = Math.max(timestamp, toUnixSeconds(now))
  const payload = { userId, activityId, slug, name, content, timestamp: latest, deviceId, kind }
  await enqueueJob(tx, { kind: 'dismiss-activity', payload, runAt: now })
}

export async function dismissActivity(
  ctx: JobContext,
  { payload, failures }: Job<'dismiss-activity'>,
): Promise<JobResult> {
  const { userId, activityId: id, deviceId, kind, slug, name, content, timestamp } = payload
  const screen = { userId, deviceId, activityId: id }
  const address = await findPushToken(ctx.db.read, userId, deviceId, kind, kind === 'activity' ? id : undefined)
  const shown = await findShownActivity(ctx.db.read, screen)
  // A browser that shows nothing would have to show something for the push.
  if (!address || (kind === 'web_push' && !shown)) return { done: true }
  const now = ctx.clock.now()
  const last = { state: 'ended', stateAt: now, updatedAt: now, priority: 0, dismissalTtlSeconds: 0 } as const
  const result = await ctx.pushTo(address, {
    kind: 'activity',
    activity: { id, slug, name, content, staleTtlSeconds: null, ...last },
    event: 'end',
    timestamp,
  })
  const retryAt = nextPushAttemptAt(result, failures, ctx.clock.now())
  if (retryAt !== undefined) return { retryAt }
  return {
    done: true,
    record: async (tx) => {
      await deleteDeadTokens(tx, [{ address, result }], now)
      if (result.result !== 'accepted') return
      await deleteShownActivity(tx, screen)
      if (kind === 'activity') await deletePushTokenIfRegisteredBefore(tx, address, undefined)
      await startAgain(tx, screen, now)
    },
  }
}

// For a device that lost the activity and has it again since: the push of the start found the device showing it.
async function startAgain(tx: Writer, screen: Screen, now: Instant): Promise<void> {
  const activity = await findShowable(tx, screen, now)
  if (activity?.state === 'ongoing') await enqueueActivityPush(tx, activity, screen, now)
}

// Undefined if the activity is gone, or the device must not show it (any more).
export async function findShowable(tx: Writer, screen: Screen, now: Instant): Promise<Activity | undefined> {
  const activity = await findActivityById(tx, screen.activityId)
  return activity && (await findShowing(tx, activity, screen, now)) ? activity : undefined
}
