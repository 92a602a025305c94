// Activities of an account by slug, and by id for push jobs and for tickets.
import type { Activity, ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { targetedActivity } from '../../domain/organizations/activity-target.ts'
import type { Targeted } from '../../domain/organizations/limit.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { FOR_UPDATE, IN_BYTE_ORDER, list, sql } from '../engine/sql.ts'
import { type ActivityRow, COLUMNS, toActivity, toTarget } from './activity-row.ts'

export type TargetedActivity = Targeted<Activity>

// Signaled when an approval is answered, expires or is asked again.
export const approvalTopic = (id: ActivityId) => `approval:${id}`

export async function findActivity(db: Reader, userId: UserId, slug: string): Promise<TargetedActivity | undefined> {
  const row = await db.first<ActivityRow>(
    sql`select ${COLUMNS} from activities where user_id = ${userId} and slug = ${slug}`,
  )
  return row && targetedActivity(toActivity(row))
}

// Locks the row until the transaction ends, so that concurrent patches are applied one after the other.
export async function findActivityForUpdate(
  tx: Writer,
  userId: UserId,
  slug: string,
): Promise<TargetedActivity | undefined> {
  const row = await tx.first<ActivityRow>(
    sql`select ${COLUMNS} from activities where user_id = ${userId} and slug = ${slug} ${FOR_UPDATE}`,
  )
  return row && targetedActivity(toActivity(row))
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

export async function findActivityOfAccount(
  db: Reader,
  userId: UserId,
  id: ActivityId,
): Promise<TargetedActivity | undefined> {
  const row = await db.first<ActivityRow>(
    sql`select ${COLUMNS} from activities where user_id = ${userId} and id = ${id}`,
  )
  return row && targetedActivity(toActivity(row))
}

// Finds an activity of any account. Callers have a ticket, or check the standing of their account.
export async function findActivityById(db: Reader, id: ActivityId): Promise<Activity | undefined> {
  const row = await db.first<ActivityRow>(sql`select ${COLUMNS} from activities where id = ${id}`)
  return row && toActivity(row)
}

// Without the contents; `bytes` is their size.
export type ActivitySize = Pick<Activity, 'id' | 'slug' | 'state' | 'target'> & { bytes: number }

export async function listActivitySizes(db: Reader, userId: UserId): Promise<ActivitySize[]> {
  const rows = await db.all<SizeRow>(sql`select id, slug, state, target, octet_length(content) as bytes from activities
    where user_id = ${userId} order by slug ${IN_BYTE_ORDER}`)
  return rows.map((row) => ({ ...row, target: toTarget(row) }))
}

type SizeRow = Omit<ActivitySize, 'target'> & Pick<ActivityRow, 'target'>

// The caller has checked that the account may see them. In no particular order.
export async function listActivitiesById(db: Reader, ids: readonly ActivityId[]): Promise<Activity[]> {
  if (ids.length === 0) return []
  const rows = await db.all<ActivityRow>(sql`select ${COLUMNS} from activities where id in (${list(ids)})`)
  return rows.map(toActivity)
}

export async function listOngoingForUpdate(tx: Writer, userId: UserId): Promise<Activity[]> {
  const rows = await tx.all<ActivityRow>(sql`select ${COLUMNS} from activities
    where user_id = ${userId} and state = 'ongoing' order by id ${FOR_UPDATE}`)
  return rows.map(toActivity)
}

// Locks all of them, in any state, until the transaction ends.
export async function lockActivities(tx: Writer, userId: UserId): Promise<void> {
  await tx.lock(sql`select id from activities where user_id = ${userId} order by id`)
}

export async function countActivities(db: Reader, userId: UserId): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count from activities where user_id = ${userId}`)
  return row?.count ?? 0
}

export async function insertActivity(tx: Writer, activity: Activity): Promise<void> {
  tx.queue(sql`insert into activities (id, user_id, slug, name, state, state_at, run, priority, content,
      ended_ttl_seconds, stale_ttl_seconds, dismissal_ttl_seconds, recorded, target, push_version, push_timestamp,
      created_at, updated_at)
    values (${activity.id}, ${activity.userId}, ${activity.slug}, ${activity.name}, ${activity.state},
      ${activity.stateAt}, ${activity.startCount}, ${activity.priority}, ${JSON.stringify(activity.content)},
      ${activity.endedTtlSeconds}, ${activity.staleTtlSeconds}, ${activity.dismissalTtlSeconds}, 0,
      ${activity.target && JSON.stringify(activity.target)}, 0, 0,
      ${activity.createdAt}, ${activity.updatedAt})`)
}

export async function updateActivity(tx: Writer, activity: Activity): Promise<void> {
  tx.queue(sql`update activities set name = ${activity.name}, state = ${activity.state},
      state_at = ${activity.stateAt}, run = ${activity.startCount}, priority = ${activity.priority},
      content = ${JSON.stringify(activity.content)}, ended_ttl_seconds = ${activity.endedTtlSeconds},
      stale_ttl_seconds = ${activity.staleTtlSeconds}, dismissal_ttl_seconds = ${activity.dismissalTtlSeconds},
      ended_at = ${activity.endedAt}, delete_at = ${activity.deleteAt},
      alert_sound = ${activity.alert?.sound ?? null}, alert_version = ${activity.alert?.version ?? null},
      clock_at = ${activity.tickAt}, recorded = ${activity.recordCount}, updated_at = ${activity.updatedAt}
    where user_id = ${activity.userId} and id = ${activity.id}`)
}

// A statement of its own: few activities have a target, and it rarely changes.
export async function updateTarget(
  tx: Writer,
  { userId, id, target }: Pick<Activity, 'userId' | 'id' | 'target'>,
): Promise<void> {
  tx.queue(sql`update activities set target = ${target && JSON.stringify(target)}
    where user_id = ${userId} and id = ${id}`)
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
  return (await tx.execute(sql`delete from activities where user_id = ${userId} and id = ${id}`)) === 1
}

// Not ongoing. Locked until the transaction ends.
export async function listActivitiesUnchangedSince(tx: Writer, at: Instant, limit: number): Promise<Activity[]> {
  const rows = await tx.all<ActivityRow>(sql`select ${COLUMNS} from activities where id in
    (select id from activities where state <> 'ongoing' and updated_at < ${at} order by updated_at limit ${limit})
    order by id ${FOR_UPDATE}`)
  return rows.map(toActivity)
}
