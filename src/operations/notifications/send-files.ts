// Sends a notification with files that come in the same request. They are kept while the body is read, because they are too
// large for memory, and deleted again if the notification is refused or was sent before.

import { LIMITS } from '../../contract/limits.ts'
import type { NotificationInput } from '../../contract/notifications/notification.ts'
import type { Caller } from '../../domain/caller.ts'
import { invalidAttachments } from '../../domain/notifications/attachments.ts'
import type { SentNotification } from '../../views/notifications.ts'
import type { Context } from '../context.ts'
import { fileUrlAt } from '../files/attach.ts'
import { discardFile, inspectFile, type KeptFile, keepFile, keepSecondsOf, type Upload } from '../files/keep.ts'
import type { Idempotent, IdempotentRequest } from '../idempotency.ts'
import { type RehearsedNotification, rehearseNotification, type SendOptions, sendNotification } from './send.ts'

export type Uploads = AsyncIterable<Upload>

export async function sendWithFiles(
  ctx: Context,
  caller: Caller,
  input: NotificationInput,
  uploads: Uploads,
  { request, ...options }: SendOptions & { request: IdempotentRequest | undefined },
): Promise<Idempotent<SentNotification>> {
  const kept: KeptFile[] = []
  try {
    const { attachments: given = [] } = input
    for await (const upload of bounded(ctx, caller, uploads, given.length))
      kept.push(await keepFile(ctx, caller, upload))
    const attachments = [...given, ...kept.map(({ id }) => ({ file_id: id }))]
    const parts = kept.map(({ name, digest }) => [name, digest])
    const whole = request && { ...request, body: [request.body, parts] }
    const sent = await sendNotification(ctx, caller, { ...input, attachments }, whole, options)
    if (sent.isReplay) await discard(ctx, kept)
    return sent
  } catch (error) {
    await discard(ctx, kept)
    throw error
  }
}

// Reads the files and stores none. In the preview they are links to files that do not exist.
export async function rehearseWithFiles(
  ctx: Context,
  caller: Caller,
  input: NotificationInput,
  uploads: Uploads,
  options: SendOptions,
): Promise<RehearsedNotification> {
  const { attachments: given = [] } = input
  const links = []
  for await (const upload of bounded(ctx, caller, uploads, given.length)) {
    const file = await inspectFile(ctx, caller, upload)
    links.push({ ...file, url: fileUrlAt(options.publicUrl ?? '', file) })
  }
  return rehearseNotification(ctx, caller, input, { ...options, links })
}

async function* bounded(ctx: Context, caller: Caller, uploads: Uploads, given: number): Uploads {
  const keepSeconds = keepSecondsOf(ctx, caller)
  let count = given
  for await (const upload of uploads) {
    if (++count > LIMITS.file.maxPerNotification) {
      const message = `must be at most ${LIMITS.file.maxPerNotification}, with the parts "file" of the form`
      throw invalidAttachments([{ location: 'body.attachments', message }])
    }
    yield { ...upload, keepSeconds }
  }
}

async function discard(ctx: Context, files: KeptFile[]): Promise<void> {
  for (const file of files) await discardFile(ctx, file)
}
