// Rows of uploaded files. The content is elsewhere (chunks.ts, runtime/file-folder.ts).
import type { UserId } from '../../domain/caller.ts'
import type { FileId, StoredFile } from '../../domain/files.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { ScheduleId } from '../../domain/schedules/schedule.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { rowsOf } from '../engine/rows.ts'
import { FOR_UPDATE, list, sql } from '../engine/sql.ts'

const COLUMNS = {
  id: 'id',
  userId: 'user_id',
  keyId: 'key_id',
  name: 'name',
  type: 'type',
  bytes: 'bytes',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
} as const
const ROWS = rowsOf<StoredFile>('files', COLUMNS)

// With the message that has it.
export type AttachedFile = StoredFile & { notificationId: NotificationId | null; scheduleId: ScheduleId | null }
const ATTACHED = rowsOf<AttachedFile>('files', {
  ...COLUMNS,
  notificationId: 'notification_id',
  scheduleId: 'schedule_id',
})

// A file whose content is on its way. `bytes` is what it may have.
export async function insertIncompleteFile(tx: Writer, file: StoredFile): Promise<void> {
  const { id, userId, keyId, name, type, bytes, createdAt, expiresAt } = file
  tx.queue(sql`insert into files (id, user_id, key_id, name, type, bytes, is_complete, created_at, expires_at)
    values (${id}, ${userId}, ${keyId}, ${name}, ${type}, ${bytes}, 0, ${createdAt}, ${expiresAt})`)
}

// Returns false if the file was deleted in the meantime.
export async function completeFile(tx: Writer, { userId, id, name, type, bytes }: StoredFile): Promise<boolean> {
  const updated =
    await tx.execute(sql`update files set name = ${name}, type = ${type}, bytes = ${bytes}, is_complete = 1
    where user_id = ${userId} and id = ${id}`)
  return updated === 1
}

export type FileUsage = { count: number; bytes: number }

// Incomplete files count, too.
export async function findFileUsage(db: Reader, userId: UserId): Promise<FileUsage> {
  const row = await db.first<FileUsage>(
    sql`select count(*) as count, cast(coalesce(sum(bytes), 0) as bigint) as bytes from files where user_id = ${userId}`,
  )
  return row ?? { count: 0, bytes: 0 }
}

// Not limited to an account: the id is the permission to read the file.
export const findReadableFile = (db: Reader, id: FileId, now: Instant): Promise<StoredFile | undefined> =>
  ROWS.first(db, sql`where id = ${id} and is_complete = 1 and expires_at > ${now}`)

// In the order of their ids, so that two messages with the same files do not wait for each other.
export async function listFilesForUpdate(tx: Writer, userId: UserId, ids: FileId[]): Promise<AttachedFile[]> {
  if (ids.length === 0) return []
  return ATTACHED.all(
    tx,
    sql`where user_id = ${userId} and id in (${list(ids)}) and is_complete = 1 order by id ${FOR_UPDATE}`,
  )
}

export async function attachToNotification(
  tx: Writer,
  userId: UserId,
  ids: FileId[],
  notificationId: NotificationId,
): Promise<void> {
  tx.queue(sql`update files set notification_id = ${notificationId}, schedule_id = null
    where user_id = ${userId} and id in (${list(ids)})`)
}

// Lets go of the files that the schedule had before.
export async function attachToSchedule(
  tx: Writer,
  userId: UserId,
  ids: FileId[],
  scheduleId: ScheduleId,
): Promise<void> {
  tx.queue(sql`update files set schedule_id = null where user_id = ${userId} and schedule_id = ${scheduleId}`)
  if (ids.length === 0) return
  tx.queue(sql`update files set schedule_id = ${scheduleId} where user_id = ${userId} and id in (${list(ids)})`)
}

export const findFileForUpdate = async (tx: Writer, userId: UserId, id: FileId): Promise<AttachedFile | undefined> =>
  (await listFilesForUpdate(tx, userId, [id]))[0]

export async function deleteFile(tx: Writer, userId: UserId, id: FileId): Promise<void> {
  tx.queue(sql`delete from files where user_id = ${userId} and id = ${id}`)
}

// Deletes some files of an account. Returns their ids.
export async function deleteSomeFilesOf(tx: Writer, userId: UserId, limit: number): Promise<FileId[]> {
  const rows = await tx.all<{ id: FileId }>(sql`delete from files where id in
    (select id from files where user_id = ${userId} limit ${limit}) returning id`)
  return rows.map(({ id }) => id)
}

type Outdated = { expiredAt: Instant; incompleteSince: Instant }

// Deletes some files that have expired, and some whose upload never ended. Returns their ids.
export async function deleteOutdatedFiles(
  tx: Writer,
  { expiredAt, incompleteSince }: Outdated,
  limit: number,
): Promise<FileId[]> {
  const rows = await tx.all<{ id: FileId }>(sql`delete from files where id in
    (select id from files where expires_at <= ${expiredAt} or (is_complete = 0 and created_at <= ${incompleteSince})
      limit ${limit}) returning id`)
  return rows.map(({ id }) => id)
}

// Those of the ids that have a row.
export async function listExistingFiles(db: Reader, ids: FileId[]): Promise<FileId[]> {
  const rows = await db.all<{ id: FileId }>(sql`select id from files where id in (${list(ids)})`)
  return rows.map(({ id }) => id)
}
