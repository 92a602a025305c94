// Brings one device up to date with one activity: starts, updates or ends it there, with the newest state. A device whose
// activity token has not arrived yet is pushed to when it registers the token.
import type { Activity } from '../../domain/activities/activity.ts'
import { questionOf } from '../../domain/activities/templates/approval.ts'
import { makeApprovalTicket } from '../../domain/answers/answer-ticket.ts'
import type { UserId } from '../../domain/caller.ts'
import type { PushAddress } from '../../domain/devices.ts'
import { instant, plusSeconds, toUnixSeconds } from '../../domain/instant.ts'
import { type ActivityPush, nextPushAttemptAt, type PushResult } from '../../domain/push.ts'
import { stampNewestVersion } from '../../store/activities/activities.ts'
import {
  deleteShownUpTo,
  findShownActivity,
  findShownForUpdate,
  releaseStart,
  type Screen,
  type ShownActivity,
  saveShownActivity,
  takeStart,
} from '../../store/activities/shown-activities.ts'
import { recordPush } from '../../store/devices/devices.ts'
import { deletePushTokenIfRegisteredBefore, findPushToken } from '../../store/devices/push-tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { Job, JobId } from '../../store/jobs.ts'
import type { JobContext } from '../context.ts'
import { isQuiet } from '../holds/hold.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueDismissal, findShowable } from './dismiss.ts'
import { enqueueActivityPush } from './enqueue-push.ts'
import { readHistory } from './records.ts'
import { findShowing } from './showing.ts'

export async function pushActivity(ctx: JobContext, job: Job<'push-activity'>): Promise<JobResult> {
  const { userId, activityId, deviceId, recipientId } = job.payload
  const seconds = toUnixSeconds(ctx.clock.now())
  const stamped = await ctx.db.transact((tx) => stampNewestVersion(tx, userId, activityId, seconds))
  if (!stamped) return { done: true }
  const { activity, timestamp } = stamped
  const screen = { userId: recipientId ?? userId, deviceId, activityId }
  const planned = await planPush(ctx, activity, screen, job.id)
  if (planned === 'starting') return { again: plusSeconds(ctx.clock.now(), START_SECONDS) }
  if (!planned) return { done: true }
  const history = activity.content.template === 'timeline' ? await readHistory(ctx.db.read, activity) : undefined
  const mayPush = planned.event !== 'start' || (await beginStart(ctx, activity, screen, job.id))
  if (!mayPush) return { again: plusSeconds(ctx.clock.now(), START_SECONDS) }
  // Checked right before the push: a recipient who has left in the meantime gets none.
  const showing = await findShowing(ctx.db.read, activity, screen, ctx.clock.now())
  if (!showing) return { done: true, record: (tx) => releaseStart(tx, screen, job.id) }
  const ticket = showing.mayAnswer ? ticketOf(ctx, activity, recipientId) : undefined
  const push = { ...(await quieted(ctx, screen, toActivityPush(activity, planned))), timestamp, ticket, history }
  const result = await ctx.pushTo(planned.address, { kind: 'activity', ...push })
  const retryAt = nextPushAttemptAt(result, job.failures, ctx.clock.now())
  const record = (tx: Writer) => recordResult(tx, ctx, push, planned, result, job.id)
  return retryAt === undefined ? { done: true, record } : { retryAt, record }
}

// Returns false if another job is starting the activity on the device.
function beginStart(ctx: JobContext, activity: Activity, screen: Screen, job: JobId): Promise<boolean> {
  const { slug, startCount: run, updatedAt } = activity
  const starting = { slug, run, version: instant(updatedAt - 1), job }
  return ctx.db.transact((tx) => takeStart(tx, screen, starting))
}

// A start push usually takes less than this. The job that waits for it then plans again.
const START_SECONDS = 1

// `shown`: what the device shows of this activity.
type PlannedPush = { event: ActivityPush['event']; address: PushAddress; shown: ShownActivity | undefined }

