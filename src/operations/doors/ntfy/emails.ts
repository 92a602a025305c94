// Sends a message of ntfy's senders by e-mail, too, to a recipient who has agreed to it.
import { LIMITS } from '../../../contract/limits.ts'
import { Problem } from '../../../contract/problems.ts'
import type { Caller } from '../../../domain/caller.ts'
import { isYes } from '../../../domain/doors/ntfy/parameters.ts'
import type { NtfyMessage } from '../../../domain/doors/ntfy/publication.ts'
import { cutText } from '../../../domain/doors/text.ts'
import { recipientStatus } from '../../../domain/emails/email.ts'
import { listRecipients } from '../../../store/email-recipients.ts'
import type { Context } from '../../context.ts'
import { requireMailServer, sendEmail } from '../../emails/emails.ts'

export async function sendByEmail(
  ctx: Context,
  caller: Caller,
  email: string,
  { topic, message }: { topic: string; message: NtfyMessage },
): Promise<void> {
  requireMailServer(ctx)
  const to = isYes(email) ? await ownAddress(ctx, caller) : email
  // A subject has one line.
  const subject = (message.title ?? topic).replace(/\p{Cc}+/gu, ' ').trim() || topic
  await sendEmail(ctx, caller, {
    to,
    subject: cutText(subject, LIMITS.email.maxSubjectChars),
    text_body: message.message,
  })
}

// The address that was verified first.
async function ownAddress(ctx: Context, { userId }: Caller): Promise<string> {
  const recipients = await listRecipients(ctx.db.read, userId)
  const own = recipients.find((recipient) => recipientStatus(recipient) === 'verified')
  if (own) return own.address
  throw new Problem('email.recipient_not_verified', 'This account has no verified address; add a recipient first.')
}
