// Sends a mail for a job, and holds the job for as long as the mail server may take.
import type { RecipientId } from '../../domain/emails/email.ts'
import { unsubscribeTicket } from '../../domain/emails/links.ts'
import { MAIL_DEADLINE_MS, type MailResult, type OutgoingMail } from '../../domain/emails/mail.ts'
import { plusSeconds } from '../../domain/instant.ts'
import { publicUrlOf } from '../../runtime/settings.ts'
import { type Job, LEASE_SECONDS, postponeJob } from '../../store/jobs.ts'
import type { Context, JobContext } from '../context.ts'

// Undefined if the lease has lapsed: another node sends the mail.
export async function sendMailOfJob(
  ctx: JobContext,
  job: Job<'send-email' | 'confirm-recipient'>,
  mail: OutgoingMail,
): Promise<MailResult | undefined> {
  // Even if this process dies, no other node may send the mail while the mail server may still accept this one.
  const heldUntil = plusSeconds(ctx.clock.now(), MAIL_DEADLINE_MS / 1000 + LEASE_SECONDS)
  const isOurs = await ctx.db.transact((tx) => postponeJob(tx, job, heldUntil))
  return isOurs ? ctx.sendMail(mail) : undefined
}

export const unsubscribeUrl = ({ config, signingKey }: Context, id: RecipientId): string =>
  `${publicUrlOf(config)}/emails/unsubscribe/${unsubscribeTicket(signingKey, id)}`
