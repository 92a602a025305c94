// What every mail of ours has in common: its links, how long its job is held while the mail server thinks, and when it
// is tried again.
import type { RecipientId } from '../../domain/emails/email.ts'
import { unsubscribeTicket } from '../../domain/emails/links.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Context } from '../../operations/context.ts'
import { type Letter, type MailOutcome, SEND_DEADLINE_MS } from '../../push/channels/smtp.ts'
import { publicUrlOf } from '../../runtime/settings.ts'
import { type Job, LEASE_SECONDS, postponeJob } from '../../store/jobs.ts'
import type { Delivery } from '../job.ts'

// After trouble that may pass: seconds until the next try, over a day in all. Then it is given up.
export const MAIL_RETRY_SECONDS = [60, 300, 900, 3600, 10_800, 21_600, 46_800] as const

// Nothing: the job is someone else's by now.
export async function postLetter({ ctx, mail }: Delivery, job: Job, letter: Letter): Promise<MailOutcome | undefined> {
  if (!mail) return { result: 'try_later', reason: 'This server has no mail server.' }
  // Nobody else may take the job for a dead one while the mail server may still accept the letter.
  const heldUntil = plusSeconds(ctx.clock.now(), SEND_DEADLINE_MS / 1000 + LEASE_SECONDS)
  const isOurs = await ctx.db.transact((tx) => postponeJob(tx, job, heldUntil))
  return isOurs ? mail.send(letter) : undefined
}

export function nextTryAt({ attempt }: Job, now: Instant): Instant | undefined {
  const seconds = MAIL_RETRY_SECONDS[attempt - 1]
  return seconds === undefined ? undefined : plusSeconds(now, seconds)
}

export const unsubscribeUrl = ({ config, signingKey }: Context, id: RecipientId): string =>
  `${publicUrlOf(config)}/emails/unsubscribe/${unsubscribeTicket(signingKey, id)}`
