// Sends a pending schedule at once. A single send is done with it; a series sends one notification more, and its times and
// its count stay as they are.
import type { Caller } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import { deliveryOf } from '../../domain/notifications/delivery.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { openOwn } from '../../domain/organizations/limit.ts'
import { requireLevel } from '../../domain/permissions.ts'
import { requirePending } from '../../domain/schedules/change.ts'
import { afterSend, type Schedule, type ScheduleId } from '../../domain/schedules/schedule.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { findOrganization } from '../../store/organizations/organizations.ts'
import { findScheduleForUpdate, insertSend, updatePending } from '../../store/schedules.ts'
import type { Context } from '../context.ts'
import { storeWithHolds } from '../notifications/account.ts'
import { readSchedule, requireSchedule } from './read.ts'
import { enqueueReport } from './report.ts'
import { deleteSendJobs, enqueueSendJob } from './send-jobs.ts'
import { composeScheduled, type Done, pushAndReport, sentEvent } from './sends.ts'

export async function sendScheduleNow(ctx: Context, caller: Caller, id: ScheduleId): Promise<Schedule> {
  requireLevel(caller, 'notifications', 'schedule')
  const now = ctx.clock.now()
  const done = await ctx.db.transact((tx) => sendPending(ctx, tx, caller, id, now))
  await pushAndReport(ctx, done)
  return readSchedule(ctx, caller, id)
}

// Locks in the order of the job that sends: job, organization, schedule.
async function sendPending(ctx: Context, tx: Writer, caller: Caller, id: ScheduleId, now: Instant): Promise<Done> {
  await requireSchedule(tx, caller, id)
  await deleteSendJobs(tx, [id])
  const org = await findOrganization(tx, caller.userId as OrgId)
  if (org) await lockUser(tx, org.id)
  const schedule = openOwn(caller, await findScheduleForUpdate(tx, caller.userId, id))
  requirePending(schedule)
  const { userId, keyId } = schedule
  const sender = { userId, plan: caller.plan, keyId, holdsPushes: caller.holdsPushes }
  const message = await composeScheduled(ctx, tx, sender, schedule, org)
  const due = { dueAt: now, skipped: 0 }
  const stored = await storeWithHolds(tx, sender, message, now, (notificationId) => [
    sentEvent(schedule, notificationId, due, now),
  ])
  const { notification, held } = stored
  const pushes = await stored.pushes.claim()
  const sent = await recordSend(tx, schedule, notification.id, now)
  const delivery = pushes.length === 0 ? deliveryOf([], notification.pushed, held) : null
  await updatePending(tx, schedule, { ...sent, delivery }, now)
  if (sent.status === 'scheduled' && !sent.isPaused) await enqueueSendJob(tx, sent)
  if (pushes.length > 0) await enqueueReport(tx, { userId, id, notificationId: notification.id }, pushes.length, now)
  return { schedule: sent, pushes, sentAs: held?.reason ?? 'sent', sentAt: now, ...due }
}

async function recordSend(
  tx: Writer,
  schedule: Schedule,
  notificationId: NotificationId,
  now: Instant,
): Promise<Schedule> {
  if (schedule.recurrence) return { ...schedule, notificationId, lastSentAt: now }
  await insertSend(tx, { id: schedule.id, notificationId, dueAt: schedule.sendAt })
  return afterSend(schedule, now, { notificationId })
}
