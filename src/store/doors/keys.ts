// What doors know integration keys by: tokens in the form of another service (aliases), and numbers.
import type { AliasDoor } from '../../contract/keys.ts'
import type { KeyId, UserId } from '../../domain/caller.ts'
import { instant } from '../../domain/instant.ts'
import type { KeyAlias } from '../../domain/keys.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, sql } from '../engine/sql.ts'

// Aliases of integration keys, by id for who manages keys and by the hash of the token for authentication at a door.

const COLUMNS = fragment('id, user_id, key_id, door, created_at')

export async function insertAlias(tx: Writer, alias: KeyAlias, hash: TokenHash): Promise<void> {
  tx.queue(sql`insert into key_aliases (id, user_id, key_id, door, hash, created_at)
    values (${alias.id}, ${alias.userId}, ${alias.keyId}, ${alias.door}, ${hash}, ${alias.createdAt})`)
}

// Oldest first.
export async function listAliases(db: Reader, userId: UserId, keyId: KeyId): Promise<KeyAlias[]> {
  const rows = await db.all<AliasRow>(sql`select ${COLUMNS} from key_aliases
    where user_id = ${userId} and key_id = ${keyId} order by created_at, id`)
  return rows.map(toAlias)
}

// Returns whether there was one.
export async function deleteAlias(tx: Writer, userId: UserId, keyId: KeyId, id: string): Promise<boolean> {
  const rows = await tx.all(
    sql`delete from key_aliases where user_id = ${userId} and key_id = ${keyId} and id = ${id} returning id`,
  )
  return rows.length > 0
}

export async function deleteAliasesOf(tx: Writer, userId: UserId, keyId: KeyId): Promise<void> {
  tx.queue(sql`delete from key_aliases where user_id = ${userId} and key_id = ${keyId}`)
}

// The hash of the secret of the key that has this alias. Cached, because every send at a door reads it.
export const findAliasedKeyHash = (db: Reader, door: AliasDoor, hash: TokenHash): Promise<TokenHash | undefined> =>
  db.cached(
    sql`select k.hash from key_aliases a join integration_keys k on k.id = a.key_id
      where a.hash = ${hash} and a.door = ${door}`,
    ([row]: { hash: TokenHash }[]) => row?.hash,
  )

type AliasRow = { id: string; user_id: UserId; key_id: KeyId; door: AliasDoor; created_at: number }

const toAlias = (row: AliasRow): KeyAlias => ({
  id: row.id,
  userId: row.user_id,
  keyId: row.key_id,
  door: row.door,
  createdAt: instant(row.created_at),
})

// The numbers of integration keys, for senders and apps that know applications by integers.

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
