// When the next step of an escalation policy is due, and the level of the alert by then.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NOTIFICATION_LEVELS } from '../../src/contract/notifications/notification.ts'
import type { UserId } from '../../src/domain/caller.ts'
import { type EscalationStep, escalationMail } from '../../src/domain/escalations.ts'
import { instant, plusSeconds } from '../../src/domain/instant.ts'
import type { NotificationId } from '../../src/domain/notifications/notification.ts'
import { levelOfAlert, nextStepAt } from '../../src/domain/receipts/escalation.ts'
import type { Receipt } from '../../src/domain/receipts/receipt.ts'

const START = instant(Date.parse('2026-11-15T08:00:00Z'))

const receipt = (steps: EscalationStep[], escalatedSteps: number, members: Partial<Receipt> = {}): Receipt => ({
  notificationId: 7 as NotificationId,
  userId: 'u' as UserId,
  keyId: null,
  status: 'active',
  repeatSeconds: 60,
  repeatsSent: 0,
  tags: [],
  escalation: { slug: 'night', name: 'Night', steps },
  escalatedSteps,
  createdAt: START,
  expiresAt: plusSeconds(START, 3600),
  ...members,
})

const level = fc.constantFrom(...NOTIFICATION_LEVELS)
const stepLevel = fc.constantFrom(undefined, 'active' as const, 'time-sensitive' as const, 'critical' as const)
const rankOf = (one: (typeof NOTIFICATION_LEVELS)[number]) => NOTIFICATION_LEVELS.indexOf(one)

describe('nextStepAt', () => {
  const steps = [{ afterSeconds: 300 }, { afterSeconds: 3599 }, { afterSeconds: 3600 }]

  test('is the time of the first step that is not taken, counted from the alert, and before it expires', () => {
    expect(nextStepAt(receipt(steps, 0))).toBe(plusSeconds(START, 300))
    expect(nextStepAt(receipt(steps, 1))).toBe(plusSeconds(START, 3599))
    expect(nextStepAt(receipt(steps, 2))).toBeUndefined()
    expect(nextStepAt(receipt(steps, 3))).toBeUndefined()
  })

  test('there is none for an alert that has ended, or has no policy', () => {
    expect(nextStepAt(receipt(steps, 0, { status: 'acknowledged' }))).toBeUndefined()
    expect(nextStepAt(receipt(steps, 0, { escalation: undefined }))).toBeUndefined()
  })
})

test('the level is never below the one that the alert was sent with, and is that of the last step that raises it', () => {
  const taken = fc.array(stepLevel, { maxLength: 5 })
  fc.assert(
    fc.property(level, taken, taken, (sent, before, after) => {
      const steps = [...before, ...after].map((one, index) => ({ afterSeconds: 60 + index, level: one }))
      const last = before.findLast((one) => one !== undefined) ?? sent
      const expected = rankOf(last) > rankOf(sent) ? last : sent
      expect(levelOfAlert(sent, receipt(steps, before.length))).toBe(expected)
    }),
  )
})

test('the subject of the e-mail is one line of at most 256 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (title) => {
      const notification = { title, body: 'B', level: 'active' as const }
      const alert = { notification, escalation: { slug: 'n', name: 'N', steps: [] }, sentAt: START }
      const { subject } = escalationMail('ada@example.org', 1, alert)
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      expect([...subject].length).toBeLessThanOrEqual(256)
      expect(subject).not.toBe('')
    }),
  )
})
