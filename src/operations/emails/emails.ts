// Sends e-mail to recipients that have agreed to it: stores it, then hands it to the mail server while the sender
// waits. The worker goes on if that takes longer. Also lists the e-mails that were sent.
import type { EmailInput, EmailQuery } from '../../contract/emails.ts'
import { Problem } from '../../contract/problems.ts'
import { type Caller, senderOf } from '../../domain/caller.ts'
import { decodeCursor, encodeCursor, type Page } from '../../domain/cursor.ts'
import type { Mailbox } from '../../domain/emails/address.ts'
import { draftEmail, type Email, type EmailId } from '../../domain/emails/email.ts'
import type { Instant } from '../../domain/instant.ts'
import { requireLevel } from '../../domain/permissions.ts'
import { findEmail, listEmails } from '../../store/emails.ts'
import type { Writer } from '../../store/engine/database.ts'
import { enqueueClaimedJob, type Job } from '../../store/jobs.ts'
import { sentEmailView } from '../../views/emails.ts'
import { afterCommit } from '../after-commit.ts'
import type { Context } from '../context.ts'
import { type Idempotent, type IdempotentRequest, idempotently } from '../idempotency.ts'
import { readCursor, readPage } from '../paging.ts'
import { storeEmail } from './store.ts'

const MAIL_PATIENCE_MS = 10_000

export async function sendEmail(
  ctx: Context,
  caller: Caller,
  input: EmailInput,
  request?: IdempotentRequest,
): Promise<Idempotent<Email>> {
  requireLevel(caller, 'emails', 'send')
  const from = requireMailServer(ctx)
  const draft = { ...draftEmail(input), from }
  const now = ctx.clock.now()
  return idempotently(ctx, caller, request, {
    now,
    commit: async (tx) => {
      const email = await storeEmail(tx, senderOf(caller), draft, now)
      const job = await claimEmail(tx, email, now)
      return { resourceId: email.id, complete: () => sendNow(ctx, caller, email, job) }
    },
    recover: (id) => requireEmail(ctx, caller, id as EmailId),
    view: sentEmailView,
  })
}

// An e-mail to a suppressed recipient has no job.
async function sendNow(ctx: Context, caller: Caller, email: Email, job: Job<'send-email'> | undefined): Promise<Email> {
  if (!job) return email
  await ctx.runNow([{ job }], MAIL_PATIENCE_MS)
  return afterCommit(requireEmail(ctx, caller, email.id), email)
}

// A key sees the e-mails that it sent itself.
export async function readEmailPage(ctx: Context, caller: Caller, query: EmailQuery): Promise<Page<Email>> {
  requireLevel(caller, 'emails', 'send')
  const before = readCursor(query.cursor, decodeCursor) as EmailId | undefined
  const filter = { before, keyId: senderOf(caller).keyId ?? undefined }
  return readPage(query.limit, {
    find: async (count) => ({ entries: await listEmails(ctx.db.read, caller.userId, filter, count) }),
    load: async (emails) => emails,
    cursorAfter: ({ id }) => encodeCursor(id),
  })
}

export const isMailEnabled = ({ config }: Context): boolean => Boolean(config.smtpUrl && config.mailFrom)

export function requireMailServer({ config }: Context): Mailbox {
  if (config.smtpUrl && config.mailFrom) return config.mailFrom
  throw new Problem('email.not_enabled', 'E-mail is off; the operator sets HELIOGRAPH_SMTP_URL and _MAIL_FROM.')
}

async function claimEmail(tx: Writer, email: Email, now: Instant): Promise<Job<'send-email'> | undefined> {
  if (email.status !== 'queued') return undefined
  const payload = { userId: email.userId, emailId: email.id }
  return enqueueClaimedJob(tx, { kind: 'send-email', payload }, now)
}

async function requireEmail(ctx: Context, { userId }: Caller, id: EmailId): Promise<Email> {
  const email = await findEmail(ctx.db.read, userId, id)
  if (!email) throw new Problem('email.not_found', 'The e-mail of the first request is no longer kept.')
  return email
}
