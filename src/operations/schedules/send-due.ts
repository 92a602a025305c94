// Sends a schedule that is due. One transaction settles the job, charges the quota, stores the notification with its push
// jobs, and sets the schedule to its next time. The pushes run after the commit; if the process dies before, other nodes
// run them once their leases have lapsed, and a report-schedule job writes the result.
import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/event.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Jobs } from '../../domain/jobs.ts'
import { deliveryOf } from '../../domain/notifications/delivery.ts'
import type { IncomingNotification, Notification, NotificationId } from '../../domain/notifications/notification.ts'
import type { OrgId } from '../../domain/organizations/ids.ts'
import { afterSend, type Due, dueNow, type FailureReason, type Schedule } from '../../domain/schedules/schedule.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { findActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import { findOrganization } from '../../store/organizations/organizations.ts'
import { listAddresses } from '../../store/push-tokens.ts'
import { failPending, findDueForUpdate, insertSend, updatePending } from '../../store/schedules.ts'
import type { ClaimedJob, Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueClaimedPushes } from '../notifications/enqueue-pushes.ts'
import { PUSH_PATIENCE_MS } from '../notifications/patience.ts'
import { composeMessage, type Message, storeNotification } from '../notifications/store.ts'
import { targetWhenSent } from '../organizations/sends/schedules.ts'
import { enqueueFirstPushes } from '../organizations/sends/send.ts'
import { type Addressing, type OrgSender, storeOrgSend } from '../organizations/sends/store.ts'
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
  const org = await findOrganization(tx, payload.userId as OrgId)
  // Who joins, leaves or changes groups does so before or after this send.
  if (org) await lockUser(tx, org.id)
  const found = await findDueForUpdate(tx, payload)
  // It was canceled, deleted or sent since the job was enqueued.
  if (!found) return undefined
  const { schedule, plan } = found
  const { id, userId, keyId } = schedule
  const sender = { userId, plan, keyId }
  const { target: _, ...input } = await withoutLostActivity(tx, schedule)
  const message = composeMessage(ctx, sender, input)
  const due = dueNow(schedule, now)
  const reached = { ...schedule, sendAt: due.dueAt }
  const store = org ? storerFor(await addressingOf(tx, schedule)) : storeForPerson
  const stored = await storeIfPossible(tx, store, sender, message, now, (notificationId) => [
    sentEvent(schedule, notificationId, due, now),
  ])
  if (!stored) {
    return skip(tx, schedule, { ...due, skipped: due.skipped + 1, schedule: afterSend(reached, now), pushes: [] }, now)
  }
  const { notification, pushes } = stored
  await insertSend(tx, { id, notificationId: notification.id, dueAt: due.dueAt })
  const delivery = pushes.length === 0 ? deliveryOf([], message.push) : null
  const sent = { ...afterSend(reached, now, { notificationId: notification.id }), delivery }
  if (pushes.length > 0) await enqueueReport(tx, { userId, id, notificationId: notification.id }, pushes.length, now)
  return { schedule: await moveOn(tx, schedule, sent, now), pushes, ...due }
}

type StoredWithPushes = { notification: Notification; pushes: ClaimedJob[] }
type Alongside = (id: NotificationId) => NewEvent[]
// Stores the notification of a schedule and enqueues its pushes.
type Store = (
  tx: Writer,
  sender: Sender,
  message: Message,
  now: Instant,
  alongside: Alongside,
) => Promise<StoredWithPushes>

const storeForPerson: Store = async (tx, sender, message, now, alongside) => {
  const stored = await storeNotification(tx, sender, message, now, alongside)
  const addresses = message.push ? await listAddresses(tx, sender.userId) : []
  return { notification: stored.notification, pushes: await enqueueClaimedPushes(tx, stored, addresses, now) }
}

const storerFor =
  (addressing: Addressing): Store =>
  async (tx, sender, message, now, alongside) => {
    const sent = await storeOrgSend(tx, sender as OrgSender, message, addressing, now, alongside)
    return { notification: sent.stored.notification, pushes: await enqueueFirstPushes(tx, sent, now) }
  }

async function addressingOf(tx: Writer, schedule: Schedule): Promise<Addressing> {
  return { target: schedule.input.target ?? null, targetIds: await targetWhenSent(tx, schedule) }
}

// The quota, the receipt cap and the number of members are checked before the first write, so these errors can be caught
// without a rollback. Over a cap the alert is sent without a receipt. Returns undefined if the quota is used up.
async function storeIfPossible(
  tx: Writer,
  store: Store,
  sender: Sender,
  message: Message,
  now: Instant,
  alongside: Alongside,
): Promise<StoredWithPushes | undefined> {
  try {
    return await store(tx, sender, message, now, alongside)
  } catch (error) {
    const problem = error instanceof Problem ? error.problem : undefined
    if (problem === 'quota.exceeded') return undefined
    const isOverCap = problem === 'notification_receipt.limit_exceeded' || problem === 'notification.invalid'
    if (!isOverCap || !message.acknowledge) throw error
    return storeIfPossible(tx, store, sender, { ...message, acknowledge: undefined }, now, alongside)
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
async function withoutLostActivity(tx: Writer, { userId, input }: Schedule): Promise<IncomingNotification> {
  const { activity_slug, ...rest } = input
  return activity_slug && (await findActivity(tx, userId, activity_slug)) ? input : rest
}
