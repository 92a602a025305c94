// What templates accumulate beside their content, one row at a time: the past of a timeline, the lines of a log.
// Rows of an activity are numbered by the activity, whose row is locked by whoever adds one.
import type { Activity, ActivityId } from '../domain/activity.ts'
import type { UserId } from '../domain/caller.ts'
import type { Reader, Writer } from './database.ts'
import { sql } from './sql.ts'

type Owner = Pick<Activity, 'id' | 'userId'>

export async function insertRecord(
  tx: Writer,
  { id, userId }: Owner,
  number: number,
  { body, endBytes }: { body: unknown; endBytes: number },
): Promise<void> {
  await tx.run(sql`insert into activity_records (activity_id, number, user_id, body, end_bytes)
    values (${id}, ${number}, ${userId}, ${JSON.stringify(body)}, ${endBytes})`)
}

// Oldest first.
export async function listRecords<Body>(db: Reader, { id, userId }: Owner): Promise<Body[]> {
  const rows = await db.all<{ body: string }>(sql`select body from activity_records
    where user_id = ${userId} and activity_id = ${id} order by number`)
  return rows.map((row) => JSON.parse(row.body))
}

// Where the newest record ends, counted in bytes since the first one.
export async function findEndBytes(db: Reader, { id, userId }: Owner): Promise<number> {
  const row = await db.first<{ end_bytes: number | null }>(sql`select max(end_bytes) as end_bytes from activity_records
    where user_id = ${userId} and activity_id = ${id}`)
  return row?.end_bytes ?? 0
}

export async function deleteRecordsUpTo(tx: Writer, { id, userId }: Owner, number: number): Promise<void> {
  await tx.run(sql`delete from activity_records
    where user_id = ${userId} and activity_id = ${id} and number <= ${number}`)
}

export async function deleteRecordsEndingUpTo(tx: Writer, { id, userId }: Owner, endBytes: number): Promise<void> {
  await tx.run(sql`delete from activity_records
    where user_id = ${userId} and activity_id = ${id} and end_bytes <= ${endBytes}`)
}

export async function deleteRecords(tx: Writer, userId: UserId, id: ActivityId): Promise<void> {
  await tx.run(sql`delete from activity_records where user_id = ${userId} and activity_id = ${id}`)
}
