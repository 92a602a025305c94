// Sends a schedule that is due. One transaction settles the job, charges the quota, stores the notification with its push
// jobs, and sets the schedule to its next time. The pushes run after the commit; if the process dies before, other nodes
// run them once their leases have lapsed, and a report-schedule job writes the result.
import type { NotificationInput } from '../../contract/notification.ts'
import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/event.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Jobs } from '../../domain/jobs.ts'
import { deliveryOf } from '../../domain/notifications/delivery.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { afterSend, type Due, dueNow, type FailureReason, type Schedule } from '../../domain/schedules/schedule.ts'
import { findActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import { listAddresses } from '../../store/push-tokens.ts'
import { failPending, findDueForUpdate, insertSend, updatePending } from '../../store/schedules.ts'
import type { ClaimedJob, Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueClaimedPushes } from '../notifications/enqueue-pushes.ts'
import { PUSH_PATIENCE_MS } from '../notifications/patience.ts'
import { composeMessage, type Message, type Stored, storeNotification } from '../notifications/store.ts'
import { enqueueReport, writeReport } from './report.ts'
import { enqueueSendJob } from './send-jobs.ts'

// What the transaction did, for the pushes and the report after it.
type Done = Due & { schedule: Schedule; pushes: ClaimedJob[] }

export async function sendSchedule(ctx: JobContext, { payload }: Job<'send-schedule'>): Promise<JobResult> {
  const now = ctx.clock.now()
  let done: Done | undefined
  return {
    done: true,
    record: async (tx) => {
      done = await sendDue(ctx, tx, payload, now)
    },
    afterCommit: async () => {
      if (done) await pushAndReport(ctx, done)
    },
  }
}

// Called when all retries have failed.
export async function failSchedule(
  tx: Writer,
  { userId, scheduleId }: Jobs['send-schedule'],
  now: Instant,
): Promise<void> {
  const failed = await failPending(tx, userId, [scheduleId], { reason: 'internal_error', now })
  for (const id of failed) await appendFailure(tx, { userId, id, failureReason: 'internal_error' }, now)
}

async function sendDue(
  ctx: Context,
  tx: Writer,
  payload: Jobs['send-schedule'],
  now: Instant,
): Promise<Done | undefined> {
  const found = await findDueForUpdate(tx, payload)
  // It was canceled, deleted or sent since the job was enqueued.
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
  const pushes = await enqueueClaimedPushes(tx, stored, addresses, now)
  const delivery = pushes.length === 0 ? deliveryOf([], message.push) : null
  const sent = { ...afterSend(reached, now, { notificationId: notification.id }), delivery }
  if (pushes.length > 0) await enqueueReport(tx, { userId, id, notificationId: notification.id }, pushes.length, now)
  return { schedule: await moveOn(tx, schedule, sent, now), pushes, ...due }
}

// storeNotification checks the quota and the receipt cap before its first write, so these two errors can be caught without
// a rollback. Over the receipt cap the alert is sent without a receipt. Returns undefined if the quota is used up.
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

// The quota is used up: a single schedule has failed, a series continues with its next time.
async function skip(tx: Writer, pending: Schedule, done: Done, now: Instant): Promise<Done> {
  const { id, userId, status } = await moveOn(tx, pending, done.schedule, now)
  const data = { id, skipped: done.skipped, reason: 'quota_exceeded' } as const
  if (status !== 'failed') await appendEvent(tx, userId, { type: 'schedule.skipped', at: now, data })
  return done
}

async function moveOn(tx: Writer, pending: Schedule, changed: Schedule, now: Instant): Promise<Schedule> {
  await updatePending(tx, pending, changed, now)
  if (changed.status === 'scheduled') await enqueueSendJob(tx, changed)
  const { failureReason } = changed
  if (failureReason) await appendFailure(tx, { ...changed, failureReason }, now)
  return changed
}

function sentEvent({ id }: Schedule, notificationId: NotificationId, due: Due, at: Instant): NewEvent {
  const data = { id, notification_id: notificationId, ...(due.skipped > 0 && { skipped: due.skipped }) }
  return { type: 'schedule.sent', at, data }
}

async function appendFailure(
  tx: Writer,
  { userId, id, failureReason }: Pick<Schedule, 'userId' | 'id'> & { failureReason: FailureReason },
  now: Instant,
): Promise<void> {
  await appendEvent(tx, userId, { type: 'schedule.failed', at: now, data: { id, failure_reason: failureReason } })
}

async function pushAndReport(ctx: Context, { schedule, pushes, skipped }: Done): Promise<void> {
  const { userId, id, notificationId } = schedule
  if (skipped > 0) ctx.log.warn({ schedule: id, skipped }, 'not everything a schedule was due for was sent')
  if (pushes.length === 0 || notificationId === null) return
  const delivery = deliveryOf(await ctx.runNow(pushes, PUSH_PATIENCE_MS), true)
  await ctx.db.transact((tx) => writeReport(tx, { userId, id, notificationId }, delivery))
}

// The activity was there when the schedule was created. If it has been deleted since, the notification is sent without the
// link.
async function withoutLostActivity(tx: Writer, { userId, input }: Schedule): Promise<NotificationInput> {
  const { activity_slug, ...rest } = input
  return activity_slug && (await findActivity(tx, userId, activity_slug)) ? input : rest
}
