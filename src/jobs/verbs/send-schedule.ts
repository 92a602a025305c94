// Sends what a schedule is due for: one transaction ends the job, pays, stores the notification with its pushes, and
// moves the schedule on to its next moment. The pushes run after it; if we die before that, another node makes them when
// their leases lapse, and report-schedule writes what became of them.

import type { NotificationInput } from '../../contract/notification.ts'
import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/event.ts'
import type { Instant } from '../../domain/instant.ts'
import { deliveryOf, type NotificationId } from '../../domain/notifications/notification.ts'
import { afterSend, type Due, dueNow, type FailureReason, type Schedule } from '../../domain/schedules/schedule.ts'
import type { Context } from '../../operations/context.ts'
import {
  composeMessage,
  enqueuePushes,
  type Message,
  type Stored,
  storeNotification,
} from '../../operations/notifications/store.ts'
import { findActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import { listAddresses } from '../../store/push-tokens.ts'
import {
  enqueueSend,
  failPending,
  findDueForUpdate,
  insertSend,
  type SendJob,
  updatePending,
} from '../../store/schedules.ts'
import type { Delivery, JobResult } from '../job.ts'
import { expectReport, writeReport } from './report-schedule.ts'

// What happened in the transaction, for what follows it.
type Done = Due & { schedule: Schedule; pushes: Job[] }

// As long as a sender would wait who asked for it now.
const PATIENCE_MS = 3000

export async function sendSchedule({ ctx }: Delivery, job: Job): Promise<JobResult> {
  const now = ctx.clock.now()
  let done: Done | undefined
  return {
    done: true,
    record: async (tx) => {
      done = await sendDue(ctx, tx, job.payload as SendJob, now)
    },
    afterwards: async () => {
      if (done) await report(ctx, done)
    },
  }
}

// When all retries are used up.
export async function failSchedule(tx: Writer, job: Job, now: Instant): Promise<void> {
  const { userId, scheduleId } = job.payload as SendJob
  const failed = await failPending(tx, userId, [scheduleId], { reason: 'internal_error', now })
  for (const id of failed) await announceFailure(tx, { userId, id, failureReason: 'internal_error' }, now)
}

async function sendDue(ctx: Context, tx: Writer, job: SendJob, now: Instant): Promise<Done | undefined> {
  const found = await findDueForUpdate(tx, job)
  // Canceled, deleted or sent meanwhile.
  if (!found) return undefined
  const { schedule, plan } = found
  const { id, userId, keyId } = schedule
  const sender = { userId, plan, keyId }
  const message = composeMessage(ctx, sender, await withoutLostActivity(tx, schedule))
  const due = dueNow(schedule, now)
  const reached = { ...schedule, sendAt: due.dueAt }
  const stored = await storeIfPossible(tx, sender, message, now, (notificationId) => [
    sentEvent(schedule, notificationId, due, now),
  ])
  if (!stored) {
    return skip(tx, schedule, { ...due, skipped: due.skipped + 1, schedule: afterSend(reached, now), pushes: [] }, now)
  }
  const { notification } = stored
  await insertSend(tx, { id, notificationId: notification.id, dueAt: due.dueAt })
  const addresses = message.push ? await listAddresses(tx, userId) : []
  const pushes = await enqueuePushes(tx, stored, addresses, now)
  const delivery = pushes.length === 0 ? deliveryOf([], message.push) : null
  const sent = { ...afterSend(reached, now, { notificationId: notification.id }), delivery }
  if (pushes.length > 0) await expectReport(tx, { userId, id, notificationId: notification.id }, pushes.length, now)
  return { schedule: await moveOn(tx, schedule, sent, now), pushes, ...due }
}

// Room and quota are taken before anything is written, so the transaction can go on without them. Where no more alerts
// may wait to be acknowledged, this one is shown once rather than not at all. Nothing: it cannot be paid for.
async function storeIfPossible(
  tx: Writer,
  sender: Sender,
  message: Message,
  now: Instant,
  alongside: (id: NotificationId) => NewEvent[],
): Promise<Stored | undefined> {
  try {
    return await storeNotification(tx, sender, message, now, alongside)
  } catch (error) {
    const problem = error instanceof Problem ? error.problem : undefined
    if (problem === 'quota.exceeded') return undefined
    if (problem !== 'notification_receipt.limit_exceeded') throw error
    return storeIfPossible(tx, sender, { ...message, acknowledge: undefined }, now, alongside)
  }
}

// Not paid for, so not sent: a single one has failed, a series goes on with its next.
async function skip(tx: Writer, pending: Schedule, done: Done, now: Instant): Promise<Done> {
  const { id, userId, status } = await moveOn(tx, pending, done.schedule, now)
  const data = { id, skipped: done.skipped, reason: 'quota_exceeded' } as const
  if (status !== 'failed') await appendEvent(tx, userId, { type: 'schedule.skipped', at: now, data })
  return done
}

async function moveOn(tx: Writer, pending: Schedule, changed: Schedule, now: Instant): Promise<Schedule> {
  await updatePending(tx, pending, changed, now)
  if (changed.status === 'scheduled') await enqueueSend(tx, changed)
  const { failureReason } = changed
  if (failureReason) await announceFailure(tx, { ...changed, failureReason }, now)
  return changed
}

function sentEvent({ id }: Schedule, notificationId: NotificationId, due: Due, at: Instant): NewEvent {
  const data = { id, notification_id: notificationId, ...(due.skipped > 0 && { skipped: due.skipped }) }
  return { type: 'schedule.sent', at, data }
}

async function announceFailure(
  tx: Writer,
  { userId, id, failureReason }: Pick<Schedule, 'userId' | 'id'> & { failureReason: FailureReason },
  now: Instant,
): Promise<void> {
  await appendEvent(tx, userId, { type: 'schedule.failed', at: now, data: { id, failure_reason: failureReason } })
}

async function report(ctx: Context, { schedule, pushes, skipped }: Done): Promise<void> {
  const { userId, id, notificationId } = schedule
  if (skipped > 0) ctx.log.warn({ schedule: id, skipped }, 'not everything a schedule was due for was sent')
  if (pushes.length === 0 || notificationId === null) return
  const delivery = deliveryOf(await ctx.runNow(pushes, PATIENCE_MS), true)
  await ctx.db.transact((tx) => writeReport(tx, { userId, id, notificationId }, delivery))
}

// The link was checked when the schedule was made; the activity may have ended since, and the message still matters.
async function withoutLostActivity(tx: Writer, { userId, input }: Schedule): Promise<NotificationInput> {
  const { activity_slug, ...rest } = input
  return activity_slug && (await findActivity(tx, userId, activity_slug)) ? input : rest
}
