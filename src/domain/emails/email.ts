// E-mails and their recipients: what may be sent, to whom, and how the delivery is reported.
import type { EmailInput, EmailView, RecipientView, SentEmailView } from '../../contract/emails.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import { inOneSentence } from '../../contract/validation.ts'
import type { KeyId, UserId } from '../caller.ts'
import { isUuid } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { isBareAddress } from './address.ts'

export type EmailId = number & { readonly of: 'e-mail' }
export type RecipientId = string & { readonly of: 'e-mail recipient' }

export const isRecipientId = (text: string): text is RecipientId => isUuid(text)

// A client's `failed` has two meanings here: `queued` will be tried again, `failed` will not.
export type EmailStatus = EmailView['status'] | 'queued'

export type EmailDraft = { to: string; subject: string; text?: string; html?: string }

export type Email = EmailDraft & {
  id: EmailId
  userId: UserId
  keyId: KeyId | null
  recipientId: RecipientId
  messageId: string
  status: EmailStatus
  error: string | null
  createdAt: Instant
}

export type Recipient = {
  id: RecipientId
  userId: UserId
  address: string
  confirmationExpiresAt: Instant
  verifiedAt: Instant | null
  suppressedAt: Instant | null
  createdAt: Instant
}

export function draftEmail({ to, subject, html_body: html, text_body: text }: EmailInput): EmailDraft {
  const errors: Violation[] = [...addressViolations('body.to', to)]
  if (BREAKS_LINES.test(subject)) {
    errors.push({ location: 'body.subject', message: 'must be one line, without control characters' })
  }
  if (!html && !text) errors.push({ location: 'body.text_body', message: 'or body.html_body is required' })
  if (errors.length > 0) throw emailInvalid(errors)
  return { to, subject, html: html || undefined, text: text || undefined }
}

export function checkAddress(address: string): void {
  const errors = addressViolations('body.address', address)
  if (errors.length > 0) throw emailInvalid(errors)
}

// Includes the Unicode line separators, which some programs treat as the end of a line.
const BREAKS_LINES = /[\p{Cc}\p{Zl}\p{Zp}]/u

function addressViolations(location: string, address: string): Violation[] {
  if (isBareAddress(address)) return []
  return [{ location, message: 'must be a bare address such as ada@example.org, in ASCII' }]
}

const emailInvalid = (errors: Violation[]) => new Problem('email.invalid', inOneSentence(errors), { errors })

export type EmailDelivery = Pick<SentEmailView, 'delivery' | 'reason'>

export function emailDeliveryOf({ status }: Email): EmailDelivery {
  if (status === 'sent') return { delivery: 'all' }
  return { delivery: 'none', reason: status === 'suppressed' ? 'suppressed' : 'send_failed' }
}

export function recipientStatus({ verifiedAt, suppressedAt }: Recipient): RecipientView['status'] {
  if (suppressedAt !== null) return 'suppressed'
  return verifiedAt === null ? 'pending' : 'verified'
}
