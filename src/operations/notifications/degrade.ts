// Alerts of schedules, heartbeats and hooks have no client that could correct the request. One that cannot have its receipt
// or its escalation policy is sent without, and says so; one whose steps come after its end lasts longer.
import { Problem, type ProblemName } from '../../contract/problems.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Context } from '../context.ts'
import type { Message } from './store.ts'

// There are as many receipts, or members, as allowed.
const OVER_CAP: ProblemName[] = ['notification_receipt.limit_exceeded', 'notification.invalid']
// The policy was deleted, or the key has been limited since.
export const WITHOUT_ESCALATION: ProblemName[] = ['escalation.unknown', 'integration_key.target_denied']

// Throws the error again if leaving something out does not help.
export function degradeMessage(ctx: Context, userId: UserId, message: Message, error: unknown): Message {
  const { acknowledge } = message
  if (!(error instanceof Problem) || !acknowledge) throw error
  const { problem } = error
  if (acknowledge.escalation !== undefined && WITHOUT_ESCALATION.includes(problem)) {
    return { ...message, acknowledge: { ...acknowledge, escalation: undefined } }
  }
  if (problem === 'escalation.after_expiry') {
    return { ...message, acknowledge: { ...acknowledge, expireSeconds: undefined } }
  }
  if (!OVER_CAP.includes(problem)) throw error
  return { ...message, acknowledge: undefined, noReceipt: withoutReceipt(ctx, userId, error) }
}

// Logs that an alert has no receipt. Returns why, for its timeline.
export function withoutReceipt({ log }: Context, userId: UserId, { problem, message, members }: Problem): string {
  log.warn({ account: userId, problem }, 'an alert was sent without a receipt: it neither repeats nor escalates')
  if (problem !== 'notification_receipt.limit_exceeded') return message
  return `the account has ${members.limit} open alerts`
}
