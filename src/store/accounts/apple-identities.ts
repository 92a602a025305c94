// Which account belongs to which Apple subject, and the nonces of identity tokens that were used.
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

// Returns false if the subject is known. A concurrent first sign-in of the same person waits here. The account may be
// inserted later in the same transaction.
export async function insertAppleIdentity(tx: Writer, subject: string, userId: UserId, now: Instant): Promise<boolean> {
  const inserted = await tx.run(sql`insert into apple_identities (subject, user_id, created_at)
    values (${subject}, ${userId}, ${now}) on conflict (subject) do nothing`)
  return inserted === 1
}

export async function findAppleUser(db: Reader, subject: string): Promise<UserId | undefined> {
  const row = await db.first<{ user_id: UserId }>(sql`select user_id from apple_identities where subject = ${subject}`)
  return row?.user_id
}

// Returns false if it was used before.
export async function insertUsedNonce(tx: Writer, hash: TokenHash, expiresAt: Instant): Promise<boolean> {
  const inserted = await tx.run(sql`insert into used_nonces (hash, expires_at) values (${hash}, ${expiresAt})
    on conflict (hash) do nothing`)
  return inserted === 1
}

// An expired token is refused anyway, so its nonce need not be kept.
export async function deleteExpiredNonces(tx: Writer, now: Instant): Promise<number> {
  return tx.run(sql`delete from used_nonces where expires_at <= ${now}`)
}
