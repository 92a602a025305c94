// Aliases of integration keys, by id for who manages keys and by the hash of the token for authentication at a door.
import type { AliasDoor } from '../../contract/keys.ts'
import type { KeyId, UserId } from '../../domain/caller.ts'
import { instant } from '../../domain/instant.ts'
import type { KeyAlias } from '../../domain/keys.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, sql } from '../engine/sql.ts'

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
