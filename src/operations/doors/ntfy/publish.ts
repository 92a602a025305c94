// Publishes a message of ntfy's senders: as a notification, or as a schedule if it is delayed.

import { LIMITS } from '../../../contract/limits.ts'
import { Problem } from '../../../contract/problems.ts'
import type { Caller } from '../../../domain/caller.ts'
import { fromNtfy, type NtfyAddress } from '../../../domain/doors/ntfy/mapping.ts'
import { messageIdOf, newMessageId } from '../../../domain/doors/ntfy/message-id.ts'
import { isYes } from '../../../domain/doors/ntfy/parameters.ts'
import type { NtfyMessage, NtfyPublication } from '../../../domain/doors/ntfy/publication.ts'
import { NtfyRefusal } from '../../../domain/doors/ntfy/refusal.ts'
import { draftEmail, recipientStatus } from '../../../domain/emails/email.ts'
import type { StoredFile } from '../../../domain/files.ts'
import { DAY_SECONDS, type Instant, plusSeconds, toRfc3339, toUnixSeconds } from '../../../domain/instant.ts'
import type { Expiry, IncomingNotification } from '../../../domain/notifications/notification.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import { cutText } from '../../../domain/text.ts'
import { randomText } from '../../../runtime/ids.ts'
import { listRecipients } from '../../../store/emails.ts'
import type { Context } from '../../context.ts'
import { requireMailServer } from '../../emails/emails.ts'
import { discardFile, keepFile, type Upload } from '../../files/keep.ts'
import { sendNotification } from '../../notifications/send.ts'
import { scheduleNotification } from '../../schedules/plan.ts'
import { endReplaced, findReplaced } from './sequences.ts'
import { renderTemplate } from './templates.ts'

// As ntfy answers it. `at`: when it was or will be sent. `expiresAt`: until when polls return it.
export type PublishedMessage = NtfyAddress & {
  id: string
  at: Instant
  expiresAt: Instant | undefined
  message: NtfyMessage
}

// `body`: for a publication whose body is a file.
export async function publishMessage(
  ctx: Context,
  caller: Caller,
  publication: NtfyPublication,
  body: UploadBody,
): Promise<PublishedMessage> {
  const { sendAt, upload, template } = publication
  requireLevel(caller, 'notifications', sendAt === undefined ? 'send' : 'schedule')
  if (template) return publish(ctx, caller, publication, await renderTemplate(template, publication.message))
  if (!upload) return publish(ctx, caller, publication, publication.message)
  const { file, message } = await keepUpload(ctx, caller, publication, body)
  try {
    return await publish(ctx, caller, publication, message)
  } catch (error) {
    await discardFile(ctx, file)
    throw error
  }
}

async function publish(
  ctx: Context,
  caller: Caller,
  { topic, sequence, sendAt, email, isKept }: NtfyPublication,
  message: NtfyMessage,
): Promise<PublishedMessage> {
  const extras: Extras = {
    email: email === undefined ? undefined : await emailOf(ctx, caller, email, { topic, message }),
    expiry: isKept ? undefined : UNKEPT,
  }
  const replaced = sequence === undefined ? undefined : await findReplaced(ctx, caller, { topic, sequence })
  const address = { topic, sequence }
  const published = await (sendAt === undefined
    ? sendNow(ctx, caller, address, message, extras)
    : sendLater(ctx, caller, address, message, sendAt))
  if (replaced && sequence !== undefined) await endReplaced(ctx, caller, { topic, sequence }, replaced)
  return published
}

type Extras = Pick<IncomingNotification, 'email' | 'expiry'>

// ntfy hands such a message to the subscribers who are connected and forgets it, while phones keep it. A phone gets a minute
// to connect.
const UNKEPT: Expiry = { afterSeconds: 60, keepsBanners: true }

async function sendNow(
  ctx: Context,
  caller: Caller,
  address: NtfyAddress,
  message: NtfyMessage,
  extras: Extras,
): Promise<PublishedMessage> {
  const sent = await sendNotification(ctx, caller, { ...fromNtfy(address, message), ...extras })
  if (!('result' in sent)) throw new Error('a send without an Idempotency-Key was replayed')
  const { id, createdAt } = sent.result.notification
  const expiresAt = extras.expiry ? undefined : plusSeconds(createdAt, DAY_SECONDS)
  return { ...address, id: messageIdOf(id), at: createdAt, expiresAt, message }
}

// The notification does not exist yet, so the message gets an id that also names its sequence.
async function sendLater(
  ctx: Context,
  caller: Caller,
  { topic, sequence }: NtfyAddress,
  message: NtfyMessage,
  sendAt: Instant,
): Promise<PublishedMessage> {
  const id = newMessageId(randomText)
  const input = { ...fromNtfy({ topic, sequence: sequence ?? id }, message), send_at: toRfc3339(sendAt) }
  await scheduleNotification(ctx, caller, input)
  return { topic, sequence, id, at: sendAt, expiresAt: plusSeconds(sendAt, DAY_SECONDS), message }
}

// The e-mail that a message of ntfy's senders becomes besides, to a recipient who has agreed to it.
export async function emailOf(
  ctx: Context,
  caller: Caller,
  email: string,
  { topic, message }: { topic: string; message: NtfyMessage },
): Promise<IncomingNotification['email']> {
  requireLevel(caller, 'emails', 'send')
  const from = requireMailServer(ctx)
  const to = isYes(email) ? await ownAddress(ctx, caller) : email
  // A subject has one line.
  const subject = (message.title ?? topic).replace(/\p{Cc}+/gu, ' ').trim() || topic
  const text_body = message.message
  return { ...draftEmail({ to, subject: cutText(subject, LIMITS.email.maxSubjectChars), text_body }), from }
}

// The address that was verified first.
async function ownAddress(ctx: Context, { userId }: Caller): Promise<string> {
  const recipients = await listRecipients(ctx.db.read, userId)
  const own = recipients.find((recipient) => recipientStatus(recipient) === 'verified')
  if (own) return own.address
  throw new Problem('email.recipient_not_verified', 'This account has no verified address; add a recipient first.')
}

// Files that are sent to ntfy in the body of a request.
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
