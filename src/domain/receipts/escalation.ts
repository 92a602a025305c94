// How far the escalation of an alert has come: how long it lasts, when its next step is due, and how loud it is by now.
import { LIMITS } from '../../contract/limits.ts'
import { NOTIFICATION_LEVELS } from '../../contract/notifications/notification.ts'
import { Problem } from '../../contract/problems.ts'
import type { EscalationStep } from '../escalations.ts'
import { type Instant, plusSeconds } from '../instant.ts'
import type { Acknowledgement } from '../notifications/acknowledge.ts'
import type { NotificationDraft } from '../notifications/notification.ts'
import { isRungByAnother, type Receipt } from './receipt.ts'

type Level = NotificationDraft['level']

// How long an alert lasts. One that names no time lasts until its last step has repeated once.
export function lifeSeconds(
  { expireSeconds, repeatSeconds }: Pick<Acknowledgement, 'expireSeconds' | 'repeatSeconds'>,
  steps: readonly EscalationStep[] = [],
): number {
  const lastAfter = steps.at(-1)?.afterSeconds ?? 0
  if (expireSeconds === undefined) {
    const interval = steps.findLast((step) => step.repeatSeconds !== undefined)?.repeatSeconds ?? repeatSeconds
    return Math.max(LIMITS.acknowledge.expireSeconds.default, lastAfter + interval)
  }
  if (lastAfter < expireSeconds) return expireSeconds
  throw new Problem(
    'escalation.after_expiry',
    `The last step of the escalation policy comes after ${lastAfter} seconds, and the alert expires after ${expireSeconds}: set expire_seconds to more, or leave it out.`,
  )
}

// Undefined if no step is left before the alert expires, or another alert takes the steps for this one.
export function nextStepAt(receipt: Receipt): Instant | undefined {
  const step = receipt.escalation?.steps[receipt.escalatedSteps]
  if (!step || receipt.status !== 'active' || isRungByAnother(receipt)) return undefined
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
