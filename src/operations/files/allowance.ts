// How many bytes of files an account may have.
import { LIMITS } from '../../contract/limits.ts'
import type { Caller } from '../../domain/caller.ts'
import { findFileUsage } from '../../store/files/files.ts'
import type { Context } from '../context.ts'

export type FileAllowance = { mostFileBytes: number; mostBytes: number; usedBytes: number }

export const mostFileBytes = ({ config }: Context): number => config.attachmentMb * 1024 * 1024

export const mostBytesOfAccount = (ctx: Context): number => mostFileBytes(ctx) * LIMITS.file.largestFilesPerAccount

export async function fileAllowance(ctx: Context, { userId }: Caller): Promise<FileAllowance> {
  const { bytes } = await findFileUsage(ctx.db.read, userId)
  return { mostFileBytes: mostFileBytes(ctx), mostBytes: mostBytesOfAccount(ctx), usedBytes: bytes }
}
