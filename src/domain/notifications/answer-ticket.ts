// The ticket in a push with which a device answers one question without a token: it names a notification, or one round of
// an approval. The row of the question decides how long its tickets are valid.
import type { ActivityId } from '../activities/activity.ts'
import { signTicket, type TicketForm, verifyTicket } from '../signed-ticket.ts'
import { uuidFromBytes, uuidToBytes } from '../uuid.ts'
import type { NotificationId } from './notification.ts'

const NOTIFICATION_TICKET: TicketForm = { purpose: 'heliograph/answer/v1', subjectBytes: 8, macBytes: 16 }
const UUID_BYTES = 16
const ROUND_BYTES = 4
const APPROVAL_TICKET: TicketForm = {
  purpose: 'heliograph/approval/v1',
  subjectBytes: UUID_BYTES + ROUND_BYTES,
  macBytes: 16,
}

export function makeTicket(signingKey: Buffer, notificationId: NotificationId): string {
  const subject = Buffer.alloc(NOTIFICATION_TICKET.subjectBytes)
  subject.writeBigUInt64BE(BigInt(notificationId))
  return signTicket(signingKey, NOTIFICATION_TICKET, subject)
}

export function readTicket(signingKey: Buffer, text: string): NotificationId | undefined {
  const subject = verifyTicket(signingKey, NOTIFICATION_TICKET, text)
  return subject && (Number(subject.readBigUInt64BE()) as NotificationId)
}

export type ApprovalTicket = { activityId: ActivityId; round: number }

export function makeApprovalTicket(signingKey: Buffer, { activityId, round }: ApprovalTicket): string {
  const roundBytes = Buffer.alloc(ROUND_BYTES)
  roundBytes.writeUInt32BE(round)
  return signTicket(signingKey, APPROVAL_TICKET, Buffer.concat([uuidToBytes(activityId), roundBytes]))
}

export function readApprovalTicket(signingKey: Buffer, text: string): ApprovalTicket | undefined {
  const subject = verifyTicket(signingKey, APPROVAL_TICKET, text)
  if (!subject) return undefined
  const activityId = uuidFromBytes(subject.subarray(0, UUID_BYTES)) as ActivityId
  return { activityId, round: subject.readUInt32BE(UUID_BYTES) }
}
