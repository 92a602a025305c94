// The capability inside a push that lets a device answer one notification without a token: the notification's id, and
// a proof that we gave it out. It is not stored; that it lasts 30 days is the answer's row's to know.
import { timingSafeEqual } from 'node:crypto'
import type { NotificationId } from './notification.ts'
import { proofOf } from './proof.ts'

const PURPOSE = 'heliograph/answer/v1'
const ID_BYTES = 8
const PROOF_BYTES = 16
// Exactly the 24 bytes: base64url has no second spelling for them.
const TICKET = /^[A-Za-z0-9_-]{32}$/

export function makeTicket(signingKey: Buffer, notificationId: NotificationId): string {
  const id = Buffer.alloc(ID_BYTES)
  id.writeBigUInt64BE(BigInt(notificationId))
  return Buffer.concat([id, ticketProof(signingKey, id)]).toString('base64url')
}

export function readTicket(signingKey: Buffer, text: string): NotificationId | undefined {
  if (!TICKET.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const id = bytes.subarray(0, ID_BYTES)
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), ticketProof(signingKey, id))) return undefined
  return Number(id.readBigUInt64BE()) as NotificationId
}

const ticketProof = (signingKey: Buffer, id: Buffer) => proofOf(signingKey, PURPOSE, id).subarray(0, PROOF_BYTES)
