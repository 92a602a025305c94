// Takes a step of the escalation policy of an alert that nobody has acknowledged. The step is counted by compare-and-set,
// and everything that it does is written in the same transaction: pushes, e-mails, members, callback, and the next step.
import type { EscalationStep } from '../../domain/escalations.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Jobs } from '../../domain/jobs.ts'
import type { OrgSend } from '../../domain/organizations/send.ts'
import { type Receipt, receiptCollapseId, receiptEvent } from '../../domain/receipts/receipt.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { insertTimeline, type TimelineEntry } from '../../store/notifications/timeline.ts'
import { findSend } from '../../store/organizations/sends.ts'
import { countStep, findReceipt } from '../../store/receipts.ts'
import type { Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { addMembers } from '../notifications/fan-out/added-members.ts'
import { enqueueNotificationPushes } from '../push/enqueue.ts'
import { enqueueNextRepeat, enqueueNextStep } from '../receipts/open.ts'
import { enqueueMails } from './mails.ts'

export async function escalateReceipt(ctx: JobContext, { payload }: Job<'escalate-receipt'>): Promise<JobResult> {
  const now = ctx.clock.now()
  return { done: true, record: (tx) => takeStep(ctx, tx, payload, now) }
}

async function takeStep(
  ctx: Context,
  tx: Writer,
  { userId, notificationId, step: number }: Jobs['escalate-receipt'],
  now: Instant,
): Promise<void> {
  // The e-mails lock the usage of the account after its receipt, the reverse of a send with `acknowledge`. Both lock the
  // account first, so neither waits for the other with a lock that the other needs.
  await lockUser(tx, userId)
  const found = await findReceipt(tx, userId, notificationId)
  const step = found?.escalation?.steps[number - 1]
  if (!found || !step) return
  const repeatSeconds = step.repeatSeconds ?? found.repeatSeconds
  const receipt = await countStep(tx, found, { step: number, repeatSeconds }, now)
  if (!receipt) return
  const send = await findSend(tx, notificationId)
  for (const entry of await effectsOf(ctx, tx, { receipt, step, send }, now)) {
    await insertTimeline(tx, userId, notificationId, entry)
  }
  await enqueueNextRepeat(tx, receipt, now, now)
  await enqueueNextStep(tx, receipt)
  await appendEvent(tx, userId, receiptEvent('receipt.escalated', receipt, now))
  await enqueuePushes(tx, receipt, send, now)
}

type Taken = { receipt: Receipt; step: EscalationStep; send: OrgSend | undefined }

// Returns what the timeline says of the step.
async function effectsOf(
  ctx: Context,
  tx: Writer,
  { receipt, step, send }: Taken,
  now: Instant,
): Promise<TimelineEntry[]> {
  const { userId, notificationId, escalation, escalatedSteps } = receipt
  const detail = `${escalatedSteps}/${escalation?.steps.length}`
  const timeline: TimelineEntry[] = [{ at: now, event: 'escalated', detail }]
  if (step.emails) timeline.push(...(await enqueueMails(ctx, tx, receipt, step.emails, now)))
  if (step.targetIds && send) {
    const added = await addMembers(tx, send, { step: escalatedSteps, target: step.targetIds }, now)
    timeline.push({ at: now, event: 'members_added', detail: String(added) })
  }
  if (step.callbackUrl !== undefined) {
    const payload = { userId, notificationId, step: escalatedSteps, at: now }
    await enqueueJob(tx, { kind: 'send-step-callback', payload, runAt: now })
  }
  return timeline
}

// To everyone who has the alert, those whom the step has added included. Each push reads the level from the receipt.
async function enqueuePushes(tx: Writer, receipt: Receipt, send: OrgSend | undefined, now: Instant): Promise<void> {
  const { userId, notificationId, repeatsSent: repeat } = receipt
  if (send) {
    return enqueueJob(tx, { kind: 'spread-repeat', payload: { userId, notificationId, repeat }, runAt: now })
  }
  const collapseId = receiptCollapseId(receipt)
  await enqueueNotificationPushes(tx, { userId, notificationId, collapseId, repeat }, now)
}
