// The e-mail that a message of ntfy's senders becomes besides, to a recipient who has agreed to it.
import { LIMITS } from '../../../contract/limits.ts'
import { Problem } from '../../../contract/problems.ts'
import type { Caller } from '../../../domain/caller.ts'
import { isYes } from '../../../domain/doors/ntfy/parameters.ts'
import type { NtfyMessage } from '../../../domain/doors/ntfy/publication.ts'
import { draftEmail, recipientStatus } from '../../../domain/emails/email.ts'
import type { IncomingNotification } from '../../../domain/notifications/notification.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import { cutText } from '../../../domain/text.ts'
import { listRecipients } from '../../../store/email-recipients.ts'
import type { Context } from '../../context.ts'
import { requireMailServer } from '../../emails/emails.ts'

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
