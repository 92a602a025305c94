// The quotas of each plan, and when they reset.
import { describe, expect, test } from 'vitest'
import { QUOTAS } from '../../src/contract/limits.ts'
import { quotaExceeded, resetAt } from '../../src/domain/accounts/quota.ts'
import { fromRfc3339, toRfc3339 } from '../../src/domain/instant.ts'
import { CONTRACT_PLANS } from '../../src/domain/plans.ts'

const NOW = fromRfc3339('2026-11-30T23:59:58Z')

test('the quotas are those of the specification', () => {
  expect(QUOTAS).toEqual({
    free: {
      notifications: { limit: 500, per: 'month' },
      live_activity_updates: { limit: 250, per: 'month' },
      widget_updates: { limit: 50, per: 'month' },
      emails: { limit: 50, per: 'month' },
    },
    paid: {
      notifications: { limit: 5000, per: 'day' },
      live_activity_updates: null,
      widget_updates: null,
      emails: { limit: 200, per: 'month' },
    },
  })
})

describe('R09: resetAt', () => {
  test('a month resets on the 1st at midnight UTC', () => {
    expect(toRfc3339(resetAt(QUOTAS.free.emails, NOW))).toBe('2026-12-01T00:00:00.000Z')
    expect(toRfc3339(resetAt(null, NOW))).toBe('2026-12-01T00:00:00.000Z')
  })

  test('a day resets at the next midnight UTC', () => {
    const noon = fromRfc3339('2026-11-15T12:00:00Z')
    expect(toRfc3339(resetAt(QUOTAS.paid.notifications, noon))).toBe('2026-11-16T00:00:00.000Z')
  })
})

describe('quotaExceeded', () => {
  test('says which quota is used up, its limit, and when it resets', () => {
    const problem = quotaExceeded(CONTRACT_PLANS.named('free'), 'widget_updates', NOW)
    expect(problem).toMatchObject({ status: 429, code: 'quota.exceeded' })
    expect(problem.detail).toBe('All 50 widget updates of this month are used; more from 2026-12-01T00:00:00.000Z.')
    expect(problem.members).toEqual({
      kind: 'widget_updates',
      used: 50,
      limit: 50,
      reset_at: '2026-12-01T00:00:00.000Z',
      retry_after_ms: 2000,
    })
  })

  test('names the day if the quota is daily', () => {
    expect(quotaExceeded(CONTRACT_PLANS.named('paid'), 'notifications', NOW).detail).toMatch(
      /^All 5000 push notifications of this day /,
    )
  })
})
