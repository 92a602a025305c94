// E-mails and their recipients: what may be sent, to whom, and how the delivery is reported.
import type { EmailInput, EmailView, RecipientView, SentEmailView } from '../../contract/emails.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import { inOneSentence } from '../../contract/validation.ts'
import type { KeyId, UserId } from '../caller.ts'
import { isUuid, uuidFromBytes, uuidToBytes } from '../ids.ts'
import { type Instant, plusSeconds } from '../instant.ts'
import { hmacOf, signTicket, type TicketForm, verifyTicket } from '../signing.ts'
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
  // The person reads this address, and gets sign-in links there.
  signsIn: boolean
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

// A mail on its way to the mail server: the message, the result that the server reports, and the retry schedule.
export type OutgoingMail = {
  to: string
  subject: string
  text?: string
  html?: string
  // The same on each attempt, so that a mail server can drop the duplicate.
  messageId: string
  sentAt: Instant
  unsubscribeUrl: string
}

export type MailResult =
  | { result: 'accepted' }
  | { result: 'recipient_refused'; reason: string }
  // Permanent, for every recipient: not retried.
  | { result: 'rejected'; reason: string }
  | { result: 'try_later'; reason: string }

// Mail servers scan a message before they answer. Closing the connection earlier makes us send it twice.
export const MAIL_DEADLINE_MS = 60_000

// Entry n - 1 is the delay after attempt n: over a day in all. After the last entry the mail is given up.
export const MAIL_RETRY_SECONDS = [60, 300, 900, 3600, 10_800, 21_600, 46_800] as const

// Undefined if the mail is not retried.
export function nextMailAttemptAt(attempt: number, now: Instant): Instant | undefined {
  const delaySeconds = MAIL_RETRY_SECONDS[attempt - 1]
  return delaySeconds === undefined ? undefined : plusSeconds(now, delaySeconds)
}

// The links in e-mails. None is stored: each is derived from the signing key, so a copy of the database confirms
// nothing.
const CONFIRM_PURPOSE = 'heliograph/confirm/v1'
const SIGN_IN_PURPOSE = 'heliograph/mailed-sign-in/v1'
const UNSUBSCRIBE_TICKET: TicketForm = { purpose: 'heliograph/unsubscribe/v1', subjectBytes: 16, macBytes: 20 }

// A new token each time the recipient is asked.
export function confirmationToken(signingKey: Buffer, id: RecipientId, expiresAt: Instant): string {
  return hmacOf(signingKey, CONFIRM_PURPOSE, `${id} ${expiresAt}`).toString('base64url')
}

// The code of a sign-in link. Its hash is stored before the mail is sent, and the job that sends it makes it again.
export function mailedSignInCode(signingKey: Buffer, id: RecipientId, expiresAt: Instant): string {
  return hmacOf(signingKey, SIGN_IN_PURPOSE, `${id} ${expiresAt}`).toString('base64url')
}

export function unsubscribeTicket(signingKey: Buffer, id: RecipientId): string {
  return signTicket(signingKey, UNSUBSCRIBE_TICKET, uuidToBytes(id))
}

export function readUnsubscribeTicket(signingKey: Buffer, text: string): RecipientId | undefined {
  const id = verifyTicket(signingKey, UNSUBSCRIBE_TICKET, text)
  return id && (uuidFromBytes(id) as RecipientId)
}
