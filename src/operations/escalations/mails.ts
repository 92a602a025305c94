// The e-mails of a step of an escalation policy. An e-mail that is refused does not stop the step; the timeline says why.
import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import { escalationMail } from '../../domain/escalations.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Receipt } from '../../domain/receipts/receipt.ts'
import { findUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { findNotification } from '../../store/notifications/notifications.ts'
import type { TimelineEntry } from '../../store/notifications/timeline.ts'
import type { Context } from '../context.ts'
import { requireMailServer } from '../emails/emails.ts'
import { storeEmail } from '../emails/store.ts'

// Returns what the timeline says of each of them.
export async function enqueueMails(
  ctx: Context,
  tx: Writer,
  receipt: Receipt,
  addresses: readonly string[],
  now: Instant,
): Promise<TimelineEntry[]> {
  const { userId, notificationId, keyId, escalation, escalatedSteps, createdAt } = receipt
  const account = await findUser(tx, userId)
  const notification = await findNotification(tx, userId, notificationId)
  if (!account || !notification || !escalation) return []
  const sender = { userId, plan: ctx.config.plans.named(account.plan), keyId, holdsPushes: account.holdsPushes }
  const timeline: TimelineEntry[] = []
  for (const address of addresses) {
    const draft = escalationMail(address, escalatedSteps, { notification, escalation, sentAt: createdAt })
    const refusal = await enqueueMail(ctx, tx, sender, draft, now)
    timeline.push(
      refusal === undefined
        ? { at: now, event: 'emailed', detail: address }
        : { at: now, event: 'email_refused', detail: `${address}: ${refusal}` },
    )
  }
  return timeline
}

// Returns why it is refused, if it is.
async function enqueueMail(
  ctx: Context,
  tx: Writer,
  sender: Sender,
  draft: ReturnType<typeof escalationMail>,
  now: Instant,
): Promise<string | undefined> {
  try {
    const email = await storeEmail(tx, sender, { ...draft, from: requireMailServer(ctx) }, now)
    if (email.status === 'suppressed') return 'the recipient has unsubscribed, or its mail server refuses it'
    const payload = { userId: sender.userId, emailId: email.id }
    await enqueueJob(tx, { kind: 'send-email', payload, runAt: now })
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}