// Undefined if the device is up to date or has no token for this push. `starting`: the start push of another job is under
// way, and its result decides what this one has to send.
async function planPush(
  ctx: JobContext,
  activity: Activity,
  screen: Screen,
  job: JobId,
): Promise<PlannedPush | 'starting' | undefined> {
  const { userId, deviceId, activityId: id } = screen
  const found = await findShownActivity(ctx.db.read, screen)
  const isStarting = found?.startingJob != null && found.run === activity.startCount
  if (isStarting && found.startingJob !== job) return 'starting'
  const shown = found?.startingJob == null ? found : undefined
  const isStarted = shown?.run === activity.startCount
  if (isStarted && shown.version >= activity.updatedAt) return undefined
  const find = (kind: PushAddress['kind'], activityId?: string) =>
    findPushToken(ctx.db.read, userId, deviceId, kind, activityId)
  const isOngoing = activity.state === 'ongoing'
  const own = await find('activity', id)
  if (own) return { event: isOngoing ? 'update' : 'end', address: own, shown }
  const web = await find('web_push')
  if (web && isStarted) return { event: isOngoing ? 'update' : 'end', address: web, shown }
  const toStart = web ?? (isStarted ? undefined : await find('push_to_start'))
  return isOngoing && toStart ? { event: 'start', address: toStart, shown } : undefined
}

function toActivityPush(
  activity: Activity,
  { event, shown }: PlannedPush,
): Pick<ActivityPush, 'event' | 'sound'> & { activity: Activity } {
  const { alert } = activity
  const isUnheard = alert !== null && alert.version > (shown?.version ?? 0)
  return { activity, event, sound: isUnheard ? alert.sound : undefined }
}

// Quiet hours let activities go on without their sounds.
async function quieted<Push extends Pick<ActivityPush, 'sound'>>(
  ctx: JobContext,
  { userId }: Screen,
  push: Push,
): Promise<Push> {
  if (push.sound === undefined || !(await isQuiet(ctx.db.read, userId, ctx.clock.now()))) return push
  return { ...push, sound: undefined }
}

// Only devices of those who may answer get a ticket.
function ticketOf(ctx: JobContext, { id, state, content }: Activity, recipientId?: UserId): string | undefined {
  const question = questionOf(content)
  if (!question || question.answer || state !== 'ongoing') return undefined
  return makeApprovalTicket(ctx.signingKey, { activityId: id, round: question.round, recipientId })
}

// After the end the device shows nothing and its token is of no more use.
async function recordResult(
  tx: Writer,
  ctx: JobContext,
  { activity, event, timestamp }: Pick<ActivityPush, 'event' | 'timestamp'> & { activity: Activity },
  { address, shown }: PlannedPush,
  result: PushResult,
  job: JobId,
): Promise<void> {
  const { userId, deviceId } = address
  const now = ctx.clock.now()
  const isAccepted = result.result === 'accepted'
  await recordPush(tx, userId, deviceId, { at: now, error: isAccepted ? null : result.reason })
  if (result.result === 'device_gone') await deletePushTokenIfRegisteredBefore(tx, address, result.goneAt)
  const { id: activityId, slug, startCount: run, updatedAt: version } = activity
  const screen = { userId, deviceId, activityId }
  if (!isAccepted) return event === 'start' ? releaseStart(tx, screen, job) : undefined
  if (event === 'end') {
    await deleteShownUpTo(tx, screen, version)
    if (address.kind === 'activity') await deletePushTokenIfRegisteredBefore(tx, address, undefined)
    return
  }
  // A dismissal was under way at the same time. If the activity is shared again by now, the device needs a start.
  const isDismissed = shown !== undefined && !(await findShownForUpdate(tx, screen))
  if (isDismissed) return enqueueActivityPush(tx, activity, { userId, deviceId }, now)
  await saveShownActivity(tx, { ...screen, slug, run, version })
  // It was deleted or left while the push was under way, so the dismissal did not find it on the device.
  const isGone = event === 'start' && !(await findShowable(tx, screen, now))
  if (isGone) await enqueueDismissal(tx, activity, address, { timestamp: timestamp + 1, now })
}
