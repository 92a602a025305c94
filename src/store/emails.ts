// Accepted e-mails and their status, and the recipients that people have confirmed. Bodies are deleted when they are no longer
// needed for sending.
import type { KeyId, UserId } from '../domain/caller.ts'
import { addressKey } from '../domain/emails/address.ts'
import type { Email, EmailId, EmailStatus, Recipient, RecipientId } from '../domain/emails/email.ts'
import { type Instant, instant, instantOrNull } from '../domain/instant.ts'
import type { TokenHash } from '../domain/token.ts'
import { collection, OLDEST_FIRST } from './collection.ts'
import type { Reader, Writer } from './engine/database.ts'
import { fragment, type Sql, sql } from './engine/sql.ts'

const COLUMNS = fragment(`id, user_id, key_id, recipient_id, address, subject, text_body, html_body, message_id, status,
  error, created_at`)
// For lists, which have no bodies.
const LISTED = fragment(`id, user_id, key_id, recipient_id, address, subject, null as text_body, null as html_body,
  message_id, status, error, created_at`)

export async function insertEmail(tx: Writer, email: Omit<Email, 'id'>): Promise<EmailId> {
  return tx.insert(sql`insert into emails (user_id, key_id, recipient_id, address, subject,
      text_body, html_body, message_id, status, error, created_at)
    values (${email.userId}, ${email.keyId}, ${email.recipientId}, ${email.to}, ${email.subject}, ${email.text ?? null},
      ${email.html ?? null}, ${email.messageId}, ${email.status}, ${email.error}, ${email.createdAt})`)
}

export async function findEmail(db: Reader, userId: UserId, id: EmailId): Promise<Email | undefined> {
  const row = await db.first<EmailRow>(sql`select ${COLUMNS} from emails where user_id = ${userId} and id = ${id}`)
  return row && toEmail(row)
}

export type EmailFilter = { before?: EmailId; keyId?: KeyId }

// Newest first. Ids only grow, so pages are stable.
export async function listEmails(db: Reader, userId: UserId, filter: EmailFilter, limit: number): Promise<Email[]> {
  const rows = await db.all<EmailRow>(
    sql`select ${LISTED} from emails where user_id = ${userId} ${emailConditions(filter)} order by id desc limit ${limit}`,
  )
  return rows.map(toEmail)
}

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

type EmailRow = {
  id: EmailId
  user_id: UserId
  key_id: KeyId | null
  recipient_id: RecipientId
  address: string
  subject: string
  text_body: string | null
  html_body: string | null
  message_id: string
  status: EmailStatus
  error: string | null
  created_at: number
}

const toEmail = (row: EmailRow): Email => ({
  id: row.id,
  userId: row.user_id,
  keyId: row.key_id,
  recipientId: row.recipient_id,
  to: row.address,
  subject: row.subject,
  text: row.text_body ?? undefined,
  html: row.html_body ?? undefined,
  messageId: row.message_id,
  status: row.status,
  error: row.error,
  createdAt: instant(row.created_at),
})

// The recipients of an account. One who unsubscribes, or whose address is refused for good, stays in the list and gets
// no mail.
const RECIPIENT_COLUMNS = fragment(
  'id, user_id, address, confirmation_expires_at, verified_at, suppressed_at, created_at',
)

export async function insertRecipient(tx: Writer, recipient: Recipient, confirmation: TokenHash): Promise<void> {
  tx.queue(sql`insert into email_recipients (id, user_id, address, address_key, confirmation_hash,
      confirmation_expires_at, created_at)
    values (${recipient.id}, ${recipient.userId}, ${recipient.address}, ${addressKey(recipient.address)},
      ${confirmation}, ${recipient.confirmationExpiresAt}, ${recipient.createdAt})`)
}

const TABLE = { table: 'email_recipients', columns: RECIPIENT_COLUMNS, order: OLDEST_FIRST }
const byAddress = collection({ ...TABLE, name: 'address_key' }, toRecipient)

export const {
  find: findRecipient,
  list: listRecipients,
  count: countRecipients,
  remove: deleteRecipient,
} = collection<RecipientRow, Recipient, RecipientId>({ ...TABLE, name: 'id' }, toRecipient)

export const findRecipientByAddress = (db: Reader, userId: UserId, address: string): Promise<Recipient | undefined> =>
  byAddress.find(db, userId, addressKey(address))

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
export async function findRecipientByConfirmation(
  db: Reader,
  confirmation: TokenHash,
  now: Instant,
): Promise<Recipient | undefined> {
  const row = await db.first<RecipientRow>(sql`select ${RECIPIENT_COLUMNS} from email_recipients
    where confirmation_hash = ${confirmation} and (verified_at is not null or confirmation_expires_at > ${now})`)
  return row && toRecipient(row)
}

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
export async function findRecipientByTicket(db: Reader, id: RecipientId): Promise<Recipient | undefined> {
  const row = await db.first<RecipientRow>(sql`select ${RECIPIENT_COLUMNS} from email_recipients where id = ${id}`)
  return row && toRecipient(row)
}

export async function suppressRecipient(tx: Writer, userId: UserId, id: RecipientId, now: Instant): Promise<void> {
  tx.queue(sql`update email_recipients set suppressed_at = ${now}
    where user_id = ${userId} and id = ${id} and suppressed_at is null`)
}

type RecipientRow = {
  id: RecipientId
  user_id: UserId
  address: string
  confirmation_expires_at: number
  verified_at: number | null
  suppressed_at: number | null
  created_at: number
}

function toRecipient(row: RecipientRow): Recipient {
  return {
    id: row.id,
    userId: row.user_id,
    address: row.address,
    confirmationExpiresAt: instant(row.confirmation_expires_at),
    verifiedAt: instantOrNull(row.verified_at),
    suppressedAt: instantOrNull(row.suppressed_at),
    createdAt: instant(row.created_at),
  }
}
