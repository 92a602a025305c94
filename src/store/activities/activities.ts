// Activities of an account, by slug; and by id for the jobs that push them and for the tickets in those pushes.
import type { Activity, ActivityId, ActivityState, Sound } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import { type Instant, instant, instantOrNull } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { FOR_UPDATE, fragment, IN_BYTE_ORDER, list, sql } from '../engine/sql.ts'

// Rung when an approval is answered, expires or is asked anew.
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

// Held until the transaction ends, so that no patch is computed from what another one is replacing.
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

// By the capability that a push carries, which names the activity and nothing else.
export async function findActivityByTicket(db: Reader, id: ActivityId): Promise<Activity | undefined> {
  const row = await db.first<ActivityRow>(sql`select ${COLUMNS} from activities where id = ${id}`)
  return row && toActivity(row)
}

// All of an account, which has few, without their contents: `bytes` is how long that of each is.
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
  tx.queue(sql`insert into activities (id, user_id, slug, name, state, state_at, run, priority, content,
      ended_ttl_seconds, stale_ttl_seconds, dismissal_ttl_seconds, recorded, push_version, push_timestamp, created_at,
      updated_at)
    values (${activity.id}, ${activity.userId}, ${activity.slug}, ${activity.name}, ${activity.state},
      ${activity.stateAt}, ${activity.run}, ${activity.priority}, ${JSON.stringify(activity.content)},
      ${activity.endedTtlSeconds}, ${activity.staleTtlSeconds}, ${activity.dismissalTtlSeconds}, 0, 0, 0,
      ${activity.createdAt}, ${activity.updatedAt})`)
}

export async function updateActivity(tx: Writer, activity: Activity): Promise<void> {
  tx.queue(sql`update activities set name = ${activity.name}, state = ${activity.state},
      state_at = ${activity.stateAt}, run = ${activity.run}, priority = ${activity.priority},
      content = ${JSON.stringify(activity.content)}, ended_ttl_seconds = ${activity.endedTtlSeconds},
      stale_ttl_seconds = ${activity.staleTtlSeconds}, dismissal_ttl_seconds = ${activity.dismissalTtlSeconds},
      ended_at = ${activity.endedAt}, delete_at = ${activity.deleteAt},
      alert_sound = ${activity.alert?.sound ?? null}, alert_version = ${activity.alert?.version ?? null},
      clock_at = ${activity.clockAt}, recorded = ${activity.recorded}, updated_at = ${activity.updatedAt}
    where user_id = ${activity.userId} and id = ${activity.id}`)
}

export type Stamped = { activity: Activity; timestamp: number }

// The newest version, and the second it is pushed under: the same for every device, later than that of any version
// pushed before, whatever the clock did meanwhile.
export async function stampForPush(
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
  return (await tx.execute(sql`delete from activities where user_id = ${userId} and id = ${id}`)) === 1
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
  run: row.run,
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
  clockAt: instantOrNull(row.clock_at),
  recorded: row.recorded,
})
