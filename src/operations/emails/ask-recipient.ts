// Asks a new recipient to confirm the address: the first half of the double opt-in. The mail has no text that an account
// can choose, so that nobody can use it to write to strangers.
import { domainOf } from '../../domain/emails/address.ts'
import {
  confirmationToken,
  nextMailAttemptAt,
  type OutgoingMail,
  type Recipient,
  recipientStatus,
} from '../../domain/emails/email.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import { publicUrlOf } from '../../runtime/settings.ts'
import { findRecipient, suppressRecipient } from '../../store/emails.ts'
import type { Job } from '../../store/jobs.ts'
import type { Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { sendMailOfJob, unsubscribeUrl } from './deliver.ts'

export async function askRecipient(ctx: JobContext, job: Job<'confirm-recipient'>): Promise<JobResult> {
  const { userId, recipientId } = job.payload
  const recipient = await findRecipient(ctx.db.read, userId, recipientId)
  // The recipient may have been removed, or may have confirmed or unsubscribed, since the job was enqueued.
  if (!recipient || recipientStatus(recipient) !== 'pending') return { done: true }
  const sent = await sendMailOfJob(ctx, job, confirmationMail(ctx, recipient))
  const now = ctx.clock.now()
  const retryAt = sent?.result === 'try_later' ? nextMailAttemptAt(job.failures, now) : undefined
  if (retryAt !== undefined) return { retryAt }
  if (sent?.result !== 'recipient_refused') return { done: true }
  return { done: true, record: (tx) => suppressRecipient(tx, userId, recipientId, now) }
}

function confirmationMail(ctx: Context, { id, address, confirmationExpiresAt }: Recipient): OutgoingMail {
  const server = publicUrlOf(ctx.config)
  const token = confirmationToken(ctx.signingKey, id, confirmationExpiresAt)
  return {
    to: address,
    subject: 'Please confirm your address',
    text: `Someone who uses Heliograph at ${server} would like to send e-mail to ${address}.

If you want that, open this page by ${toRfc3339(confirmationExpiresAt).slice(0, 16).replace('T', ' ')} UTC and confirm:

${server}/emails/confirm/${token}

If not, do nothing. You will get no mail from there.
`,
    messageId: `<${id}.${confirmationExpiresAt}@${domainOf(ctx.config.mailFrom?.address ?? '')}>`,
    sentAt: ctx.clock.now(),
    unsubscribeUrl: unsubscribeUrl(ctx, id),
  }
}
