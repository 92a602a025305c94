// Activities of an account by slug, and by id for push jobs and for tickets.
import type { Activity, ActivityId, ActivityState, Sound } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import { type Instant, instant, instantOrNull } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { FOR_UPDATE, fragment, IN_BYTE_ORDER, list, sql } from '../engine/sql.ts'

// Signaled when an approval is answered, expires or is asked again.
export const approvalTopic = (id: ActivityId) => `approval:${id}`

const COLUMNS = fragment(`id, user_id, slug, name, state, state_at, run, priority, content, ended_ttl_seconds,
  stale_ttl_seconds, dismissal_ttl_seconds, ended_at, delete_at, alert_sound, alert_version, clock_at, recorded,
  created_at, updated_at`)

export async function findActivity(db: Reader, userId: UserId, slug: string): Promise<Activity | undefined> {
  const row = await db.first<ActivityRow>(
    sql`select ${COLUMNS} from activities where user_id = ${userId} and slug = ${slug}`,
  )
  return row && toActivity(row)
}

// Locks the row until the transaction ends, so that concurrent patches are applied one after the other.
export async function findActivityForUpdate(tx: Writer, userId: UserId, slug: string): Promise<Activity | undefined> {
  const row = await tx.first<ActivityRow>(
    sql`select ${COLUMNS} from activities where user_id = ${userId} and slug = ${slug} ${FOR_UPDATE}`,
  )
  return row && toActivity(row)
}

export async function findActivityByIdForUpdate(
  tx: Writer,
  userId: UserId,
  id: ActivityId,
): Promise<Activity | undefined> {
  const row = await tx.first<ActivityRow>(
    sql`select ${COLUMNS} from activities where user_id = ${userId} and id = ${id} ${FOR_UPDATE}`,
  )
  return row && toActivity(row)
}

// By the ticket in a push, which identifies the activity by itself.
export async function findActivityByTicket(db: Reader, id: ActivityId): Promise<Activity | undefined> {
  const row = await db.first<ActivityRow>(sql`select ${COLUMNS} from activities where id = ${id}`)
  return row && toActivity(row)
}

// Without the contents; `bytes` is their size.
export type ActivitySize = Pick<Activity, 'slug' | 'state'> & { bytes: number }

export async function listActivitySizes(db: Reader, userId: UserId): Promise<ActivitySize[]> {
  return db.all<ActivitySize>(sql`select slug, state, octet_length(content) as bytes from activities
    where user_id = ${userId} order by slug ${IN_BYTE_ORDER}`)
}

export async function listActivities(db: Reader, userId: UserId, slugs: string[]): Promise<Activity[]> {
  if (slugs.length === 0) return []
  const rows = await db.all<ActivityRow>(sql`select ${COLUMNS} from activities
    where user_id = ${userId} and slug in (${list(slugs)}) order by slug ${IN_BYTE_ORDER}`)
  return rows.map(toActivity)
}

export async function listOngoingForUpdate(tx: Writer, userId: UserId): Promise<Activity[]> {
  const rows = await tx.all<ActivityRow>(sql`select ${COLUMNS} from activities
    where user_id = ${userId} and state = 'ongoing' order by id ${FOR_UPDATE}`)
  return rows.map(toActivity)
}

