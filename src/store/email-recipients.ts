// The recipients of an account. One who unsubscribes, or whose address is refused for good, stays in the list and gets
// no mail.
import type { UserId } from '../domain/caller.ts'
import { addressKey, type Recipient, type RecipientId } from '../domain/emails.ts'
import { type Instant, instant, instantOrNull } from '../domain/instant.ts'
import type { TokenHash } from '../domain/token.ts'
import { collection, OLDEST_FIRST } from './collection.ts'
import type { Reader, Writer } from './engine/database.ts'
import { fragment, sql } from './engine/sql.ts'

const COLUMNS = fragment('id, user_id, address, confirmation_expires_at, verified_at, suppressed_at, created_at')

export async function insertRecipient(tx: Writer, recipient: Recipient, confirmation: TokenHash): Promise<void> {
  tx.queue(sql`insert into email_recipients (id, user_id, address, address_key, confirmation_hash,
      confirmation_expires_at, created_at)
    values (${recipient.id}, ${recipient.userId}, ${recipient.address}, ${addressKey(recipient.address)},
      ${confirmation}, ${recipient.confirmationExpiresAt}, ${recipient.createdAt})`)
}

const TABLE = { table: 'email_recipients', columns: COLUMNS, order: OLDEST_FIRST }
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
  const row = await db.first<RecipientRow>(sql`select ${COLUMNS} from email_recipients
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
  const row = await db.first<RecipientRow>(sql`select ${COLUMNS} from email_recipients where id = ${id}`)
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
