// Alerts of schedules and heartbeats have no client that could correct the request. One that cannot have its receipt or its
// escalation policy is sent without.
import { Problem, type ProblemName } from '../../contract/problems.ts'
import type { Message } from './store.ts'

// There are as many receipts, or members, as allowed.
const OVER_CAP: ProblemName[] = ['notification_receipt.limit_exceeded', 'notification.invalid']
// The policy was deleted, or the key has been limited since.
export const WITHOUT_ESCALATION: ProblemName[] = ['escalation.unknown', 'integration_key.target_denied']

// Throws the error again if leaving something out does not help.
export function lesserMessage(message: Message, error: unknown): Message {
  const problem = error instanceof Problem ? error.problem : undefined
  const { acknowledge } = message
  if (!problem || !acknowledge) throw error
  if (acknowledge.escalation !== undefined && WITHOUT_ESCALATION.includes(problem)) {
    return { ...message, acknowledge: { ...acknowledge, escalation: undefined } }
  }
  if (!OVER_CAP.includes(problem)) throw error
  return { ...message, acknowledge: undefined }
}
