// What the inbox shows beside a notification: whether it was answered, and whether its alert still repeats.
import type { AnswerState as AnswerStateView } from '../../contract/answers.ts'
import type { Receipt } from '../receipts/receipt.ts'
import type { Answer } from './answer.ts'

export type NotificationState = { answer: AnswerState; receipt?: ReceiptState }

export type AnswerState = {
  status: AnswerStateView['status']
  // `device`: its name.
  given?: NonNullable<Answer['given']> & { device?: string }
}

export type ReceiptState = Pick<
  Receipt,
  'status' | 'expiresAt' | 'repeatsSent' | 'finishedAt' | 'acknowledgedBy' | 'acknowledgedByDevice'
>

// For a question whose answer is no longer kept, or whose reader has left the organization and cannot answer.
export const CLOSED_QUESTION: NotificationState = { answer: { status: 'expired' } }

// An alert is open as long as it repeats, any other question until it is answered.
export function answerStatus(
  isAnswered: boolean,
  alert: { receipt?: Pick<Receipt, 'status'> } | undefined,
): AnswerState['status'] {
  if (isAnswered) return 'answered'
  return alert && alert.receipt?.status !== 'active' ? 'expired' : 'pending'
}
