// Brings one device up to date about one activity: starts it there, updates it or ends it, always with the newest state.
// A device that cannot be told yet, because its token has not come, is told when the token comes.
import type { Activity, ActivityId } from '../../domain/activities/activity.ts'
import { questionOf } from '../../domain/activities/templates/approval.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import { toUnixSeconds } from '../../domain/instant.ts'
import { makeApprovalTicket } from '../../domain/notifications/answer-ticket.ts'
import { readHistory } from '../../operations/activities/records.ts'
import type { Context } from '../../operations/context.ts'
import type { Outcome } from '../../push/channels/channel.ts'
import type { ActivityPush } from '../../push/payload/activity.ts'
import { stampNewestVersion } from '../../store/activities/activities.ts'
import { deleteScreen, findScreen, type Screen, saveScreen } from '../../store/activities/screens.ts'
import { recordPush } from '../../store/devices.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { Job } from '../../store/jobs.ts'
import { type DeviceToken, deletePushTokenIfRegisteredBefore, findPushToken } from '../../store/push-tokens.ts'
import type { Delivery, JobResult } from '../job.ts'
import { nextTryAt } from './push-retries.ts'
import { sendActivity } from './send-activity.ts'

type Payload = { userId: UserId; activityId: ActivityId; deviceId: DeviceId }

export async function pushActivity(delivery: Delivery, job: Job): Promise<JobResult> {
  const { ctx } = delivery
  const { userId, activityId, deviceId } = job.payload as Payload
  const seconds = toUnixSeconds(ctx.clock.now())
  const stamped = await ctx.db.transact((tx) => stampNewestVersion(tx, userId, activityId, seconds))
  if (!stamped) return { done: true }
  const { activity, timestamp } = stamped
  const errand = await findErrand(ctx, activity, deviceId)
  if (!errand) return { done: true }
  const push = await toPush(ctx, activity, errand, timestamp)
  const outcome = await sendActivity(delivery, errand.address, push)
  const again = nextTryAt(outcome, job.attempt, ctx.clock.now())
  const record = (tx: Writer) => recordOutcome(tx, ctx, activity, errand, outcome)
  return again === undefined ? { done: true, record } : { again, record }
}

// What is to be done at which address of the device.
type Errand = { event: ActivityPush['event']; address: DeviceToken; screen: Screen | undefined }

async function findErrand(ctx: Context, activity: Activity, deviceId: DeviceId): Promise<Errand | undefined> {
  const { userId, slug, id } = activity
  const found = await findScreen(ctx.db.read, userId, deviceId, slug)
  const screen = found?.activityId === id ? found : undefined
  const isStarted = screen?.run === activity.startCount
  if (isStarted && screen.version >= activity.updatedAt) return undefined
  const find = (kind: DeviceToken['kind'], activitySlug?: string) =>
    findPushToken(ctx.db.read, userId, deviceId, kind, activitySlug)
  const isOngoing = activity.state === 'ongoing'
  const own = await find('activity', slug)
  if (own) return { event: isOngoing ? 'update' : 'end', address: own, screen }
  const web = await find('web_push')
  if (web && isStarted) return { event: isOngoing ? 'update' : 'end', address: web, screen }
  const toStart = web ?? (isStarted ? undefined : await find('push_to_start'))
  return isOngoing && toStart ? { event: 'start', address: toStart, screen } : undefined
}

async function toPush(ctx: Context, activity: Activity, errand: Errand, timestamp: number): Promise<ActivityPush> {
  const { alert, content } = activity
  const isUnheard = alert !== null && alert.version > (errand.screen?.version ?? 0)
  const question = questionOf(content)
  const isAsking = question && !question.answer && activity.state === 'ongoing'
  return {
    activity,
    event: errand.event,
    timestamp,
    sound: isUnheard ? alert.sound : undefined,
    ticket: isAsking
      ? makeApprovalTicket(ctx.signingKey, { activityId: activity.id, round: question.round })
      : undefined,
    history: content.template === 'timeline' ? await readHistory(ctx.db.read, activity) : undefined,
  }
}

// After its end nothing is shown any more, and its token has done its work.
async function recordOutcome(
  tx: Writer,
  ctx: Context,
  activity: Activity,
  { event, address }: Errand,
  outcome: Outcome,
): Promise<void> {
  const { userId, deviceId } = address
  const isAccepted = outcome.result === 'accepted'
  await recordPush(tx, userId, deviceId, { at: ctx.clock.now(), error: isAccepted ? null : outcome.reason })
  if (outcome.result === 'device_gone') await deletePushTokenIfRegisteredBefore(tx, address, outcome.goneAt)
  if (!isAccepted) return
  const { id: activityId, slug, startCount: run, updatedAt: version } = activity
  const screen = { userId, deviceId, slug, activityId, run, version }
  if (event !== 'end') return saveScreen(tx, screen)
  await deleteScreen(tx, screen)
  if (address.kind === 'activity') await deletePushTokenIfRegisteredBefore(tx, address, undefined)
}
