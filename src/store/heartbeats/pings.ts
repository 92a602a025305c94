// The last pings of heartbeats, and the keys by which heartbeats are pinged by slug.
import { LIMITS } from '../../contract/limits.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Heartbeat, HeartbeatId, PingKey } from '../../domain/heartbeats/heartbeat.ts'
import type { KeptPing } from '../../domain/heartbeats/ping.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { optional, rowsOf } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

// The last pings of each heartbeat, kept in a ring of rows.

// `pings` of the heartbeat is the number of this one.
export async function savePing(tx: Writer, { id, userId, pings: number }: Heartbeat, ping: KeptPing): Promise<void> {
  const { at, kind, exitStatus = null, durationMs = null, body, from } = ping
  tx.queue(sql`insert into heartbeat_pings (heartbeat_id, slot, user_id, number, at, kind, exit_status, duration_ms,
      body, from_address)
    values (${id}, ${number % LIMITS.heartbeat.keptPings}, ${userId}, ${number}, ${at}, ${kind}, ${exitStatus},
      ${durationMs}, ${body}, ${from})
    on conflict (heartbeat_id, slot) do update set number = excluded.number, at = excluded.at, kind = excluded.kind,
      exit_status = excluded.exit_status, duration_ms = excluded.duration_ms, body = excluded.body,
      from_address = excluded.from_address`)
}

const ROWS = rowsOf<KeptPing>('heartbeat_pings', {
  at: 'at',
  kind: 'kind',
  exitStatus: optional('exit_status'),
  durationMs: optional('duration_ms'),
  body: 'body',
  from: 'from_address',
})

// Newest first.
export const listPings = (db: Reader, userId: UserId, heartbeatId: HeartbeatId): Promise<KeptPing[]> =>
  ROWS.all(db, sql`where user_id = ${userId} and heartbeat_id = ${heartbeatId} order by number desc`)

// The keys by which heartbeats are pinged by their slugs, one for each account.

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
