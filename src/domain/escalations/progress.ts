// How far the escalation of an alert has come: when its next step is due, and how loud the alert is by now.
import { NOTIFICATION_LEVELS } from '../../contract/notification.ts'
import { type Instant, plusSeconds } from '../instant.ts'
import type { NotificationDraft } from '../notifications/notification.ts'
import type { Receipt } from '../receipts/receipt.ts'

type Level = NotificationDraft['level']

// Undefined if no step is left before the alert expires.
export function nextStepAt(receipt: Receipt): Instant | undefined {
  const step = receipt.escalation?.steps[receipt.escalatedSteps]
  if (!step || receipt.status !== 'active') return undefined
  const at = plusSeconds(receipt.createdAt, step.afterSeconds)
  return at < receipt.expiresAt ? at : undefined
}

// A step raises the level that the alert was sent with, and never lowers it.
export function levelOfAlert(sent: Level, { escalation, escalatedSteps }: Receipt): Level {
  const taken = escalation?.steps.slice(0, escalatedSteps) ?? []
  const last = taken.findLast(({ level }) => level !== undefined)?.level
  return last !== undefined && rankOf(last) > rankOf(sent) ? last : sent
}

const rankOf = (level: Level): number => NOTIFICATION_LEVELS.indexOf(level)
