// Files that are sent to ntfy in the body of a request.
import type { Caller } from '../../../domain/caller.ts'
import type { NtfyMessage, NtfyPublication } from '../../../domain/doors/ntfy/publication.ts'
import { NtfyRefusal } from '../../../domain/doors/ntfy/refusal.ts'
import type { StoredFile } from '../../../domain/files/file.ts'
import { toUnixSeconds } from '../../../domain/instant.ts'
import type { Context } from '../../context.ts'
import { discardFile, keepFile, type Upload } from '../../files/keep.ts'

// `urlOf`: the address under which clients reach a file.
export type UploadBody = Omit<Upload, 'name'> & { urlOf: (file: StoredFile) => string }

// The message, with the file as its attachment.
export async function keepUpload(
  ctx: Context,
  caller: Caller,
  { message, upload, sendAt }: NtfyPublication,
  { urlOf, ...body }: UploadBody,
): Promise<{ file: StoredFile; message: NtfyMessage }> {
  if (ctx.config.attachmentMb === 0) throw new NtfyRefusal(40014)
  const file = await keepFile(ctx, caller, { ...body, name: upload?.name })
  const { name, type, bytes, expiresAt } = file
  if (sendAt !== undefined && sendAt > expiresAt) {
    await discardFile(ctx, file)
    throw new NtfyRefusal(40015)
  }
  const attachment = { name, type, size: bytes, expires: toUnixSeconds(expiresAt), url: urlOf(file) }
  return { file, message: { ...message, message: message.message || `You received a file: ${name}`, attachment } }
}
