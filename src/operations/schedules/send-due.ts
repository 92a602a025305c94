// Sends a schedule that is due. One transaction settles the job, charges the quota, stores the notification with its push
// jobs, and sets the schedule to its next time. The pushes run after the commit; if the process dies before, other nodes
// run them once their leases have lapsed, and a report-schedule job writes the result.
import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Jobs } from '../../domain/jobs.ts'
import { deliveryOf } from '../../domain/notifications/delivery.ts'
import { afterSend, dueNow, type FailureReason, type Schedule } from '../../domain/schedules/schedule.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import { findOrganization } from '../../store/organizations/organizations.ts'
import { failPending, findDueForUpdate, insertSend, updatePending } from '../../store/schedules.ts'
import type { Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { type StoredMessage, storeWithHolds } from '../notifications/account.ts'
import { degradeMessage } from '../notifications/degrade.ts'
import type { Alongside, Message } from '../notifications/store.ts'
import { enqueueReport } from './report.ts'
import { enqueueSendJob } from './send-jobs.ts'
import { composeScheduled, type Done, pushAndReport, sentEvent } from './sends.ts'

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
  const org = await findOrganization(tx, payload.userId as OrgId)
  // Who joins, leaves or changes groups does so before or after this send.
  if (org) await lockUser(tx, org.id)
  const found = await findDueForUpdate(tx, payload)
  // It was canceled, deleted or sent since the job was enqueued.
  if (!found) return undefined
  const { schedule, holdsPushes } = found
  const { id, userId, keyId } = schedule
  const sender = { userId, plan: ctx.config.plans.named(found.plan), keyId, holdsPushes }
  const message = await composeScheduled(ctx, tx, sender, schedule, org)
  const due = dueNow(schedule, now)
  const reached = { ...schedule, sendAt: due.dueAt }
  const stored = await storeUnlessQuotaExceeded(ctx, tx, sender, message, now, (notificationId) => [
    sentEvent(schedule, notificationId, due, now),
  ])
  if (!stored) {
    return skip(
      tx,
      schedule,
      { ...due, skipped: due.skipped + 1, schedule: afterSend(reached, now), pushes: [], sentAt: now },
      now,
    )
  }
  const { notification, held } = stored
  const pushes = await stored.pushes.claim()
  await insertSend(tx, { id, notificationId: notification.id, dueAt: due.dueAt })
  const delivery = pushes.length === 0 ? deliveryOf([], notification.pushed, held) : null
  const sent = { ...afterSend(reached, now, { notificationId: notification.id }), delivery }
  if (pushes.length > 0) await enqueueReport(tx, { userId, id, notificationId: notification.id }, pushes.length, now)
  const sentAs = held?.reason ?? 'sent'
  return { schedule: await moveOn(tx, schedule, sent, now), pushes, sentAs, sentAt: now, ...due }
}

// The quota, the escalation policy, the receipt cap and the number of members are checked before the first write, so these
// errors can be caught without a rollback. Over a cap the alert is sent without a receipt. Returns undefined if the quota is used up.
async function storeUnlessQuotaExceeded(
  ctx: Context,
  tx: Writer,
  sender: Sender,
  message: Message,
  now: Instant,
  alongside: Alongside,
): Promise<StoredMessage | undefined> {
  try {
    return await storeWithHolds(tx, sender, message, now, alongside)
  } catch (error) {
    const problem = error instanceof Problem ? error.problem : undefined
    if (problem === 'quota.exceeded') return undefined
    const degraded = degradeMessage(ctx, sender.userId, message, error)
    return storeUnlessQuotaExceeded(ctx, tx, sender, degraded, now, alongside)
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

async function appendFailure(
  tx: Writer,
  { userId, id, failureReason }: Pick<Schedule, 'userId' | 'id'> & { failureReason: FailureReason },
  now: Instant,
): Promise<void> {
  await appendEvent(tx, userId, { type: 'schedule.failed', at: now, data: { id, failure_reason: failureReason } })
}
