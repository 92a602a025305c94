// What templates accumulate beside their content, one row at a time: the past of a timeline, the lines of a log.
// Rows of an activity are numbered by the activity, whose row is locked by whoever adds one.
import type { Activity, ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

type Owner = Pick<Activity, 'id' | 'userId'>

// Where it begins and ends, counted in bytes since the first record: what is kept can be measured without reading it.
export type Recorded = { body: string; startBytes: number; endBytes: number }

export async function insertRecord(
  tx: Writer,
  { id, userId }: Owner,
  number: number,
  { body, startBytes, endBytes }: Recorded,
): Promise<void> {
  tx.queue(sql`insert into activity_records (activity_id, number, user_id, body, start_bytes, end_bytes)
    values (${id}, ${number}, ${userId}, ${body}, ${startBytes}, ${endBytes})`)
}

// Oldest first.
export async function listRecords<Body>(db: Reader, { id, userId }: Owner): Promise<Body[]> {
  const rows = await db.all<{ body: string }>(sql`select body from activity_records
    where user_id = ${userId} and activity_id = ${id} order by number`)
  return rows.map((row) => JSON.parse(row.body))
}

// Where the newest record ends.
export async function findEndBytes(db: Reader, { id, userId }: Owner): Promise<number> {
  const row = await db.first<{ end_bytes: number | null }>(sql`select max(end_bytes) as end_bytes from activity_records
    where user_id = ${userId} and activity_id = ${id}`)
  return row?.end_bytes ?? 0
}

export async function deleteRecordsUpTo(tx: Writer, { id, userId }: Owner, number: number): Promise<void> {
  tx.queue(sql`delete from activity_records
    where user_id = ${userId} and activity_id = ${id} and number <= ${number}`)
}

export async function deleteRecordsBegunBefore(tx: Writer, { id, userId }: Owner, bytes: number): Promise<void> {
  tx.queue(sql`delete from activity_records
    where user_id = ${userId} and activity_id = ${id} and start_bytes < ${bytes}`)
}

export async function deleteRecords(tx: Writer, userId: UserId, id: ActivityId): Promise<void> {
  tx.queue(sql`delete from activity_records where user_id = ${userId} and activity_id = ${id}`)
}
