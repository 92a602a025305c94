// Stores an e-mail to a recipient that has agreed to it, and charges it, in the caller's transaction.
import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import { domainOf, type Mailbox } from '../../domain/emails/address.ts'
import { type Email, type EmailDraft, type Recipient, recipientStatus } from '../../domain/emails/email.ts'
import type { Instant } from '../../domain/instant.ts'
import { newUuid } from '../../runtime/ids.ts'
import { findRecipientByAddress, insertEmail } from '../../store/emails.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { charge } from '../quota.ts'

// An e-mail to a recipient who unsubscribed is stored, but neither sent nor counted. Problems are thrown before the first
// write, so a caller that catches them can continue the transaction.
export async function storeEmail(
  tx: Writer,
  sender: Sender,
  draft: EmailDraft & { from: Mailbox },
  now: Instant,
): Promise<Email> {
  const { from, ...content } = draft
  const recipient = await requireVerified(tx, sender, draft.to)
  const isSuppressed = recipientStatus(recipient) === 'suppressed'
  if (!isSuppressed) await charge(tx, sender, 'emails', now)
  const email: Omit<Email, 'id'> = {
    ...content,
    ...(isSuppressed && { text: undefined, html: undefined }),
    to: recipient.address,
    userId: sender.userId,
    keyId: sender.keyId,
    recipientId: recipient.id,
    messageId: `<${newUuid()}@${domainOf(from.address)}>`,
    status: isSuppressed ? 'suppressed' : 'queued',
    error: null,
    createdAt: now,
  }
  return { ...email, id: await insertEmail(tx, email) }
}

// For a sender that does not wait until it is sent.
export async function enqueueEmail(tx: Writer, { status, userId, id: emailId }: Email, now: Instant): Promise<void> {
  if (status === 'queued') await enqueueJob(tx, { kind: 'send-email', payload: { userId, emailId }, runAt: now })
}

export async function requireVerified(
  db: Reader,
  { userId }: Pick<Sender, 'userId'>,
  address: string,
): Promise<Recipient> {
  const recipient = await findRecipientByAddress(db, userId, address)
  if (recipient && recipient.verifiedAt !== null) return recipient
  throw new Problem(
    'email.recipient_not_verified',
    recipient
      ? `${address} has not confirmed yet; the link in the mail it got does that.`
      : `${address} is no recipient of this account; add it with POST /emails/recipients first.`,
  )
}
