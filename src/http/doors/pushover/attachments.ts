// Messages with a picture. It is kept while the rest of the body is read, so the caller must be known before; a sender that
// names the token after the picture has it held in memory, within the bound of any other body.
import type { FastifyRequest } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import type { Caller } from '../../../domain/caller.ts'
import { collect } from '../../../domain/doors/multipart.ts'
import type { PushoverAttachment } from '../../../domain/doors/pushover/mapping.ts'
import type { PushoverFields } from '../../../domain/doors/pushover/message.ts'
import { isImage, type StoredFile } from '../../../domain/files.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import type { Context } from '../../../operations/context.ts'
import { discardFile, keepFile, type Upload } from '../../../operations/files/keep.ts'
import { fileUrl } from '../../public-url.ts'
import { findCaller, readFields } from './request.ts'

export type ReceivedMessage = { caller: Caller; fields: PushoverFields; attachment?: PushoverAttachment }

// `use` sends the message. If it fails, its picture is not kept.
export async function receiveMessage<Result>(
  ctx: Context,
  request: FastifyRequest,
  use: (received: ReceivedMessage) => Promise<Result>,
): Promise<Result> {
  const kept: StoredFile[] = []
  let held: Upload | undefined
  try {
    const fields = await readFields(ctx, request, async (attachment, fieldsSoFar) => {
      // Pushover takes one.
      if (held || kept.length > 0) return
      if (!fieldsSoFar.has('token')) held = await holdInMemory(attachment)
      else kept.push(await keepFile(ctx, await findSender(ctx, request, fieldsSoFar), attachment))
    })
    const caller = await findSender(ctx, request, fields)
    if (held) kept.push(await keepFile(ctx, caller, held))
    const file = kept.at(-1)
    const attachment = file && { name: file.name, url: fileUrl(ctx, request, file.id), isImage: isImage(file.type) }
    return await use({ caller, fields, attachment })
  } catch (error) {
    for (const file of kept) await discardFile(ctx, file)
    throw error
  }
}

async function findSender(ctx: Context, request: FastifyRequest, fields: PushoverFields): Promise<Caller> {
  const caller = await findCaller(ctx, request, fields)
  requireLevel(caller, 'notifications', 'send')
  return caller
}

async function holdInMemory({ name, content }: Upload): Promise<Upload> {
  const held = await collect(content, LIMITS.request.maxBodyBytes)
  return { name, bytes: held.length, content: [held] }
}
