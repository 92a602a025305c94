// The numbers of integration keys, for senders and apps that know applications by integers.
import type { KeyId, UserId } from '../../domain/caller.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

// Cached, because every send at such a door reads it.
export const findKeyNumber = (db: Reader, userId: UserId, keyId: KeyId): Promise<number | undefined> =>
  db.cached(
    sql`select number from key_numbers where user_id = ${userId} and key_id = ${keyId}`,
    ([row]: { number: number }[]) => row?.number,
  )

// Two requests may do so at once; both get the number that was stored first.
export async function numberKey(tx: Writer, userId: UserId, keyId: KeyId): Promise<number> {
  await tx.execute(
    sql`insert into key_numbers (user_id, key_id) values (${userId}, ${keyId}) on conflict (key_id) do nothing`,
  )
  const row = await tx.first<{ number: number }>(sql`select number from key_numbers where key_id = ${keyId}`)
  if (!row) throw new Error(`the key ${keyId} has no number`)
  return row.number
}

export async function findKeyByNumber(db: Reader, userId: UserId, number: number): Promise<KeyId | undefined> {
  const row = await db.first<{ key_id: KeyId }>(
    sql`select key_id from key_numbers where user_id = ${userId} and number = ${number}`,
  )
  return row?.key_id
}
