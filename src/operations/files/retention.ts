// Uploaded files: reads them, and deletes them when they expire, when their upload never ended, and with their account.

import { Problem } from '../../contract/problems.ts'
import type { UserId } from '../../domain/caller.ts'
import { type ByteRange, type FileId, isFileId, type StoredFile } from '../../domain/files.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Writer } from '../../store/engine/database.ts'
import { deleteOutdatedFiles, deleteSomeFilesOf, findReadableFile, listExistingFiles } from '../../store/files/files.ts'
import type { Context } from '../context.ts'

// On PostgreSQL a file has up to 80 chunks per 15 MB.
const BATCH = 5
// Longer than the server waits for any request.
const LONGEST_UPLOAD_SECONDS = 600

export async function deleteOldFiles(ctx: Context, now: Instant): Promise<void> {
  const outdated = { expiredAt: now, incompleteSince: plusSeconds(now, -LONGEST_UPLOAD_SECONDS) }
  await deleteInBatches(ctx, (tx) => deleteOutdatedFiles(tx, outdated, BATCH))
  await removeContentsWithoutRow(ctx)
}

export const removeFilesOf = (ctx: Context, userId: UserId): Promise<void> =>
  deleteInBatches(ctx, (tx) => deleteSomeFilesOf(tx, userId, BATCH))

async function deleteInBatches(ctx: Context, deleteSome: (tx: Writer) => Promise<FileId[]>): Promise<void> {
  for (;;) {
    const ids = ctx.stopping.aborted ? [] : await ctx.db.transact(deleteSome)
    await ctx.fileContents.remove(ids)
    if (ids.length < BATCH) return
  }
}

// A process that dies between the two deletions leaves a content behind. A row exists before its content, so a content
// without one is never an upload that has just begun.
async function removeContentsWithoutRow(ctx: Context): Promise<void> {
  for await (const ids of ctx.fileContents.listBatches()) {
    const existing = new Set(await listExistingFiles(ctx.db.read, ids))
    await ctx.fileContents.remove(ids.filter((id) => !existing.has(id)))
  }
}

// Reads an uploaded file. Its id is the permission.
export async function findFile(ctx: Context, id: string): Promise<StoredFile> {
  const file = isFileId(id) ? await findReadableFile(ctx.db.read, id, ctx.clock.now()) : undefined
  if (file) return file
  throw new Problem(
    'file.not_found',
    'There is no such file. Files are deleted after some days, and with their notification.',
  )
}

export const readContent = (ctx: Context, { id }: StoredFile, range: ByteRange): AsyncIterable<Buffer> =>
  ctx.fileContents.read(id, range)
