// The keys by which heartbeats are pinged by their slugs, one for each account.
import type { UserId } from '../../domain/caller.ts'
import type { PingKey } from '../../domain/heartbeats/heartbeat.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

export async function findPingKey(db: Reader, userId: UserId): Promise<PingKey | undefined> {
  const row = await db.first<{ ping_key: PingKey }>(sql`select ping_key from ping_keys where user_id = ${userId}`)
  return row?.ping_key
}

// Not limited to an account: the key is the permission to ping.
export async function findOwnerOfPingKey(db: Reader, key: PingKey): Promise<UserId | undefined> {
  const row = await db.first<{ user_id: UserId }>(sql`select user_id from ping_keys where ping_key = ${key}`)
  return row?.user_id
}

// Keeps the key that the account has.
export async function insertPingKey(tx: Writer, userId: UserId, key: PingKey): Promise<void> {
  tx.queue(sql`insert into ping_keys (user_id, ping_key) values (${userId}, ${key}) on conflict (user_id) do nothing`)
}

export async function replacePingKey(tx: Writer, userId: UserId, key: PingKey): Promise<void> {
  tx.queue(sql`insert into ping_keys (user_id, ping_key) values (${userId}, ${key})
    on conflict (user_id) do update set ping_key = excluded.ping_key`)
}
