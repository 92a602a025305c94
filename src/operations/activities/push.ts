// Brings one device up to date with one activity: starts, updates or ends it there, with the newest state. A device whose
// activity token has not arrived yet is pushed to when it registers the token.
import type { Activity } from '../../domain/activities/activity.ts'
import { questionOf } from '../../domain/activities/templates/approval.ts'
import type { DeviceId, PushAddress } from '../../domain/device.ts'
import { toUnixSeconds } from '../../domain/instant.ts'
import { makeApprovalTicket } from '../../domain/notifications/answer-ticket.ts'
import { type ActivityPush, nextPushAttemptAt, type PushResult } from '../../domain/push.ts'
import { stampNewestVersion } from '../../store/activities/activities.ts'
import {
  deleteShownActivity,
  findShownActivity,
  type ShownActivity,
  saveShownActivity,
} from '../../store/activities/shown-activities.ts'
import { recordPush } from '../../store/devices.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { Job } from '../../store/jobs.ts'
import { deletePushTokenIfRegisteredBefore, findPushToken } from '../../store/push-tokens.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { readHistory } from './records.ts'

export async function pushActivity(ctx: JobContext, { payload, attempt }: Job<'push-activity'>): Promise<JobResult> {
  const { userId, activityId, deviceId } = payload
  const seconds = toUnixSeconds(ctx.clock.now())
  const stamped = await ctx.db.transact((tx) => stampNewestVersion(tx, userId, activityId, seconds))
  if (!stamped) return { done: true }
  const { activity, timestamp } = stamped
  const planned = await planPush(ctx, activity, deviceId)
  if (!planned) return { done: true }
  const push = await toActivityPush(ctx, activity, planned, timestamp)
  const result = await ctx.pushTo(planned.address, { kind: 'activity', ...push })
  const again = nextPushAttemptAt(result, attempt, ctx.clock.now())
  const record = (tx: Writer) => recordResult(tx, ctx, activity, planned, result)
  return again === undefined ? { done: true, record } : { again, record }
}

// `shown`: what the device shows of this activity.
type PlannedPush = { event: ActivityPush['event']; address: PushAddress; shown: ShownActivity | undefined }

// Undefined if the device is up to date or has no token for this push.
async function planPush(ctx: JobContext, activity: Activity, deviceId: DeviceId): Promise<PlannedPush | undefined> {
  const { userId, id } = activity
  const shown = await findShownActivity(ctx.db.read, { userId, deviceId, activityId: id })
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

async function toActivityPush(
  ctx: JobContext,
  activity: Activity,
  { event, shown }: PlannedPush,
  timestamp: number,
): Promise<ActivityPush> {
  const { alert, content } = activity
  const isUnheard = alert !== null && alert.version > (shown?.version ?? 0)
  const question = questionOf(content)
  const isAsking = question && !question.answer && activity.state === 'ongoing'
  return {
    activity,
    event,
    timestamp,
    sound: isUnheard ? alert.sound : undefined,
    ticket: isAsking
      ? makeApprovalTicket(ctx.signingKey, { activityId: activity.id, round: question.round })
      : undefined,
    history: content.template === 'timeline' ? await readHistory(ctx.db.read, activity) : undefined,
  }
}

// After the end the device shows nothing and its token is of no more use.
async function recordResult(
  tx: Writer,
  ctx: JobContext,
  activity: Activity,
  { event, address }: PlannedPush,
  result: PushResult,
): Promise<void> {
  const { userId, deviceId } = address
  const isAccepted = result.result === 'accepted'
  await recordPush(tx, userId, deviceId, { at: ctx.clock.now(), error: isAccepted ? null : result.reason })
  if (result.result === 'device_gone') await deletePushTokenIfRegisteredBefore(tx, address, result.goneAt)
  if (!isAccepted) return
  const { id: activityId, slug, startCount: run, updatedAt: version } = activity
  const screen = { userId, deviceId, activityId }
  if (event !== 'end') return saveShownActivity(tx, { ...screen, slug, run, version })
  await deleteShownActivity(tx, screen, version)
  if (address.kind === 'activity') await deletePushTokenIfRegisteredBefore(tx, address, undefined)
}
