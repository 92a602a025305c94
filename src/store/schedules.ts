// Schedules. Each pending one has exactly one job; the row has the time that it waits for.
import type { PlanName } from '../contract/plans.ts'
import type { KeyId, UserId } from '../domain/caller.ts'
import type { Place } from '../domain/cursor.ts'
import type { TargetIds } from '../domain/ids.ts'
import { type Instant, instant } from '../domain/instant.ts'
import type { Jobs } from '../domain/jobs.ts'
import type { Delivery } from '../domain/notifications/delivery.ts'
import type { NotificationId } from '../domain/notifications/notification.ts'
import { type Targeted, targeted } from '../domain/organizations/limit.ts'
import { EVERYONE } from '../domain/organizations/target.ts'
import type { FailureReason, Schedule, ScheduleId, ScheduleStatus } from '../domain/schedules/schedule.ts'
import type { Reader, Writer } from './engine/database.ts'
import { flag, json, type Row, rowsOf } from './engine/rows.ts'
import { FOR_UPDATE, fragment, list, type Sql, sql } from './engine/sql.ts'

const ROWS = rowsOf<Schedule>('schedules', {
  id: 'id',
  userId: 'user_id',
  keyId: 'key_id',
  input: json('input'),
  recurrence: json('recurrence'),
  status: 'status',
  sendAt: 'send_at',
  occurrence: 'occurrence',
  createdAt: 'created_at',
  lastSentAt: 'last_sent_at',
  notificationId: 'notification_id',
  sentAt: 'sent_at',
  delivery: {
    columns: 'delivery, reason',
    read: ({ delivery, reason }) =>
      delivery === null ? null : ({ delivery, reason: reason ?? undefined } as Delivery),
  },
  failureReason: 'failure_reason',
  canceledAt: 'canceled_at',
  targetIds: json('target_ids'),
  isPaused: flag('paused'),
})

// For keys that are limited to a part of an organization: `domain/organizations/limit.ts` opens it.
export type TargetedSchedule = Targeted<Schedule>
const TARGETED = ROWS.as((schedule) => targeted(schedule, [schedule.targetIds ?? EVERYONE]))

export type NewSchedule = Pick<
  Schedule,
  'userId' | 'keyId' | 'input' | 'recurrence' | 'sendAt' | 'createdAt' | 'targetIds'
>

export async function insertSchedule(tx: Writer, schedule: NewSchedule): Promise<Schedule> {
  const { userId, keyId, input, recurrence, sendAt, createdAt, targetIds } = schedule
  const row = await tx.first<Row>(sql`insert into schedules (user_id, key_id, input, recurrence, status, send_at,
      occurrence, created_at, target_ids)
    values (${userId}, ${keyId}, ${JSON.stringify(input)}, ${recurrence && JSON.stringify(recurrence)}, 'scheduled',
      ${sendAt}, 0, ${createdAt}, ${targetIds && JSON.stringify(targetIds)})
    returning ${ROWS.columns}`)
  if (!row) throw new Error('insert returned no schedule')
  return ROWS.make(row)
}

export const findSchedule = (db: Reader, userId: UserId, id: ScheduleId): Promise<TargetedSchedule | undefined> =>
  TARGETED.first(db, sql`where user_id = ${userId} and id = ${id}`)

export const findScheduleForUpdate = (
  tx: Writer,
  userId: UserId,
  id: ScheduleId,
): Promise<TargetedSchedule | undefined> =>
  TARGETED.first(tx, sql`where user_id = ${userId} and id = ${id} ${FOR_UPDATE}`)

// Locks the schedule and returns it with the current state of its account; undefined if it no longer waits for that time.
export async function findDueForUpdate(
  tx: Writer,
  { userId, scheduleId, dueAt }: Jobs['send-schedule'],
): Promise<{ schedule: Schedule; plan: PlanName; holdsPushes: boolean } | undefined> {
  const row = await tx.first<Row & { plan: PlanName; holds_pushes: number }>(sql`select ${ROWS.columns},
      (select plan from users where users.id = schedules.user_id) as plan,
      (select holds_pushes from users where users.id = schedules.user_id) as holds_pushes
    from schedules where user_id = ${userId} and id = ${scheduleId} and status = 'scheduled' and send_at = ${dueAt}
      and paused = 0
    ${FOR_UPDATE}`)
  return row && { schedule: ROWS.make(row), plan: row.plan, holdsPushes: row.holds_pushes === 1 }
}

export type ScheduleOwner = { userId: UserId; keyId: KeyId | null }
// Pending schedules are sorted soonest first, all others latest first.
export type ScheduleFilter = ScheduleOwner & { status: ScheduleStatus | 'all'; after?: Place }

export type ScheduleEntry = Place & { id: ScheduleId; bytes: number }

// The place of each schedule in the list, and the bytes of its request.
export async function listScheduleEntries(db: Reader, filter: ScheduleFilter, limit: number): Promise<ScheduleEntry[]> {
  const { status, after } = filter
  const withStatus = status === 'all' ? sql`` : sql`and status = ${status}`
  const isPending = status === 'scheduled'
  const soonerFirst = after && isPending && sql`and (${SOONEST}, id) > (${after.at}, ${after.id})`
  const latestFirst = after && !isPending && sql`and (${LATEST}, id) < (${after.at}, ${after.id})`
  const rows = await db.all<{ id: ScheduleId; place_at: number; bytes: number }>(sql`select id,
      ${isPending ? SOONEST : LATEST} as place_at, octet_length(input) as bytes
    from schedules where ${visible(filter)} ${withStatus} ${soonerFirst || latestFirst || sql``}
    ${orderOf(filter)} limit ${limit}`)
  return rows.map((row) => ({ id: row.id, at: instant(row.place_at), bytes: row.bytes }))
}

