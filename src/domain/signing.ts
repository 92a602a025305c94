// HMACs with the signing key, and signed tickets: a few bytes that name something, followed by a truncated HMAC, as base64url.
// A ticket is not stored; its signature proves that this server issued it.
import { createHmac, timingSafeEqual } from 'node:crypto'

// The lengths are multiples of 3 together, so that base64url has one spelling for each ticket.
export type TicketForm = { purpose: string; subjectBytes: number; macBytes: number }

export function signTicket(signingKey: Buffer, form: TicketForm, subject: Buffer): string {
  return Buffer.concat([subject, macOf(signingKey, form, subject)]).toString('base64url')
}

// Returns the subject; undefined if the text is not a ticket of this form that was signed with this key.
export function verifyTicket(signingKey: Buffer, form: TicketForm, text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  const isWellFormed = bytes.length === form.subjectBytes + form.macBytes && bytes.toString('base64url') === text
  if (!isWellFormed) return undefined
  const subject = bytes.subarray(0, form.subjectBytes)
  return timingSafeEqual(bytes.subarray(form.subjectBytes), macOf(signingKey, form, subject)) ? subject : undefined
}

const macOf = (signingKey: Buffer, { purpose, macBytes }: TicketForm, subject: Buffer): Buffer =>
  hmacOf(signingKey, purpose, subject).subarray(0, macBytes)

// An HMAC with the signing key: proves that this server issued something without storing it. The purpose keeps a MAC of
// one kind of message from being valid for another.
export function hmacOf(signingKey: Buffer, purpose: string, what: Buffer | string): Buffer {
  return createHmac('sha256', signingKey).update(purpose).update(what).digest()
}
