// An e-mail and a recipient as clients see them.
import type { EmailView, RecipientView, SentEmailView } from '../contract/emails.ts'
import { type Email, emailDeliveryOf, type Recipient, recipientStatus } from '../domain/emails/email.ts'
import { toRfc3339 } from '../domain/instant.ts'

export const sentEmailView = (email: Email): SentEmailView => ({ ...emailView(email), ...emailDeliveryOf(email) })

export function emailView({ id, to, subject, status, error, messageId, createdAt }: Email): EmailView {
  const isQueued = status === 'queued'
  return {
    id,
    to,
    subject,
    status: isQueued ? 'failed' : status,
    provider_message_id: status === 'sent' ? messageId : undefined,
    error: isQueued
      ? `Not sent yet, and tried again: ${error ?? 'the mail server has not answered.'}`
      : (error ?? undefined),
    created_at: toRfc3339(createdAt),
  }
}

export function recipientView(recipient: Recipient): RecipientView {
  const { id, address, verifiedAt, signsIn, createdAt } = recipient
  return {
    id,
    address,
    status: recipientStatus(recipient),
    created_at: toRfc3339(createdAt),
    verified_at: verifiedAt === null ? undefined : toRfc3339(verifiedAt),
    sign_in: signsIn || undefined,
  }
}
