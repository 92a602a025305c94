// Attaches uploaded files to a notification or a schedule. A file belongs to one message, and is deleted with it.
import type { AttachmentInput } from '../../contract/files.ts'
import { Problem } from '../../contract/problems.ts'
import type { UserId } from '../../domain/caller.ts'
import { type Attachment, isFileId, type StoredFile } from '../../domain/files.ts'
import { type Instant, toRfc3339 } from '../../domain/instant.ts'
import {
  attachmentOf,
  invalidAttachments,
  linkedAttachment,
  requireAttachable,
} from '../../domain/notifications/attachments.ts'
import type { ScheduleId } from '../../domain/schedules/schedule.ts'
import type { Writer } from '../../store/engine/database.ts'
import { type AttachedFile, listFilesForUpdate } from '../../store/files/files.ts'

// `publicUrl`: of the links to files. `until`: when the message is sent. `schedule`: which may have some of the files already.
export type Attaching = { userId: UserId; publicUrl: string; until: Instant; schedule?: ScheduleId }

// Locks the files until they are attached.
export async function findAttachments(tx: Writer, given: AttachmentInput[], to: Attaching): Promise<Attachment[]> {
  requireAttachable(given)
  const ids = given.flatMap(({ file_id }) => (file_id !== undefined && isFileId(file_id) ? [file_id] : []))
  const files = new Map((await listFilesForUpdate(tx, to.userId, ids)).map((file) => [String(file.id), file]))
  return given.map(({ file_id, url = '', name, type }, index) => {
    if (file_id === undefined) return linkedAttachment({ url, name, type })
    const file = requireFree(files.get(file_id), `body.attachments[${index}].file_id`, to)
    files.delete(file_id)
    return attachmentOf(file, fileUrlAt(to.publicUrl, file))
  })
}

export const fileUrlAt = (publicUrl: string, { id }: Pick<StoredFile, 'id'>): string => `${publicUrl}/files/${id}`

function requireFree(file: AttachedFile | undefined, location: string, { until, schedule }: Attaching): StoredFile {
  if (!file) throw invalidAttachments([{ location, message: 'is no file of this account, or named twice' }])
  if (file.expiresAt <= until) {
    const message = `names a file that is deleted at ${toRfc3339(file.expiresAt)}, before the message is sent`
    throw invalidAttachments([{ location, message }])
  }
  if (file.notificationId === null && (file.scheduleId === null || file.scheduleId === schedule)) return file
  throw new Problem('file.in_use', 'Another notification or schedule has this file; upload it again.')
}
