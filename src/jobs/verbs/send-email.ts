// Sends one e-mail to its recipient, and records what became of it. An address that is refused for good gets no more.
import type { UserId } from '../../domain/caller.ts'
import { type Email, type EmailId, recipientStatus } from '../../domain/emails/email.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Context } from '../../operations/context.ts'
import type { Letter, MailOutcome } from '../../push/channels/smtp.ts'
import { findRecipient, suppressRecipient } from '../../store/email-recipients.ts'
import { findEmail, finishEmail, updateEmailError } from '../../store/emails.ts'
import type { Job } from '../../store/jobs.ts'
import type { Delivery, JobResult } from '../job.ts'
import { nextTryAt, postLetter, unsubscribeUrl } from './send-mail.ts'

type Payload = { userId: UserId; emailId: EmailId }

export async function sendEmail(delivery: Delivery, job: Job): Promise<JobResult> {
  const { ctx } = delivery
  const { userId, emailId } = job.payload as Payload
  const email = await findEmail(ctx.db.read, userId, emailId)
  if (email?.status !== 'queued') return { done: true }
  const recipient = await findRecipient(ctx.db.read, userId, email.recipientId)
  if (!recipient || recipientStatus(recipient) !== 'verified') {
    return finished(email, 'suppressed', 'The recipient unsubscribed or was removed before it could be sent.')
  }
  const outcome = await postLetter(delivery, job, letterOf(ctx, email))
  return outcome ? settled(email, outcome, nextTryAt(job, ctx.clock.now()), ctx.clock.now()) : { done: true }
}

function letterOf(ctx: Context, email: Email): Letter {
  const { to, subject, text, html, messageId, createdAt: sentAt, recipientId } = email
  return { to, subject, text, html, messageId, sentAt, unsubscribeUrl: unsubscribeUrl(ctx, recipientId) }
}

function settled(email: Email, outcome: MailOutcome, again: Instant | undefined, now: Instant): JobResult {
  switch (outcome.result) {
    case 'accepted':
      return finished(email, 'sent', null)
    case 'rejected':
      return finished(email, 'failed', outcome.reason)
    case 'recipient_refused':
      return bounced(email, outcome.reason, now)
    case 'try_later':
      if (again === undefined) return finished(email, 'failed', outcome.reason)
      return { again, record: (tx) => updateEmailError(tx, email.userId, email.id, outcome.reason) }
  }
}

function bounced(email: Email, reason: string, now: Instant): JobResult {
  const end = finished(email, 'bounced', reason)
  return {
    ...end,
    async record(tx) {
      await end.record?.(tx)
      await suppressRecipient(tx, email.userId, email.recipientId, now)
    },
  }
}

function finished({ userId, id }: Email, status: Email['status'], error: string | null): JobResult {
  return {
    done: true,
    accepted: status === 'sent',
    record: (tx) => finishEmail(tx, userId, id, { status, error }),
  }
}
