// A sign-in link by e-mail, for addresses that a person has confirmed and chosen for it. Whoever asks gets the same answer
// whether or not an account has the address, and in both cases a transaction writes.
import { LIMITS } from '../../contract/limits.ts'
import { addressKey, domainOf } from '../../domain/emails/address.ts'
import {
  checkAddress,
  mailedSignInCode,
  nextMailAttemptAt,
  type OutgoingMail,
  type Recipient,
  recipientStatus,
} from '../../domain/emails/email.ts'
import { plusSeconds } from '../../domain/instant.ts'
import { hashToken } from '../../domain/token.ts'
import { publicUrlOf } from '../../runtime/settings.ts'
import { findUser, insertSignInCode } from '../../store/accounts/accounts.ts'
import { countWithinLimit } from '../../store/accounts/daily-limits.ts'
import { findRecipient, listSigningIn } from '../../store/emails.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import type { Context, JobContext } from '../context.ts'
import { sendMailOfJob, unsubscribeUrl } from '../emails/deliver.ts'
import { requireMailServer } from '../emails/emails.ts'
import type { JobResult } from '../job-result.ts'
import { limitKey } from './daily-limit.ts'
import { signInUrl } from './sessions.ts'

export async function requestSignInMail(ctx: Context, address: string): Promise<void> {
  requireMailServer(ctx)
  checkAddress(address)
  const now = ctx.clock.now()
  const { maxSignInMailsPerDay, maxAccountsPerSignInMail, signInCodeSeconds } = LIMITS.account
  const expiresAt = plusSeconds(now, signInCodeSeconds)
  await ctx.db.transact(async (tx) => {
    const key = limitKey(ctx, 'sign-in-mail', addressKey(address))
    const isAllowed = await countWithinLimit(tx, key, maxSignInMailsPerDay, now)
    const recipients = await listSigningIn(tx, address, maxAccountsPerSignInMail)
    for (const { userId, id: recipientId } of isAllowed ? recipients : []) {
      const code = mailedSignInCode(ctx.signingKey, recipientId, expiresAt)
      await insertSignInCode(tx, hashToken(code), userId, expiresAt)
      await enqueueJob(tx, { kind: 'mail-sign-in-link', payload: { userId, recipientId, expiresAt }, runAt: now })
    }
  })
}

export async function mailSignInLink(ctx: JobContext, job: Job<'mail-sign-in-link'>): Promise<JobResult> {
  const { userId, recipientId, expiresAt } = job.payload
  const recipient = await findRecipient(ctx.db.read, userId, recipientId)
  // The person may have removed the address since, or the mail server may have been away for too long.
  const isWanted = recipient?.signsIn && recipientStatus(recipient) === 'verified' && expiresAt > ctx.clock.now()
  if (!isWanted) return { done: true }
  const user = await findUser(ctx.db.read, userId)
  const sent = await sendMailOfJob(ctx, job, signInMail(ctx, recipient, user?.nickname ?? '', job.payload))
  const retryAt = sent?.result === 'try_later' ? nextMailAttemptAt(job.failures, ctx.clock.now()) : undefined
  return retryAt === undefined ? { done: true } : { retryAt }
}

function signInMail(
  ctx: Context,
  { id, address }: Recipient,
  nickname: string,
  { expiresAt }: Job<'mail-sign-in-link'>['payload'],
): OutgoingMail {
  const server = publicUrlOf(ctx.config)
  return {
    to: address,
    subject: 'Your sign-in link',
    text: `Open this page to sign in to Heliograph at ${server}${nickname && ` as ${nickname}`}:

${signInUrl(server, mailedSignInCode(ctx.signingKey, id, expiresAt))}

The link works once, for ${LIMITS.account.signInCodeSeconds / 60} minutes. Give it to nobody.
If you did not ask for it, do nothing: nobody is signed in without it.
`,
    messageId: `<${id}.${expiresAt}.sign-in@${domainOf(ctx.config.mailFrom?.address ?? '')}>`,
    sentAt: ctx.clock.now(),
    unsubscribeUrl: unsubscribeUrl(ctx, id),
  }
}
