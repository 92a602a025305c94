// The two links in e-mails. Neither is stored: each is derived from the signing key, so a copy of the database confirms
// nothing.
import { timingSafeEqual } from 'node:crypto'
import { hmacOf } from '../hmac.ts'
import type { Instant } from '../instant.ts'
import type { RecipientId } from './email.ts'

const CONFIRM = 'heliograph/confirm/v1'
const UNSUBSCRIBE = 'heliograph/unsubscribe/v1'
const ID_BYTES = 16
const PROOF_BYTES = 20
// Exactly 36 bytes, for which base64url has one spelling only.
const TICKET = /^[A-Za-z0-9_-]{48}$/

// A new token each time the recipient is asked.
export function confirmationToken(signingKey: Buffer, id: RecipientId, expiresAt: Instant): string {
  return hmacOf(signingKey, CONFIRM, `${id} ${expiresAt}`).toString('base64url')
}

export function unsubscribeTicket(signingKey: Buffer, id: RecipientId): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.concat([bytes, ticketProof(signingKey, bytes)]).toString('base64url')
}

export function readUnsubscribeTicket(signingKey: Buffer, text: string): RecipientId | undefined {
  if (!TICKET.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const id = bytes.subarray(0, ID_BYTES)
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), ticketProof(signingKey, id))) return undefined
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as RecipientId
}

const ticketProof = (signingKey: Buffer, id: Buffer) => hmacOf(signingKey, UNSUBSCRIBE, id).subarray(0, PROOF_BYTES)
