// Reads an uploaded file. Its id is the permission.
import { Problem } from '../../contract/problems.ts'
import { type ByteRange, isFileId, type StoredFile } from '../../domain/files/file.ts'
import { findReadableFile } from '../../store/files/files.ts'
import type { Context } from '../context.ts'

export async function findFile(ctx: Context, id: string): Promise<StoredFile> {
  const file = isFileId(id) ? await findReadableFile(ctx.db.read, id, ctx.clock.now()) : undefined
  if (file) return file
  throw new Problem('file.not_found', 'There is no such file. Files are deleted a day after they were sent.')
}

export const readContent = (ctx: Context, { id }: StoredFile, range: ByteRange): AsyncIterable<Buffer> =>
  ctx.fileContents.read(id, range)
