// The two links in e-mails. Neither is stored: each is derived from the signing key, so a copy of the database confirms
// nothing.

import { uuidFromBytes, uuidToBytes } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { hmacOf, signTicket, type TicketForm, verifyTicket } from '../signing.ts'
import type { RecipientId } from './email.ts'

const CONFIRM_PURPOSE = 'heliograph/confirm/v1'
const UNSUBSCRIBE_TICKET: TicketForm = { purpose: 'heliograph/unsubscribe/v1', subjectBytes: 16, macBytes: 20 }

// A new token each time the recipient is asked.
export function confirmationToken(signingKey: Buffer, id: RecipientId, expiresAt: Instant): string {
  return hmacOf(signingKey, CONFIRM_PURPOSE, `${id} ${expiresAt}`).toString('base64url')
}

export function unsubscribeTicket(signingKey: Buffer, id: RecipientId): string {
  return signTicket(signingKey, UNSUBSCRIBE_TICKET, uuidToBytes(id))
}

export function readUnsubscribeTicket(signingKey: Buffer, text: string): RecipientId | undefined {
  const id = verifyTicket(signingKey, UNSUBSCRIBE_TICKET, text)
  return id && (uuidFromBytes(id) as RecipientId)
}
