// Asks a new recipient whether they want our mail: the first half of the double opt-in. Says nothing that an account can
// choose, so that nobody can use us to write to strangers.
import type { UserId } from '../../domain/caller.ts'
import { domainOf } from '../../domain/emails/address.ts'
import { type Recipient, type RecipientId, recipientStatus } from '../../domain/emails/email.ts'
import { confirmationToken } from '../../domain/emails/links.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import type { Context } from '../../operations/context.ts'
import type { Letter } from '../../push/channels/smtp.ts'
import { publicUrlOf } from '../../runtime/settings.ts'
import { findRecipient, suppressRecipient } from '../../store/email-recipients.ts'
import type { Job } from '../../store/jobs.ts'
import type { Delivery, JobResult } from '../job.ts'
import { nextTryAt, postLetter, unsubscribeUrl } from './send-mail.ts'

type Payload = { userId: UserId; recipientId: RecipientId }

export async function confirmRecipient(delivery: Delivery, job: Job): Promise<JobResult> {
  const { ctx } = delivery
  const { userId, recipientId } = job.payload as Payload
  const recipient = await findRecipient(ctx.db.read, userId, recipientId)
  // Removed, confirmed or unsubscribed meanwhile: there is nothing to ask, or nobody who wants to be asked.
  if (!recipient || recipientStatus(recipient) !== 'pending') return { done: true }
  const outcome = await postLetter(delivery, job, letterOf(ctx, recipient))
  const now = ctx.clock.now()
  const again = outcome?.result === 'try_later' ? nextTryAt(job, now) : undefined
  if (again !== undefined) return { again }
  if (outcome?.result !== 'recipient_refused') return { done: true }
  return { done: true, record: (tx) => suppressRecipient(tx, userId, recipientId, now) }
}

function letterOf(ctx: Context, { id, address, confirmationExpiresAt }: Recipient): Letter {
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
