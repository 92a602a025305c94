// Snoozes a notification: it leaves the inbox until a time, then it is unread again and pushed like a new one.
import type { SnoozeInput } from '../../contract/notifications/inbox.ts'
import { Problem } from '../../contract/problems.ts'
import type { NotificationState } from '../../domain/answers/state.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import { type Instant, toRfc3339 } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import { readSnooze } from '../../domain/notifications/inbox.ts'
import type { Notification, NotificationId } from '../../domain/notifications/notification.ts'
import { requireUser } from '../../domain/permissions.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { deleteWaitingJobs, enqueueJob, type Job } from '../../store/jobs.ts'
import { findNotificationForUpdate, setSnoozed } from '../../store/notifications/notifications.ts'
import { listStates } from '../../store/notifications/states.ts'
import type { ShownNotification } from '../../views/notifications.ts'
import type { Context, JobContext } from '../context.ts'
import { heldNow, recordHeld } from '../holds/hold.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueNotificationPushes } from '../push/enqueue.ts'
import { notificationNotFound, readNotification } from './inbox.ts'
import { markReadInInbox, markUnreadInInbox } from './read-marks.ts'

export async function snoozeNotification(
  ctx: Context,
  caller: Caller,
  id: NotificationId,
  input: SnoozeInput,
): Promise<ShownNotification> {
  requireUser(caller)
  const now = ctx.clock.now()
  const until = readSnooze(input, now)
  const { userId } = caller
  await ctx.db.transact(async (tx) => {
    const key = JOB_KEYS.notificationWake(userId, id)
    await deleteWaitingJobs(tx, [key])
    const notification = await findNotificationForUpdate(tx, userId, id)
    if (!notification) throw notificationNotFound(id)
    await requireNotRinging(tx, notification)
    await setSnoozed(tx, userId, id, until)
    await enqueueJob(tx, { kind: 'wake-notification', key, payload: { userId, notificationId: id }, runAt: until })
    // What is hidden is not counted as unread, and its banners are withdrawn.
    await markReadInInbox(tx, userId, [id], now)
    await appendEvent(tx, userId, { type: 'notification.snoozed', at: now, data: { id, until: toRfc3339(until) } })
  })
  return readNotification(ctx, caller, id)
}

// An alert rings until someone acknowledges it; a snooze would hide its button.
async function requireNotRinging(db: Reader, notification: Notification): Promise<void> {
  if ((await stateOf(db, notification))?.receipt?.status !== 'active') return
  throw new Problem('notification.ringing', 'This alert still repeats; acknowledge it or stop it first.')
}

// That of an entry is the state of the organization's notification.
async function stateOf(db: Reader, { userId, id, org }: Notification): Promise<NotificationState | undefined> {
  const stateId = org?.notificationId ?? id
  return (await listStates(db, userId, [stateId])).get(stateId)
}

export async function endSnooze(ctx: Context, caller: Caller, id: NotificationId): Promise<ShownNotification> {
  requireUser(caller)
  const now = ctx.clock.now()
  const { userId } = caller
  await ctx.db.transact(async (tx) => {
    await deleteWaitingJobs(tx, [JOB_KEYS.notificationWake(userId, id)])
    const notification = await findNotificationForUpdate(tx, userId, id)
    if (!notification) throw notificationNotFound(id)
    if (notification.snoozedUntil !== undefined) await wake(tx, userId, id, now)
  })
  return readNotification(ctx, caller, id)
}

async function wake(tx: Writer, userId: UserId, id: NotificationId, now: Instant): Promise<void> {
  await setSnoozed(tx, userId, id, undefined)
  await markUnreadInInbox(tx, userId, [id], now)
  await appendEvent(tx, userId, { type: 'notification.woken', at: now, data: { id } })
}

// Does nothing if the snooze has been ended or prolonged since the job was claimed.
export async function wakeNotification(ctx: JobContext, { payload }: Job<'wake-notification'>): Promise<JobResult> {
  const now = ctx.clock.now()
  const { userId, notificationId: id } = payload
  return {
    done: true,
    record: async (tx) => {
      const notification = await findNotificationForUpdate(tx, userId, id)
      if (notification?.snoozedUntil === undefined || notification.snoozedUntil > now) return
      const isPushed = await isPushedAgain(tx, notification)
      const held = isPushed ? await heldNow(tx, notification, false, now) : undefined
      if (held) await recordHeld(tx, notification, held, now)
      await wake(tx, userId, id, now)
      if (isPushed && !held) await enqueueNotificationPushes(tx, { userId, notificationId: id, wokenAt: now }, now)
    },
  }
}

// Not if its sender wanted no push, or if its question has been answered meanwhile.
async function isPushedAgain(db: Reader, notification: Notification): Promise<boolean> {
  return notification.pushed && (await stateOf(db, notification))?.answer.status !== 'answered'
}
