// Heartbeats of an account by slug, by id for the job that judges them, and by token for pings.
import type { UserId } from '../../domain/caller.ts'
import type { Heartbeat, HeartbeatId, HeartbeatStatus, PingKey, PingToken } from '../../domain/heartbeats/heartbeat.ts'
import type { TargetIds } from '../../domain/ids.ts'
import { instant, instantOrNull } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { type Targeted, targeted } from '../../domain/organizations/limit.ts'
import { EVERYONE } from '../../domain/organizations/target.ts'
import { collection, NEWEST_FIRST } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { FOR_UPDATE, fragment, sql } from '../engine/sql.ts'

const COLUMNS = fragment(`id, user_id, slug, token, settings, target_ids, status, last_ping_at, last_success_at,
  last_duration_ms, due_at, runs, run_until, down_since, alert_id, pings, minute_start, minute_pings, created_at,
  updated_at`)

export type TargetedHeartbeat = Targeted<Heartbeat>

export async function insertHeartbeat(tx: Writer, heartbeat: Heartbeat): Promise<void> {
  const { id, userId, slug, token, status, runs, pings, createdAt, updatedAt } = heartbeat
  tx.queue(sql`insert into heartbeats (id, user_id, slug, token, settings, target_ids, status, runs, pings, created_at,
      updated_at)
    values (${id}, ${userId}, ${slug}, ${token}, ${JSON.stringify(heartbeat.settings)}, ${targetText(heartbeat)},
      ${status}, ${JSON.stringify(runs)}, ${pings}, ${createdAt}, ${updatedAt})`)
}

const TABLE = { table: 'heartbeats', columns: COLUMNS, order: NEWEST_FIRST }

export const {
  find: findHeartbeat,
  findForUpdate: findHeartbeatForUpdate,
  list: listHeartbeats,
  count: countHeartbeats,
  remove: deleteHeartbeat,
} = collection({ ...TABLE, name: 'slug' }, toTargeted)
export const { findForUpdate: findHeartbeatByIdForUpdate } = collection<HeartbeatRow, Heartbeat, HeartbeatId>(
  { ...TABLE, name: 'id' },
  toHeartbeat,
)

// The targets of the heartbeats of an organization.
export async function listHeartbeatTargets(db: Reader, userId: UserId): Promise<TargetIds[]> {
  const rows = await db.all<{ target_ids: string }>(
    sql`select target_ids from heartbeats where user_id = ${userId} and target_ids is not null`,
  )
  return rows.map((row) => JSON.parse(row.target_ids))
}

// Not limited to an account: the token is the permission to ping.
export async function findHeartbeatByTokenForUpdate(tx: Writer, token: PingToken): Promise<Heartbeat | undefined> {
  const row = await tx.first<HeartbeatRow>(sql`select ${COLUMNS} from heartbeats where token = ${token} ${FOR_UPDATE}`)
  return row && toHeartbeat(row)
}

export async function findHeartbeatByPingKeyForUpdate(
  tx: Writer,
  key: PingKey,
  slug: string,
): Promise<Heartbeat | undefined> {
  const row = await tx.first<HeartbeatRow>(sql`select ${COLUMNS} from heartbeats
    where user_id = (select user_id from ping_keys where ping_key = ${key}) and slug = ${slug} ${FOR_UPDATE}`)
  return row && toHeartbeat(row)
}

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

type HeartbeatRow = {
  id: HeartbeatId
  user_id: UserId
  slug: string
  token: PingToken
  settings: string
  target_ids: string | null
  status: HeartbeatStatus
  last_ping_at: number | null
  last_success_at: number | null
  last_duration_ms: number | null
  due_at: number | null
  runs: string
  run_until: number | null
  down_since: number | null
  alert_id: NotificationId | null
  pings: number
  minute_start: number
  minute_pings: number
  created_at: number
  updated_at: number
}

function toTargeted(row: HeartbeatRow): TargetedHeartbeat {
  const heartbeat = toHeartbeat(row)
  return targeted(heartbeat, [heartbeat.targetIds ?? EVERYONE])
}

function toHeartbeat(row: HeartbeatRow): Heartbeat {
  return {
    id: row.id,
    userId: row.user_id,
    slug: row.slug,
    token: row.token,
    settings: JSON.parse(row.settings),
    targetIds: row.target_ids === null ? null : JSON.parse(row.target_ids),
    status: row.status,
    lastPingAt: instantOrNull(row.last_ping_at),
    lastSuccessAt: instantOrNull(row.last_success_at),
    lastDurationMs: row.last_duration_ms,
    dueAt: instantOrNull(row.due_at),
    runs: JSON.parse(row.runs),
    runUntil: instantOrNull(row.run_until),
    downSince: instantOrNull(row.down_since),
    alertId: row.alert_id,
    pings: row.pings,
    minuteStart: instant(row.minute_start),
    minutePings: row.minute_pings,
    createdAt: instant(row.created_at),
    updatedAt: instant(row.updated_at),
  }
}
