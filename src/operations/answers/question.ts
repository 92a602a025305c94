// Reads what a ticket asks, for the page on which a person answers in a browser. Changes nothing.
import { readApprovalTicket } from '../../domain/answers/answer-ticket.ts'
import { type Question, questionOfApproval, questionOfNotification } from '../../domain/answers/question.ts'
import { findNotification } from '../../store/notifications/notifications.ts'
import { findReceipt } from '../../store/receipts.ts'
import { findApprovalOfTicket } from '../activities/answers.ts'
import type { Context } from '../context.ts'
import { findAnswerOfTicket } from './answers.ts'

// Undefined if the ticket is unknown or too old, or the notification has been deleted.
export async function readQuestion(ctx: Context, ticket: string): Promise<Question | undefined> {
  const { read } = ctx.db
  const approval = readApprovalTicket(ctx.signingKey, ticket)
  if (approval) {
    const seen = await findApprovalOfTicket(read, approval)
    return seen && questionOfApproval(seen.activity, approval.round)
  }
  const known = await findAnswerOfTicket(ctx, ticket)
  if (!known) return undefined
  const { answer, entry } = known
  const notification = entry
    ? await findNotification(read, entry.userId, entry.entryId)
    : await findNotification(read, answer.userId, answer.notificationId)
  const receipt = await findReceipt(read, answer.userId, answer.notificationId)
  return notification && questionOfNotification(notification, answer, receipt)
}
