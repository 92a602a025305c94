// The records that templates accumulate beside their content: the history of a timeline, the lines of a log. They are
// numbered per activity, whose row the writer has locked.
import type { Activity, ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

type RecordOwner = Pick<Activity, 'id' | 'userId'>

// `startBytes` and `endBytes` are offsets since the first record, so that the stored size is known without reading the
// records.
export type ActivityRecord = { body: string; startBytes: number; endBytes: number }

export async function insertRecord(
  tx: Writer,
  { id, userId }: RecordOwner,
  number: number,
  { body, startBytes, endBytes }: ActivityRecord,
): Promise<void> {
  tx.write(sql`insert into activity_records (activity_id, number, user_id, body, start_bytes, end_bytes)
    values (${id}, ${number}, ${userId}, ${body}, ${startBytes}, ${endBytes})`)
}

// Oldest first.
export async function listRecords<Body>(db: Reader, { id, userId }: RecordOwner): Promise<Body[]> {
  const rows = await db.all<{ body: string }>(sql`select body from activity_records
    where user_id = ${userId} and activity_id = ${id} order by number`)
  return rows.map((row) => JSON.parse(row.body))
}

// The offset at which the newest record ends.
export async function findEndBytes(db: Reader, { id, userId }: RecordOwner): Promise<number> {
  const row = await db.first<{ end_bytes: number | null }>(sql`select max(end_bytes) as end_bytes from activity_records
    where user_id = ${userId} and activity_id = ${id}`)
  return row?.end_bytes ?? 0
}

export async function deleteRecordsUpTo(tx: Writer, { id, userId }: RecordOwner, number: number): Promise<void> {
  tx.write(sql`delete from activity_records
    where user_id = ${userId} and activity_id = ${id} and number <= ${number}`)
}

export async function deleteRecordsBegunBefore(tx: Writer, { id, userId }: RecordOwner, bytes: number): Promise<void> {
  tx.write(sql`delete from activity_records
    where user_id = ${userId} and activity_id = ${id} and start_bytes < ${bytes}`)
}

export async function deleteRecords(tx: Writer, userId: UserId, id: ActivityId): Promise<void> {
  tx.write(sql`delete from activity_records where user_id = ${userId} and activity_id = ${id}`)
}
