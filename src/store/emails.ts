// Accepted e-mails and their status. The bodies are deleted when they are no longer needed for sending.
import type { KeyId, UserId } from '../domain/caller.ts'
import type { Email, EmailId, EmailStatus, RecipientId } from '../domain/emails.ts'
import { type Instant, instant } from '../domain/instant.ts'
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
