// The ticket in a push with which a device answers one question without a token: it names a notification, or one round of
// an approval. The row of the question decides how long its tickets are valid.
import type { ActivityId } from '../activities/activity.ts'
import type { UserId } from '../caller.ts'
import { uuidFromBytes, uuidToBytes } from '../ids.ts'
import type { NotificationId } from '../notifications/notification.ts'
import { signTicket, type TicketForm, verifyTicket } from '../signing.ts'

const NOTIFICATION_TICKET: TicketForm = { purpose: 'heliograph/answer/v1', subjectBytes: 8, macBytes: 16 }
const UUID_BYTES = 16
const ROUND_BYTES = 4
const APPROVAL_TICKET: TicketForm = {
  purpose: 'heliograph/approval/v1',
  subjectBytes: UUID_BYTES + ROUND_BYTES,
  macBytes: 16,
}

const SHARED_APPROVAL_TICKET: TicketForm = {
  purpose: 'heliograph/shared-approval/v1',
  subjectBytes: APPROVAL_TICKET.subjectBytes + UUID_BYTES,
  macBytes: 18,
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

// `recipientId`: the account the ticket was made for, if the approval is shared with it.
export type ApprovalTicket = { activityId: ActivityId; round: number; recipientId?: UserId }

export function makeApprovalTicket(signingKey: Buffer, { activityId, round, recipientId }: ApprovalTicket): string {
  const roundBytes = Buffer.alloc(ROUND_BYTES)
  roundBytes.writeUInt32BE(round)
  const question = Buffer.concat([uuidToBytes(activityId), roundBytes])
  if (!recipientId) return signTicket(signingKey, APPROVAL_TICKET, question)
  return signTicket(signingKey, SHARED_APPROVAL_TICKET, Buffer.concat([question, uuidToBytes(recipientId)]))
}

export function readApprovalTicket(signingKey: Buffer, text: string): ApprovalTicket | undefined {
  const own = verifyTicket(signingKey, APPROVAL_TICKET, text)
  if (own) return readQuestion(own)
  const shared = verifyTicket(signingKey, SHARED_APPROVAL_TICKET, text)
  if (!shared) return undefined
  const recipientId = uuidFromBytes(shared.subarray(APPROVAL_TICKET.subjectBytes)) as UserId
  return { ...readQuestion(shared), recipientId }
}

function readQuestion(subject: Buffer): Pick<ApprovalTicket, 'activityId' | 'round'> {
  const activityId = uuidFromBytes(subject.subarray(0, UUID_BYTES)) as ActivityId
  return { activityId, round: subject.readUInt32BE(UUID_BYTES) }
}
