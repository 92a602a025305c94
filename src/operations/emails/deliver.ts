// Delivers one e-mail to the mail server and records the result. A recipient that the server refuses is suppressed.
import {
  type Email,
  MAIL_DEADLINE_MS,
  type MailResult,
  nextMailAttemptAt,
  type OutgoingMail,
  type RecipientId,
  recipientStatus,
  unsubscribeTicket,
} from '../../domain/emails/email.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { publicUrlOf } from '../../runtime/settings.ts'
import { findEmail, findRecipient, finishEmail, suppressRecipient, updateEmailError } from '../../store/emails.ts'
import { type Job, LEASE_SECONDS, postponeJob } from '../../store/jobs.ts'
import type { Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'

export async function deliverEmail(ctx: JobContext, job: Job<'send-email'>): Promise<JobResult> {
  const { userId, emailId } = job.payload
  const email = await findEmail(ctx.db.read, userId, emailId)
  if (email?.status !== 'queued') return { done: true }
  const recipient = await findRecipient(ctx.db.read, userId, email.recipientId)
  if (!recipient || recipientStatus(recipient) !== 'verified') {
    return finish(email, 'suppressed', 'The recipient unsubscribed or was removed before it could be sent.')
  }
  const sent = await sendMailOfJob(ctx, job, toOutgoingMail(ctx, email))
  const now = ctx.clock.now()
  return sent ? toJobResult(email, sent, nextMailAttemptAt(job.failures, now), now) : { done: true }
}

function toOutgoingMail(ctx: Context, email: Email): OutgoingMail {
  const { to, subject, text, html, messageId, createdAt: sentAt, recipientId } = email
  return { to, subject, text, html, messageId, sentAt, unsubscribeUrl: unsubscribeUrl(ctx, recipientId) }
}

function toJobResult(email: Email, sent: MailResult, retryAt: Instant | undefined, now: Instant): JobResult {
  switch (sent.result) {
    case 'accepted':
      return finish(email, 'sent', null)
    case 'rejected':
      return finish(email, 'failed', sent.reason)
    case 'recipient_refused':
      return bounce(email, sent.reason, now)
    case 'try_later':
      if (retryAt === undefined) return finish(email, 'failed', sent.reason)
      return { retryAt, record: (tx) => updateEmailError(tx, email.userId, email.id, sent.reason) }
  }
}

function bounce(email: Email, reason: string, now: Instant): JobResult {
  const finished = finish(email, 'bounced', reason)
  return {
    ...finished,
    async record(tx) {
      await finished.record?.(tx)
      await suppressRecipient(tx, email.userId, email.recipientId, now)
    },
  }
}

function finish({ userId, id }: Email, status: Email['status'], error: string | null): JobResult {
  return {
    done: true,
    outcome: status === 'sent' ? 'accepted' : 'refused',
    record: (tx) => finishEmail(tx, userId, id, { status, error }),
  }
}

// Sends a mail for a job, and holds the job for as long as the mail server may take.
// Undefined if the lease has lapsed: another node sends the mail.
export async function sendMailOfJob(
  ctx: JobContext,
  job: Job<'send-email' | 'confirm-recipient' | 'mail-sign-in-link'>,
  mail: OutgoingMail,
): Promise<MailResult | undefined> {
  // Even if this process dies, no other node may send the mail while the mail server may still accept this one.
  const heldUntil = plusSeconds(ctx.clock.now(), MAIL_DEADLINE_MS / 1000 + LEASE_SECONDS)
  const isOurs = await ctx.db.transact((tx) => postponeJob(tx, job, heldUntil))
  return isOurs ? ctx.sendMail(mail) : undefined
}

export const unsubscribeUrl = ({ config, signingKey }: Context, id: RecipientId): string =>
  `${publicUrlOf(config)}/emails/unsubscribe/${unsubscribeTicket(signingKey, id)}`
