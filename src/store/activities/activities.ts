// Activities of an account by slug, and by id for push jobs and for tickets.
import type { Activity, ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { targetedActivity } from '../../domain/organizations/activity-target.ts'
import type { Targeted } from '../../domain/organizations/limit.ts'
import { collection } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { json, type Row, rowsOf } from '../engine/rows.ts'
import { FOR_UPDATE, IN_BYTE_ORDER, list, sql } from '../engine/sql.ts'

const ROWS = rowsOf<Activity>('activities', {
  id: 'id',
  userId: 'user_id',
  slug: 'slug',
  name: 'name',
  state: 'state',
  stateAt: 'state_at',
  startCount: 'run',
  priority: 'priority',
  content: json('content'),
  endedTtlSeconds: 'ended_ttl_seconds',
  staleTtlSeconds: 'stale_ttl_seconds',
  dismissalTtlSeconds: 'dismissal_ttl_seconds',
  endedAt: 'ended_at',
  deleteAt: 'delete_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  alert: {
    columns: 'alert_sound, alert_version',
    read: (row) =>
      row.alert_sound === null ? null : ({ sound: row.alert_sound, version: row.alert_version } as Activity['alert']),
  },
  tickAt: 'clock_at',
  recordCount: 'recorded',
  target: json('target'),
})

export type TargetedActivity = Targeted<Activity>
const TARGETED = ROWS.as((activity) => targetedActivity(activity))

// Signaled when an approval is answered, expires or is asked again.
export const approvalTopic = (id: ActivityId) => `approval:${id}`

// The row that is found for an update is locked, so that concurrent patches are applied one after the other.
export const {
  find: findActivity,
  findForUpdate: findActivityForUpdate,
  count: countActivities,
} = collection(TARGETED, { name: 'slug', order: sql`slug ${IN_BYTE_ORDER}` })

export const findActivityByIdForUpdate = (tx: Writer, userId: UserId, id: ActivityId): Promise<Activity | undefined> =>
  ROWS.first(tx, sql`where user_id = ${userId} and id = ${id} ${FOR_UPDATE}`)

export const findActivityOfAccount = (
  db: Reader,
  userId: UserId,
  id: ActivityId,
): Promise<TargetedActivity | undefined> => TARGETED.first(db, sql`where user_id = ${userId} and id = ${id}`)

// Finds an activity of any account. Callers have a ticket, or check the standing of their account.
export const findActivityById = (db: Reader, id: ActivityId): Promise<Activity | undefined> =>
  ROWS.first(db, sql`where id = ${id}`)

// Without the contents; `bytes` is their size.
export type ActivitySize = Pick<Activity, 'id' | 'slug' | 'state' | 'target'> & { bytes: number }

const SIZES = rowsOf<ActivitySize>('activities', {
  id: 'id',
  slug: 'slug',
  state: 'state',
  target: json('target'),
  bytes: 'octet_length(content) as bytes',
})

export const listActivitySizes = (db: Reader, userId: UserId): Promise<ActivitySize[]> =>
  SIZES.all(db, sql`where user_id = ${userId} order by slug ${IN_BYTE_ORDER}`)

// The caller has checked that the account may see them. In no particular order.
export async function listActivitiesById(db: Reader, ids: readonly ActivityId[]): Promise<Activity[]> {
  return ids.length === 0 ? [] : ROWS.all(db, sql`where id in (${list(ids)})`)
}

export const listOngoingForUpdate = (tx: Writer, userId: UserId): Promise<Activity[]> =>
  ROWS.all(tx, sql`where user_id = ${userId} and state = 'ongoing' order by slug ${IN_BYTE_ORDER} ${FOR_UPDATE}`)

// Locks all of them, in any state, until the transaction ends.
export async function lockActivities(tx: Writer, userId: UserId): Promise<void> {
  await tx.lock(sql`select id from activities where user_id = ${userId} order by slug ${IN_BYTE_ORDER}`)
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
  const row = await tx.first<Row & { push_timestamp: number }>(sql`update activities set
      push_timestamp = case when push_version = updated_at then push_timestamp
        when push_timestamp >= ${nowSeconds} then push_timestamp + 1 else ${nowSeconds} end,
      push_version = updated_at
    where user_id = ${userId} and id = ${id} returning ${ROWS.columns}, push_timestamp`)
  return row && { activity: ROWS.make(row), timestamp: row.push_timestamp }
}

export async function deleteActivity(tx: Writer, userId: UserId, id: ActivityId): Promise<boolean> {
  return (await tx.execute(sql`delete from activities where user_id = ${userId} and id = ${id}`)) === 1
}

// Not ongoing. Locked until the transaction ends.
export async function listActivitiesUnchangedSince(tx: Writer, at: Instant, limit: number): Promise<Activity[]> {
  const oldest = sql`select id from activities where state <> 'ongoing' and updated_at < ${at}
    order by updated_at limit ${limit}`
  return ROWS.all(tx, sql`where id in (${oldest}) order by user_id, slug ${IN_BYTE_ORDER} ${FOR_UPDATE}`)
}
