// The ticket in a push with which a device answers one question without a token: the id of the notification or the
// round of the approval, and a MAC. Tickets are not stored; the row of the question decides how long they are valid.
import { timingSafeEqual } from 'node:crypto'
import type { ActivityId } from '../activities/activity.ts'
import { hmacOf } from '../hmac.ts'
import type { NotificationId } from './notification.ts'

const PURPOSE = 'heliograph/answer/v1'
const APPROVAL_PURPOSE = 'heliograph/approval/v1'
const ID_BYTES = 8
const UUID_BYTES = 16
const ROUND_BYTES = 4
const PROOF_BYTES = 16
// Exactly 24 bytes, for which base64url has one spelling only.
const TICKET = /^[A-Za-z0-9_-]{32}$/

export function makeTicket(signingKey: Buffer, notificationId: NotificationId): string {
  const id = Buffer.alloc(ID_BYTES)
  id.writeBigUInt64BE(BigInt(notificationId))
  return Buffer.concat([id, ticketProof(signingKey, PURPOSE, id)]).toString('base64url')
}

export function readTicket(signingKey: Buffer, text: string): NotificationId | undefined {
  if (!TICKET.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const id = bytes.subarray(0, ID_BYTES)
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), ticketProof(signingKey, PURPOSE, id))) return undefined
  return Number(id.readBigUInt64BE()) as NotificationId
}

export type ApprovalTicket = { activityId: ActivityId; round: number }

// The 36 bytes of the ticket of an approval.
const APPROVAL_TICKET = /^[A-Za-z0-9_-]{48}$/

export function makeApprovalTicket(signingKey: Buffer, { activityId, round }: ApprovalTicket): string {
  const subject = Buffer.alloc(UUID_BYTES + ROUND_BYTES)
  subject.write(activityId.replaceAll('-', ''), 'hex')
  subject.writeUInt32BE(round, UUID_BYTES)
  return Buffer.concat([subject, ticketProof(signingKey, APPROVAL_PURPOSE, subject)]).toString('base64url')
}

export function readApprovalTicket(signingKey: Buffer, text: string): ApprovalTicket | undefined {
  if (!APPROVAL_TICKET.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const subject = bytes.subarray(0, UUID_BYTES + ROUND_BYTES)
  const proof = bytes.subarray(UUID_BYTES + ROUND_BYTES)
  if (!timingSafeEqual(proof, ticketProof(signingKey, APPROVAL_PURPOSE, subject))) return undefined
  const uuid = subject.toString('hex', 0, UUID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return { activityId: uuid as ActivityId, round: subject.readUInt32BE(UUID_BYTES) }
}

const ticketProof = (signingKey: Buffer, purpose: string, subject: Buffer) =>
  hmacOf(signingKey, purpose, subject).subarray(0, PROOF_BYTES)
