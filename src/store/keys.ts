// Integration keys (hlk_), by id for their owner and by the hash of the secret for authentication; and what doors know them by:
// aliases, which are tokens in the form of another service, and numbers.

import type { AliasDoor } from '../contract/keys/doors.ts'
import type { PlanName } from '../contract/plans.ts'
import type { KeyCaller, KeyId, UserId } from '../domain/caller.ts'
import type { TargetIds } from '../domain/ids.ts'
import type { Instant } from '../domain/instant.ts'
import type { Grant, IntegrationKey, KeyAlias } from '../domain/keys.ts'
import type { TokenHash } from '../domain/token.ts'
import { revocationTopic } from './accounts/tokens.ts'
import { collection, NEWEST_FIRST } from './collection.ts'
import type { Reader, Writer } from './engine/database.ts'
import { flag, json, rowsOf, stored } from './engine/rows.ts'
import { sql } from './engine/sql.ts'

const slugs = (column: string) => stored(column, (text: string): string[] => (text === '[]' ? [] : JSON.parse(text)))

const ROWS = rowsOf<IntegrationKey>('integration_keys', {
  id: 'id',
  userId: 'user_id',
  name: 'name',
  isDefault: flag('is_default'),
  permissions: json('permissions'),
  activitySlugs: slugs('activity_slugs'),
  widgetSlugs: slugs('widget_slugs'),
  target: json('target'),
  expiresAt: 'expires_at',
  stormLimit: 'storm_limit',
  sound: 'sound',
  lastUsedAt: 'last_used_at',
  createdAt: 'created_at',
})

export async function insertKey(tx: Writer, key: IntegrationKey, hash: TokenHash): Promise<void> {
  tx.queue(sql`insert into integration_keys (id, user_id, hash, name, is_default, permissions, activity_slugs,
      widget_slugs, target, expires_at, storm_limit, sound, last_used_at, created_at)
    values (${key.id}, ${key.userId}, ${hash}, ${key.name}, ${key.isDefault ? 1 : 0}, ${JSON.stringify(key.permissions)},
      ${JSON.stringify(key.activitySlugs)}, ${JSON.stringify(key.widgetSlugs)}, ${fromTarget(key.target)},
      ${key.expiresAt}, ${key.stormLimit}, ${key.sound}, ${key.lastUsedAt}, ${key.createdAt})`)
}

type StoredKeyCaller = Omit<KeyCaller, 'plan'> & { plan: PlanName }
type CallerOfKey = { caller: StoredKeyCaller; expiresAt: Instant | null }

const CALLERS = rowsOf<Omit<StoredKeyCaller, 'kind'> & { expiresAt: Instant | null }>(
  'integration_keys k join users u on u.id = k.user_id',
  {
    tokenHash: 'k.hash',
    userId: 'k.user_id',
    accountKind: 'u.kind',
    plan: 'u.plan',
    holdsPushes: flag('u.holds_pushes'),
    keyId: 'k.id',
    keyName: 'k.name',
    isDefault: flag('k.is_default'),
    permissions: json('k.permissions'),
    activitySlugs: slugs('k.activity_slugs'),
    widgetSlugs: slugs('k.widget_slugs'),
    target: json('k.target'),
    stormLimit: 'k.storm_limit',
    sound: 'k.sound',
    expiresAt: 'k.expires_at',
  },
).as(({ expiresAt, ...caller }): CallerOfKey => ({ caller: { kind: 'key', ...caller }, expiresAt }))

// Cached, because every request with a key reads it.
export const findKeyCaller = (db: Reader, hash: TokenHash): Promise<CallerOfKey | undefined> =>
  CALLERS.firstCached(db, sql`where k.hash = ${hash}`)

export const {
  find: findKey,
  findForUpdate: findKeyForUpdate,
  list: listKeys,
  count: countKeys,
} = collection(ROWS, { name: 'id', order: NEWEST_FIRST })

export async function findKeyHash(db: Reader, userId: UserId, id: KeyId): Promise<TokenHash | undefined> {
  const row = await db.first<{ hash: TokenHash }>(
    sql`select hash from integration_keys where user_id = ${userId} and id = ${id}`,
  )
  return row?.hash
}

export const findDefaultKey = (db: Reader, userId: UserId): Promise<IntegrationKey | undefined> =>
  ROWS.first(db, sql`where user_id = ${userId} and is_default = 1`)

export async function updateKey(
  tx: Writer,
  key: Pick<IntegrationKey, 'id' | 'userId' | 'name'> & Grant,
): Promise<void> {
  tx.queue(sql`update integration_keys set name = ${key.name}, permissions = ${JSON.stringify(key.permissions)},
      activity_slugs = ${JSON.stringify(key.activitySlugs)}, widget_slugs = ${JSON.stringify(key.widgetSlugs)},
      target = ${fromTarget(key.target)}, expires_at = ${key.expiresAt},
      storm_limit = ${key.stormLimit}, sound = ${key.sound}
    where user_id = ${key.userId} and id = ${key.id}`)
  // Its permissions may be lower now.
  tx.signal(revocationTopic(key.userId))
}

export async function updateKeySecret(tx: Writer, userId: UserId, id: KeyId, hash: TokenHash): Promise<void> {
  tx.queue(sql`update integration_keys set hash = ${hash} where user_id = ${userId} and id = ${id}`)
  tx.signal(revocationTopic(userId))
}

export async function deleteKey(tx: Writer, userId: UserId, id: KeyId): Promise<void> {
  tx.queue(sql`delete from storms where user_id = ${userId} and shield_id = ${id}`)
  tx.queue(sql`delete from integration_keys where user_id = ${userId} and id = ${id}`)
  tx.signal(revocationTopic(userId))
}

export async function updateLastUsed(tx: Writer, userId: UserId, id: KeyId, at: Instant): Promise<void> {
  tx.queue(sql`update integration_keys set last_used_at = ${at} where user_id = ${userId} and id = ${id}`)
}

const fromTarget = (target: TargetIds | null): string | null => target && JSON.stringify(target)

// Aliases of integration keys, by id for who manages keys and by the hash of the token for authentication at a door.

const ALIASES = rowsOf<KeyAlias>('key_aliases', {
  id: 'id',
  userId: 'user_id',
  keyId: 'key_id',
  door: 'door',
  createdAt: 'created_at',
})

export async function insertAlias(tx: Writer, alias: KeyAlias, hash: TokenHash): Promise<void> {
  tx.queue(sql`insert into key_aliases (id, user_id, key_id, door, hash, created_at)
    values (${alias.id}, ${alias.userId}, ${alias.keyId}, ${alias.door}, ${hash}, ${alias.createdAt})`)
}

// Oldest first.
export const listAliases = (db: Reader, userId: UserId, keyId: KeyId): Promise<KeyAlias[]> =>
  ALIASES.all(db, sql`where user_id = ${userId} and key_id = ${keyId} order by created_at, id`)

export const findAlias = (db: Reader, hash: TokenHash): Promise<KeyAlias | undefined> =>
  ALIASES.first(db, sql`where hash = ${hash}`)

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