// In the order of the list.
export const listSchedules = (
  db: Reader,
  filter: ScheduleFilter,
  entries: readonly ScheduleEntry[],
): Promise<TargetedSchedule[]> =>
  TARGETED.all(
    db,
    sql`where user_id = ${filter.userId} and id in (${list(entries.map(({ id }) => id))}) ${orderOf(filter)}`,
  )

const SOONEST = fragment('send_at')
const LATEST = fragment('coalesce(sent_at, canceled_at, send_at)')

const orderOf = ({ status }: ScheduleFilter): Sql =>
  status === 'scheduled' ? sql`order by ${SOONEST}, id` : sql`order by ${LATEST} desc, id desc`

export async function listPendingIds(db: Reader, owner: ScheduleOwner): Promise<ScheduleId[]> {
  const rows = await db.all<{ id: ScheduleId }>(
    sql`select id from schedules where ${visible(owner)} and status = 'scheduled' order by id`,
  )
  return rows.map(({ id }) => id)
}

export const listPending = (db: Reader, owner: ScheduleOwner): Promise<TargetedSchedule[]> =>
  TARGETED.all(db, sql`where ${visible(owner)} and status = 'scheduled' order by id`)

// The targets of the pending schedules of an organization.
export async function listPendingTargets(db: Reader, userId: UserId): Promise<TargetIds[]> {
  const rows = await db.all<{ target_ids: string }>(sql`select target_ids from schedules
    where user_id = ${userId} and status = 'scheduled' and target_ids is not null`)
  return rows.map((row) => JSON.parse(row.target_ids))
}

export const countPending = (db: Reader, userId: UserId): Promise<number> =>
  ROWS.count(db, sql`where user_id = ${userId} and status = 'scheduled'`)

// The caller has locked the row.
export async function updatePending(tx: Writer, pending: Schedule, changed: Schedule, now: Instant): Promise<void> {
  const { userId, id, sendAt } = pending
  tx.queue(sql`update schedules set status = ${changed.status}, send_at = ${changed.sendAt},
      occurrence = ${changed.occurrence}, last_sent_at = ${changed.lastSentAt},
      notification_id = ${changed.notificationId}, sent_at = ${changed.sentAt},
      delivery = ${changed.delivery?.delivery ?? null}, reason = ${changed.delivery?.reason ?? null},
      failure_reason = ${changed.failureReason}, canceled_at = ${changed.canceledAt},
      ended_at = ${changed.status === 'scheduled' ? null : now}
    where user_id = ${userId} and id = ${id} and status = 'scheduled' and send_at = ${sendAt}`)
}

// The caller has locked the row, and has seen that it is pending.
export async function updatePlanned(tx: Writer, changed: Schedule): Promise<void> {
  const { userId, id, input, recurrence, sendAt, targetIds, isPaused } = changed
  tx.queue(sql`update schedules set input = ${JSON.stringify(input)},
      recurrence = ${recurrence && JSON.stringify(recurrence)}, send_at = ${sendAt},
      target_ids = ${targetIds && JSON.stringify(targetIds)}, paused = ${isPaused ? 1 : 0}
    where user_id = ${userId} and id = ${id} and status = 'scheduled'`)
}

// Only for this notification: a later one of the series may have been sent since.
export async function updateDelivery(
  tx: Writer,
  { userId, id, notificationId }: Pick<Schedule, 'userId' | 'id' | 'notificationId'>,
  { delivery, reason }: Delivery,
): Promise<void> {
  tx.queue(sql`update schedules set delivery = ${delivery}, reason = ${reason ?? null}
    where user_id = ${userId} and id = ${id} and notification_id = ${notificationId}`)
}

// Returns the ids of the schedules that were still pending.
export async function failPending(
  tx: Writer,
  userId: UserId,
  ids: ScheduleId[],
  { reason, now }: { reason: FailureReason; now: Instant },
): Promise<ScheduleId[]> {
  if (ids.length === 0) return []
  const rows = await tx.all<{ id: ScheduleId }>(sql`update schedules
    set status = 'failed', failure_reason = ${reason}, ended_at = ${now}
    where user_id = ${userId} and status = 'scheduled' and id in (${list(ids)}) returning id`)
  return rows.map(({ id }) => id)
}

export async function deleteSchedule(tx: Writer, userId: UserId, id: ScheduleId): Promise<void> {
  tx.queue(sql`delete from schedules where user_id = ${userId} and id = ${id}`)
}

// Violates the primary key if this time was sent before, which rolls the second send back.
export async function insertSend(
  tx: Writer,
  { id, notificationId, dueAt }: { id: ScheduleId; notificationId: NotificationId; dueAt: Instant },
): Promise<void> {
  tx.queue(sql`insert into schedule_sends (schedule_id, due_at, notification_id)
    values (${id}, ${dueAt}, ${notificationId})`)
}

export async function deleteEndedSchedules(
  tx: Writer,
  before: { ended: Instant; canceled: Instant },
  limit: number,
): Promise<number> {
  return tx.execute(sql`delete from schedules where id in
    (select id from schedules where (status = 'canceled' and ended_at < ${before.canceled})
        or (status in ('sent', 'failed') and ended_at < ${before.ended})
      order by ended_at limit ${limit})`)
}

export async function deleteSendsBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from schedule_sends where (schedule_id, due_at) in
    (select schedule_id, due_at from schedule_sends where due_at < ${at} order by due_at limit ${limit})`)
}

// A key sees only its own schedules.
function visible({ userId, keyId }: ScheduleOwner): Sql {
  return keyId === null ? sql`user_id = ${userId}` : sql`user_id = ${userId} and key_id = ${keyId}`
}