export async function countActivities(db: Reader, userId: UserId): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count from activities where user_id = ${userId}`)
  return row?.count ?? 0
}

export async function insertActivity(tx: Writer, activity: Activity): Promise<void> {
  tx.write(sql`insert into activities (id, user_id, slug, name, state, state_at, run, priority, content,
      ended_ttl_seconds, stale_ttl_seconds, dismissal_ttl_seconds, recorded, push_version, push_timestamp, created_at,
      updated_at)
    values (${activity.id}, ${activity.userId}, ${activity.slug}, ${activity.name}, ${activity.state},
      ${activity.stateAt}, ${activity.startCount}, ${activity.priority}, ${JSON.stringify(activity.content)},
      ${activity.endedTtlSeconds}, ${activity.staleTtlSeconds}, ${activity.dismissalTtlSeconds}, 0, 0, 0,
      ${activity.createdAt}, ${activity.updatedAt})`)
}

export async function updateActivity(tx: Writer, activity: Activity): Promise<void> {
  tx.write(sql`update activities set name = ${activity.name}, state = ${activity.state},
      state_at = ${activity.stateAt}, run = ${activity.startCount}, priority = ${activity.priority},
      content = ${JSON.stringify(activity.content)}, ended_ttl_seconds = ${activity.endedTtlSeconds},
      stale_ttl_seconds = ${activity.staleTtlSeconds}, dismissal_ttl_seconds = ${activity.dismissalTtlSeconds},
      ended_at = ${activity.endedAt}, delete_at = ${activity.deleteAt},
      alert_sound = ${activity.alert?.sound ?? null}, alert_version = ${activity.alert?.version ?? null},
      clock_at = ${activity.tickAt}, recorded = ${activity.recordCount}, updated_at = ${activity.updatedAt}
    where user_id = ${activity.userId} and id = ${activity.id}`)
}

export type Stamped = { activity: Activity; timestamp: number }

// Returns the newest version and the timestamp of its push: the same for every device, and later than that of any
// earlier version even if the clock was set back.
export async function stampNewestVersion(
  tx: Writer,
  userId: UserId,
  id: ActivityId,
  nowSeconds: number,
): Promise<Stamped | undefined> {
  const row = await tx.first<ActivityRow & { push_timestamp: number }>(sql`update activities set
      push_timestamp = case when push_version = updated_at then push_timestamp
        when push_timestamp >= ${nowSeconds} then push_timestamp + 1 else ${nowSeconds} end,
      push_version = updated_at
    where user_id = ${userId} and id = ${id} returning ${COLUMNS}, push_timestamp`)
  return row && { activity: toActivity(row), timestamp: row.push_timestamp }
}

export async function deleteActivity(tx: Writer, userId: UserId, id: ActivityId): Promise<boolean> {
  return (await tx.run(sql`delete from activities where user_id = ${userId} and id = ${id}`)) === 1
}

export async function deleteActivitiesUnchangedSince(
  tx: Writer,
  at: Instant,
  limit: number,
): Promise<Pick<Activity, 'userId' | 'slug'>[]> {
  const rows = await tx.all<Pick<ActivityRow, 'user_id' | 'slug'>>(sql`delete from activities where id in
    (select id from activities where state <> 'ongoing' and updated_at < ${at} order by updated_at limit ${limit})
    returning user_id, slug`)
  return rows.map((row) => ({ userId: row.user_id, slug: row.slug }))
}

type ActivityRow = {
  id: ActivityId
  user_id: UserId
  slug: string
  name: string
  state: ActivityState
  state_at: number
  run: number
  priority: number
  content: string
  ended_ttl_seconds: number | null
  stale_ttl_seconds: number | null
  dismissal_ttl_seconds: number | null
  ended_at: number | null
  delete_at: number | null
  alert_sound: Sound | null
  alert_version: number | null
  clock_at: number | null
  recorded: number
  created_at: number
  updated_at: number
}

const toActivity = (row: ActivityRow): Activity => ({
  id: row.id,
  userId: row.user_id,
  slug: row.slug,
  name: row.name,
  state: row.state,
  stateAt: instant(row.state_at),
  startCount: row.run,
  priority: row.priority,
  content: JSON.parse(row.content),
  endedTtlSeconds: row.ended_ttl_seconds,
  staleTtlSeconds: row.stale_ttl_seconds,
  dismissalTtlSeconds: row.dismissal_ttl_seconds,
  endedAt: instantOrNull(row.ended_at),
  deleteAt: instantOrNull(row.delete_at),
  createdAt: instant(row.created_at),
  updatedAt: instant(row.updated_at),
  alert:
    row.alert_sound === null || row.alert_version === null
      ? null
      : { sound: row.alert_sound, version: instant(row.alert_version) },
  tickAt: instantOrNull(row.clock_at),
  recordCount: row.recorded,
})
