// When an alert repeats, and whether a repeat is still wanted.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { UserId } from '../../../src/domain/caller.ts'
import { type Instant, instant, plusSeconds } from '../../../src/domain/instant.ts'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'
import { isRepeatWanted, nextRepeatAt, type Receipt, receiptCollapseId } from '../../../src/domain/receipts/receipt.ts'

const START = instant(Date.parse('2026-11-15T08:00:00Z'))

const receipt = (members: Partial<Receipt> = {}): Receipt => ({
  notificationId: 7 as NotificationId,
  userId: 'u' as UserId,
  keyId: null,
  status: 'active',
  repeatSeconds: 60,
  repeatsSent: 0,
  tags: [],
  escalatedSteps: 0,
  createdAt: START,
  expiresAt: plusSeconds(START, 3600),
  ...members,
})

const secondsAfterStart = (at: Instant | undefined) => (at === undefined ? undefined : (at - START) / 1000)

// The repeats of an alert that is never acknowledged, when each runs this late.
function repeatsOf(alert: Receipt, lateMs: (repeat: number) => number): Instant[] {
  const sent: Instant[] = []
  let due = nextRepeatAt(alert, START, START)
  while (due !== undefined) {
    const now = instant(due + lateMs(sent.length))
    if (now >= alert.expiresAt) break
    sent.push(now)
    due = nextRepeatAt({ ...alert, repeatsSent: sent.length }, due, now)
  }
  return sent
}

const timing = fc.record({
  repeatSeconds: fc.integer({ min: 30, max: 3600 }),
  expireSeconds: fc.integer({ min: 60, max: 10_800 }),
})

describe('R29 repeats', () => {
  test('are one per interval strictly before the expiry, and at most 50', () => {
    fc.assert(
      fc.property(timing, ({ repeatSeconds, expireSeconds }) => {
        const alert = receipt({ repeatSeconds, expiresAt: plusSeconds(START, expireSeconds) })
        const steps = Math.ceil(expireSeconds / repeatSeconds) - 1
        const sent = repeatsOf(alert, () => 0)
        expect(sent).toHaveLength(Math.min(LIMITS.receipt.maxRepeats, steps))
        expect(sent.map(secondsAfterStart)).toEqual(sent.map((_, index) => (index + 1) * repeatSeconds))
      }),
    )
  })

  test('do not drift when each runs a little late', () => {
    const sent = repeatsOf(receipt(), () => 900)
    expect(sent).toHaveLength(LIMITS.receipt.maxRepeats)
    expect(secondsAfterStart(sent.at(-1))).toBe(50 * 60 + 0.9)
  })

  test('are never closer than their interval, however late one runs', () => {
    fc.assert(
      fc.property(timing, fc.array(fc.nat(4_000_000)), ({ repeatSeconds, expireSeconds }, late) => {
        const alert = receipt({ repeatSeconds, expiresAt: plusSeconds(START, expireSeconds) })
        const sent = repeatsOf(alert, (repeat) => late[repeat] ?? 0)
        sent.slice(1).forEach((at, index) => {
          expect(at - (sent[index] ?? 0)).toBeGreaterThanOrEqual(repeatSeconds * 1000 - 2000)
        })
      }),
    )
  })

  test('missed for hours are sent once, not all at once', () => {
    const alert = receipt({ repeatSeconds: 30, repeatsSent: 4, expiresAt: plusSeconds(START, 10_800) })
    const back = plusSeconds(START, 7205)
    expect(secondsAfterStart(nextRepeatAt(alert, plusSeconds(START, 120), back))).toBe(7235)
    // Two seconds late is on time: the next one comes when it would have come anyway.
    const late = [2, 3].map((seconds) => nextRepeatAt(alert, START, plusSeconds(START, seconds)))
    expect(late.map(secondsAfterStart)).toEqual([30, 33])
  })

  // Columns: case, receipt, repeat, seconds since the start, and whether the repeat is wanted.
  test.each<[string, Partial<Receipt>, number, number, boolean]>([
    ['the next one', {}, 0, 0, true],
    ['a repeat that is counted', { repeatsSent: 3 }, 3, 180, true],
    ['a repeat after the next was sent', { repeatsSent: 4 }, 3, 190, false],
    ['the last millisecond', {}, 0, 3599.999, true],
    ['the expiry', {}, 0, 3600, false],
    ['acknowledged', { status: 'acknowledged' }, 0, 1, false],
    ['canceled', { status: 'canceled' }, 0, 1, false],
  ])('is wanted or not: %s', (_what, members, repeat, seconds, isWanted) => {
    expect(isRepeatWanted(receipt(members), repeat, plusSeconds(START, seconds))).toBe(isWanted)
  })
})

test('a device shows one banner: its collapse id is the sender’s, else one per notification', () => {
  expect(receiptCollapseId(receipt({ collapseId: 'disk' }))).toBe('disk')
  expect(receiptCollapseId(receipt())).toBe('receipt-7')
})
