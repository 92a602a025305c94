// Heartbeats of an account by slug, by id for the job that judges them, and by token for pings.
import type { UserId } from '../../domain/caller.ts'
import type { Heartbeat, HeartbeatId, PingKey, PingToken } from '../../domain/heartbeats/heartbeat.ts'
import type { TargetIds } from '../../domain/ids.ts'
import { type Targeted, targeted } from '../../domain/organizations/limit.ts'
import { EVERYONE } from '../../domain/organizations/target.ts'
import { collection, NEWEST_FIRST } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { json, rowsOf } from '../engine/rows.ts'
import { FOR_UPDATE, sql } from '../engine/sql.ts'

const ROWS = rowsOf<Heartbeat>('heartbeats', {
  id: 'id',
  userId: 'user_id',
  slug: 'slug',
  token: 'token',
  settings: json('settings'),
  targetIds: json('target_ids'),
  status: 'status',
  lastPingAt: 'last_ping_at',
  lastSuccessAt: 'last_success_at',
  lastDurationMs: 'last_duration_ms',
  dueAt: 'due_at',
  runs: json('runs'),
  runUntil: 'run_until',
  downSince: 'down_since',
  alertId: 'alert_id',
  pings: 'pings',
  minuteStart: 'minute_start',
  minutePings: 'minute_pings',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
})

export type TargetedHeartbeat = Targeted<Heartbeat>
const TARGETED = ROWS.as((heartbeat) => targeted(heartbeat, [heartbeat.targetIds ?? EVERYONE]))

export async function insertHeartbeat(tx: Writer, heartbeat: Heartbeat): Promise<void> {
  const { id, userId, slug, token, status, runs, pings, createdAt, updatedAt } = heartbeat
  tx.queue(sql`insert into heartbeats (id, user_id, slug, token, settings, target_ids, status, runs, pings, created_at,
      updated_at)
    values (${id}, ${userId}, ${slug}, ${token}, ${JSON.stringify(heartbeat.settings)}, ${targetText(heartbeat)},
      ${status}, ${JSON.stringify(runs)}, ${pings}, ${createdAt}, ${updatedAt})`)
}

export const {
  find: findHeartbeat,
  findForUpdate: findHeartbeatForUpdate,
  list: listHeartbeats,
  count: countHeartbeats,
  remove: deleteHeartbeat,
} = collection(TARGETED, { name: 'slug', order: NEWEST_FIRST })

export const findHeartbeatByIdForUpdate = (
  tx: Writer,
  userId: UserId,
  id: HeartbeatId,
): Promise<Heartbeat | undefined> => ROWS.first(tx, sql`where user_id = ${userId} and id = ${id} ${FOR_UPDATE}`)

// The targets of the heartbeats of an organization.
export async function listHeartbeatTargets(db: Reader, userId: UserId): Promise<TargetIds[]> {
  const rows = await db.all<{ target_ids: string }>(
    sql`select target_ids from heartbeats where user_id = ${userId} and target_ids is not null`,
  )
  return rows.map((row) => JSON.parse(row.target_ids))
}

// Not limited to an account: the token is the permission to ping.
export const findHeartbeatByTokenForUpdate = (tx: Writer, token: PingToken): Promise<Heartbeat | undefined> =>
  ROWS.first(tx, sql`where token = ${token} ${FOR_UPDATE}`)

export const findHeartbeatByPingKeyForUpdate = (
  tx: Writer,
  key: PingKey,
  slug: string,
): Promise<Heartbeat | undefined> =>
  ROWS.first(
    tx,
    sql`where user_id = (select user_id from ping_keys where ping_key = ${key}) and slug = ${slug} ${FOR_UPDATE}`,
  )

// What pings and the clock change. The caller has locked the row.
export async function updateHeartbeatState(tx: Writer, heartbeat: Heartbeat): Promise<void> {
  tx.queue(sql`update heartbeats set status = ${heartbeat.status}, last_ping_at = ${heartbeat.lastPingAt},
      last_success_at = ${heartbeat.lastSuccessAt}, last_duration_ms = ${heartbeat.lastDurationMs},
      due_at = ${heartbeat.dueAt}, runs = ${JSON.stringify(heartbeat.runs)}, run_until = ${heartbeat.runUntil},
      down_since = ${heartbeat.downSince}, alert_id = ${heartbeat.alertId}, pings = ${heartbeat.pings},
      minute_start = ${heartbeat.minuteStart}, minute_pings = ${heartbeat.minutePings}
    where user_id = ${heartbeat.userId} and id = ${heartbeat.id}`)
}

// What people change. The caller has locked the row.
export async function updateHeartbeatSettings(tx: Writer, heartbeat: Heartbeat): Promise<void> {
  tx.queue(sql`update heartbeats set token = ${heartbeat.token}, settings = ${JSON.stringify(heartbeat.settings)},
      target_ids = ${targetText(heartbeat)}, updated_at = ${heartbeat.updatedAt}
    where user_id = ${heartbeat.userId} and id = ${heartbeat.id}`)
}

// Moves every time that is judged. Returns how many heartbeats have one.
export async function moveDueTimes(tx: Writer, ms: number): Promise<number> {
  return tx.execute(sql`update heartbeats set due_at = due_at + ${ms}, run_until = run_until + ${ms}
    where due_at is not null or run_until is not null`)
}

const targetText = ({ targetIds }: Heartbeat): string | null => targetIds && JSON.stringify(targetIds)
