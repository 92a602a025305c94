// Accepted e-mails and their status, and the recipients that people have confirmed. Bodies are deleted when they are no longer
// needed for sending.
import type { KeyId, UserId } from '../domain/caller.ts'
import { addressKey } from '../domain/emails/address.ts'
import type { Email, EmailId, EmailStatus, Recipient, RecipientId } from '../domain/emails/email.ts'
import type { Instant } from '../domain/instant.ts'
import type { TokenHash } from '../domain/token.ts'
import { collection, OLDEST_FIRST } from './collection.ts'
import type { Reader, Writer } from './engine/database.ts'
import { flag, optional, rowsOf } from './engine/rows.ts'
import { type Sql, sql } from './engine/sql.ts'

const MEMBERS = {
  id: 'id',
  userId: 'user_id',
  keyId: 'key_id',
  recipientId: 'recipient_id',
  to: 'address',
  subject: 'subject',
  text: optional<string>('text_body'),
  html: optional<string>('html_body'),
  messageId: 'message_id',
  status: 'status',
  error: 'error',
  createdAt: 'created_at',
}
const ROWS = rowsOf<Email>('emails', MEMBERS)
// For lists, which have no bodies.
const LISTED = rowsOf<Email>('emails', {
  ...MEMBERS,
  text: optional('null as text_body'),
  html: optional('null as html_body'),
})

export async function insertEmail(tx: Writer, email: Omit<Email, 'id'>): Promise<EmailId> {
  return tx.insert(sql`insert into emails (user_id, key_id, recipient_id, address, subject,
      text_body, html_body, message_id, status, error, created_at)
    values (${email.userId}, ${email.keyId}, ${email.recipientId}, ${email.to}, ${email.subject}, ${email.text ?? null},
      ${email.html ?? null}, ${email.messageId}, ${email.status}, ${email.error}, ${email.createdAt})`)
}

export const findEmail = (db: Reader, userId: UserId, id: EmailId): Promise<Email | undefined> =>
  ROWS.first(db, sql`where user_id = ${userId} and id = ${id}`)

export type EmailFilter = { before?: EmailId; keyId?: KeyId }

// Newest first. Ids only grow, so pages are stable.
export const listEmails = (db: Reader, userId: UserId, filter: EmailFilter, limit: number): Promise<Email[]> =>
  LISTED.all(db, sql`where user_id = ${userId} ${emailConditions(filter)} order by id desc limit ${limit}`)

// The final status of an e-mail; deletes its bodies.
export async function finishEmail(
  tx: Writer,
  userId: UserId,
  id: EmailId,
  { status, error }: { status: EmailStatus; error: string | null },
): Promise<void> {
  tx.queue(sql`update emails set status = ${status}, error = ${error}, text_body = null, html_body = null
    where user_id = ${userId} and id = ${id} and status = 'queued'`)
}

// Records the error of an attempt that will be retried.
export async function updateEmailError(tx: Writer, userId: UserId, id: EmailId, error: string): Promise<void> {
  tx.queue(sql`update emails set error = ${error} where user_id = ${userId} and id = ${id} and status = 'queued'`)
}

export async function deleteEmailsBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from emails where id in
    (select id from emails where created_at < ${at} order by created_at limit ${limit})`)
}

function emailConditions({ before, keyId }: EmailFilter): Sql {
  const page = before === undefined ? sql`` : sql`and id < ${before}`
  return keyId === undefined ? page : sql`${page} and key_id = ${keyId}`
}

// The recipients of an account. One who unsubscribes, or whose address is refused for good, stays in the list and gets
// no mail.
const RECIPIENTS = rowsOf<Recipient>('email_recipients', {
  id: 'id',
  userId: 'user_id',
  address: 'address',
  confirmationExpiresAt: 'confirmation_expires_at',
  verifiedAt: 'verified_at',
  suppressedAt: 'suppressed_at',
  signsIn: flag('signs_in'),
  createdAt: 'created_at',
})

export async function insertRecipient(tx: Writer, recipient: Recipient, confirmation: TokenHash): Promise<void> {
  tx.queue(sql`insert into email_recipients (id, user_id, address, address_key, confirmation_hash,
      confirmation_expires_at, created_at)
    values (${recipient.id}, ${recipient.userId}, ${recipient.address}, ${addressKey(recipient.address)},
      ${confirmation}, ${recipient.confirmationExpiresAt}, ${recipient.createdAt})`)
}

export const {
  find: findRecipient,
  list: listRecipients,
  count: countRecipients,
  remove: deleteRecipient,
} = collection<Recipient, RecipientId>(RECIPIENTS, { name: 'id', order: OLDEST_FIRST })

export const findRecipientByAddress = (db: Reader, userId: UserId, address: string): Promise<Recipient | undefined> =>
  RECIPIENTS.first(db, sql`where user_id = ${userId} and address_key = ${addressKey(address)}`)

// Not limited to an account: the address tells which accounts sign in.
export const listSigningIn = (db: Reader, address: string, limit: number): Promise<Recipient[]> =>
  RECIPIENTS.all(
    db,
    sql`where address_key = ${addressKey(address)} and signs_in = 1 and verified_at is not null and suppressed_at is null
    order by created_at, id limit ${limit}`,
  )

// Returns false if the recipient is gone, or has not confirmed.
export async function updateSignsIn(tx: Writer, userId: UserId, id: RecipientId, signsIn: boolean): Promise<boolean> {
  const updated = await tx.execute(sql`update email_recipients set signs_in = ${signsIn ? 1 : 0}
    where user_id = ${userId} and id = ${id} and verified_at is not null`)
  return updated === 1
}

// Invalidates the link of an earlier mail.
export async function replaceConfirmation(
  tx: Writer,
  { userId, id, confirmationExpiresAt }: Recipient,
  confirmation: TokenHash,
): Promise<void> {
  tx.queue(sql`update email_recipients set confirmation_hash = ${confirmation},
      confirmation_expires_at = ${confirmationExpiresAt}
    where user_id = ${userId} and id = ${id} and verified_at is null`)
}

// By the confirmation link, which identifies the recipient by itself. Expired links are not found.
export const findRecipientByConfirmation = (
  db: Reader,
  confirmation: TokenHash,
  now: Instant,
): Promise<Recipient | undefined> =>
  RECIPIENTS.first(
    db,
    sql`where confirmation_hash = ${confirmation} and (verified_at is not null or confirmation_expires_at > ${now})`,
  )

// A link confirms once, so it cannot undo a later unsubscription.
export async function verifyRecipient(
  tx: Writer,
  { userId, id }: Recipient,
  confirmation: TokenHash,
  now: Instant,
): Promise<void> {
  tx.queue(sql`update email_recipients set verified_at = ${now}, suppressed_at = null
    where user_id = ${userId} and id = ${id} and confirmation_hash = ${confirmation} and verified_at is null`)
}

// By the unsubscribe ticket of an e-mail.
export const findRecipientByTicket = (db: Reader, id: RecipientId): Promise<Recipient | undefined> =>
  RECIPIENTS.first(db, sql`where id = ${id}`)

export async function suppressRecipient(tx: Writer, userId: UserId, id: RecipientId, now: Instant): Promise<void> {
  tx.queue(sql`update email_recipients set suppressed_at = ${now}
    where user_id = ${userId} and id = ${id} and suppressed_at is null`)
}
