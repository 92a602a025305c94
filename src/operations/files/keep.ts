// Keeps a file that a sender uploads, and deletes it again. Its content passes through in small pieces and is never in memory
// as a whole.
import { Buffer } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import { validationProblem } from '../../contract/validation.ts'
import { type Caller, senderOf } from '../../domain/caller.ts'
import { errorCode } from '../../domain/errors.ts'
import {
  FILE_ID_CHARS,
  type FileId,
  fileName,
  fileTypeOf,
  isFileId,
  type StoredFile,
  TYPE_BYTES,
} from '../../domain/files.ts'
import { DAY_SECONDS, plusSeconds } from '../../domain/instant.ts'
import { randomText } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import {
  completeFile,
  deleteFile,
  findFileForUpdate,
  findFileUsage,
  insertIncompleteFile,
} from '../../store/files/files.ts'
import type { Context } from '../context.ts'

// `bytes`: the length of the content, if the sender has announced it. `keepSeconds`: a day if left out.
export type Upload = {
  name?: string
  bytes?: number
  keepSeconds?: number
  content: AsyncIterable<Buffer> | Iterable<Buffer>
}

// `digest`: by which an upload is known again.
export type KeptFile = StoredFile & { digest: string }

export async function keepFile(ctx: Context, caller: Caller, upload: Upload): Promise<KeptFile> {
  const reserved = await reserve(ctx, caller, upload)
  try {
    const { written, counted } = countBytes(upload.content, reserved.bytes)
    await ctx.fileContents.write(reserved.id, counted)
    const file = { ...reserved, ...described(written, upload) }
    if (await ctx.db.transact((tx) => completeFile(tx, file))) return file
    throw new Problem('token.invalid', 'The account was deleted during the upload.')
  } catch (error) {
    await discardFile(ctx, reserved)
    throw isDiskFull(error) ? new Problem('service.unavailable', 'The disk is full.', {}, error) : error
  }
}

// Stores nothing, for a dry run.
export async function inspectFile(ctx: Context, caller: Caller, upload: Upload): Promise<StoredFile> {
  const file = plannedFile(ctx, caller, upload)
  const { written, counted } = countBytes(upload.content, file.bytes)
  for await (const _chunk of counted);
  return { ...file, ...described(written, upload) }
}

// A key deletes what it uploaded itself.
export async function removeFile(ctx: Context, caller: Caller, id: string): Promise<void> {
  const { userId, keyId } = senderOf(caller)
  await ctx.db.transact(async (tx) => {
    const file = isFileId(id) ? await findFileForUpdate(tx, userId, id) : undefined
    if (!file || (keyId !== null && file.keyId !== keyId)) {
      throw new Problem('file.not_found', 'There is no such file that this token may delete.')
    }
    await deleteFile(tx, userId, file.id)
  })
  await ctx.fileContents.remove([id as FileId])
}

// The days that a sender asks for, or those of its plan.
export function keepSecondsOf({ config }: Context, { plan }: Caller, days?: number): number {
  const most = config.attachmentDays
  if (days !== undefined && days > most) {
    throw validationProblem([{ location: 'query.keep_days', message: `must be at most ${most}` }])
  }
  return Math.min(days ?? LIMITS.file.keptDays[plan.isPaid ? 'paid' : 'free'], most) * DAY_SECONDS
}

// For a file whose message was refused.
export async function discardFile(ctx: Context, { userId, id }: StoredFile): Promise<void> {
  await ctx.db.transact((tx) => deleteFile(tx, userId, id))
  await ctx.fileContents.remove([id])
}

// The row that counts the file against the limits of the account before its first byte is read. Housekeeping deletes it
// if the upload never ends.
async function reserve(ctx: Context, caller: Caller, upload: Upload): Promise<StoredFile> {
  const file = plannedFile(ctx, caller, upload)
  const { userId } = caller
  await ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    const used = await findFileUsage(tx, userId)
    if (used.count >= LIMITS.file.maxPerAccount || used.bytes + file.bytes > mostBytesOfAccount(ctx)) {
      throw new Problem(
        'file.limit_exceeded',
        `An account has at most ${LIMITS.file.maxPerAccount} files of ${mostBytesOfAccount(ctx)} bytes together; delete one, or wait until one expires.`,
      )
    }
    await insertIncompleteFile(tx, file)
  })
  return file
}

// `bytes` is what it may have.
function plannedFile(ctx: Context, caller: Caller, { bytes, keepSeconds }: Upload): StoredFile {
  const mostBytes = mostFileBytes(ctx)
  if (mostBytes === 0) throw new Problem('file.not_enabled', 'This server takes no files.')
  if (bytes !== undefined && bytes > mostBytes) throw tooLarge(mostBytes)
  const { userId, keyId } = senderOf(caller)
  const now = ctx.clock.now()
  return {
    id: randomText(FILE_ID_CHARS) as FileId,
    userId,
    keyId,
    name: '',
    type: 'application/octet-stream',
    bytes: bytes ?? mostBytes,
    createdAt: now,
    expiresAt: plusSeconds(now, keepSeconds ?? LIMITS.file.keptHours * 3600),
  }
}

type Written = { bytes: number; start: Buffer[]; hash: Hash }

function described({ start, bytes, hash }: Written, { name }: Upload) {
  const type = fileTypeOf(Buffer.concat(start).subarray(0, TYPE_BYTES))
  return { type, name: fileName(name, type), bytes, digest: hash.digest('hex') }
}

// Passes the content on, keeps its first bytes, and ends with an error after too many.
function countBytes(
  content: Upload['content'],
  mostBytes: number,
): { written: Written; counted: AsyncIterable<Buffer> } {
  const written: Written = { bytes: 0, start: [], hash: createHash('sha256') }
  async function* pass(): AsyncIterable<Buffer> {
    for await (const chunk of content) {
      if (written.bytes < TYPE_BYTES) written.start.push(chunk.subarray(0, TYPE_BYTES))
      written.bytes += chunk.length
      if (written.bytes > mostBytes) throw tooLarge(mostBytes)
      written.hash.update(chunk)
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
