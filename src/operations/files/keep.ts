// Keeps a file that a sender uploads. Its content passes through in small pieces and is never in memory as a whole.
import { Buffer } from 'node:buffer'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import { errorCode } from '../../domain/errors.ts'
import { FILE_ID_CHARS, type FileId, fileName, fileTypeOf, type StoredFile, TYPE_BYTES } from '../../domain/files.ts'
import { plusSeconds } from '../../domain/instant.ts'
import { randomText } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { completeFile, deleteFile, findFileUsage, insertIncompleteFile } from '../../store/files/files.ts'
import type { Context } from '../context.ts'

// `bytes`: the length of the content, if the sender has announced it.
export type Upload = { name?: string; bytes?: number; content: AsyncIterable<Buffer> | Iterable<Buffer> }

export async function keepFile(ctx: Context, caller: Caller, upload: Upload): Promise<StoredFile> {
  const reserved = await reserve(ctx, caller, upload)
  try {
    const { written, counted } = countBytes(upload.content, reserved.bytes)
    await ctx.fileContents.write(reserved.id, counted)
    const type = fileTypeOf(Buffer.concat(written.start).subarray(0, TYPE_BYTES))
    const file = { ...reserved, type, name: fileName(upload.name, type), bytes: written.bytes }
    if (await ctx.db.transact((tx) => completeFile(tx, file))) return file
    throw new Problem('token.invalid', 'The account was deleted during the upload.')
  } catch (error) {
    await discardFile(ctx, reserved)
    throw isDiskFull(error) ? new Problem('service.unavailable', 'The disk is full.', {}, error) : error
  }
}

// For a file whose message was refused.
export async function discardFile(ctx: Context, { userId, id }: StoredFile): Promise<void> {
  await ctx.db.transact((tx) => deleteFile(tx, userId, id))
  await ctx.fileContents.remove([id])
}

// The row that counts the file against the limits of the account before its first byte is read. Housekeeping deletes it
// if the upload never ends.
async function reserve(ctx: Context, { userId }: Caller, { bytes }: Upload): Promise<StoredFile> {
  const mostBytes = mostFileBytes(ctx)
  if (mostBytes === 0) throw new Problem('file.not_enabled', 'This server takes no files.')
  if (bytes !== undefined && bytes > mostBytes) throw tooLarge(mostBytes)
  const now = ctx.clock.now()
  const file: StoredFile = {
    id: randomText(FILE_ID_CHARS) as FileId,
    userId,
    name: '',
    type: 'application/octet-stream',
    bytes: bytes ?? mostBytes,
    createdAt: now,
    expiresAt: plusSeconds(now, LIMITS.file.keptHours * 3600),
  }
  await ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    const used = await findFileUsage(tx, userId)
    if (used.count >= LIMITS.file.maxPerAccount || used.bytes + file.bytes > mostBytesOfAccount(ctx)) {
      throw new Problem(
        'file.limit_exceeded',
        `An account has at most ${LIMITS.file.maxPerAccount} files of ${mostBytesOfAccount(ctx)} bytes together; each is deleted after ${LIMITS.file.keptHours} hours.`,
      )
    }
    await insertIncompleteFile(tx, file)
  })
  return file
}

type Written = { bytes: number; start: Buffer[] }

// Passes the content on, keeps its first bytes, and ends with an error after too many.
function countBytes(
  content: Upload['content'],
  mostBytes: number,
): { written: Written; counted: AsyncIterable<Buffer> } {
  const written: Written = { bytes: 0, start: [] }
  async function* pass(): AsyncIterable<Buffer> {
    for await (const chunk of content) {
      if (written.bytes < TYPE_BYTES) written.start.push(chunk.subarray(0, TYPE_BYTES))
      written.bytes += chunk.length
      if (written.bytes > mostBytes) throw tooLarge(mostBytes)
      yield chunk
    }
  }
  return { written, counted: pass() }
}

const tooLarge = (mostBytes: number) => new Problem('file.too_large', `A file must have at most ${mostBytes} bytes.`)

const isDiskFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')

// How many bytes of files an account may have.
export type FileAllowance = { mostFileBytes: number; mostBytes: number; usedBytes: number }

export const mostFileBytes = ({ config }: Context): number => config.attachmentMb * 1024 * 1024

export const mostBytesOfAccount = (ctx: Context): number => mostFileBytes(ctx) * LIMITS.file.largestFilesPerAccount

export async function fileAllowance(ctx: Context, { userId }: Caller): Promise<FileAllowance> {
  const { bytes } = await findFileUsage(ctx.db.read, userId)
  return { mostFileBytes: mostFileBytes(ctx), mostBytes: mostBytesOfAccount(ctx), usedBytes: bytes }
}
