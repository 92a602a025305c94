// Quotas count each use once, even when the clocks of nodes disagree around midnight.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Allowance } from '../../src/contract/limits.ts'
import type { UserId } from '../../src/domain/caller.ts'
import { type Instant, instant } from '../../src/domain/instant.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { findUsage, incrementUsage, listUsage } from '../../src/store/usage.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

const USER = 'u' as UserId
const KIND = 'notifications'
const at = (text: string) => instant(Date.parse(text))
// One second apart: the end of a day that also ends a month, and the start of the next.
const BEFORE = at('2026-11-30T23:59:59Z')
const AFTER = at('2026-12-01T00:00:00Z')
const YEARS_AHEAD = at('2036-11-30T23:59:59Z')

let db: Database
beforeEach(async () => {
  db = (await openTestDatabase()).db
  await db.transact((tx) =>
    tx.run(sql`insert into users (id, name, plan, created_at) values (${USER}, 'u', 'free', 0)`),
  )
})

const use = (allowance: Allowance | null, now: Instant) =>
  db.transact((tx) => incrementUsage(tx, USER, KIND, allowance, now))

describe.each(['month', 'day'] as const)('C11 a limit per %s', (per) => {
  const allowance: Allowance = { limit: 3, per }

  test('starts at zero in the next period', async () => {
    for (const expected of [true, true, true, false]) expect(await use(allowance, BEFORE)).toBe(expected)
    for (const expected of [true, true, true, false]) expect(await use(allowance, AFTER)).toBe(expected)
  })

  test('is not reset by a clock that is one second behind', async () => {
    for (const now of [AFTER, BEFORE, AFTER]) expect(await use(allowance, now)).toBe(true)
    for (const now of [BEFORE, AFTER, BEFORE]) expect(await use(allowance, now)).toBe(false)
  })

  test('starts at zero after a clock that was years ahead has been corrected', async () => {
    for (const expected of [true, true, true, false]) expect(await use(allowance, YEARS_AHEAD)).toBe(expected)
    expect((await findUsage(db.read, USER, KIND, BEFORE))[per]).toBe(0)
    for (const expected of [true, true, true, false]) expect(await use(allowance, BEFORE)).toBe(expected)
  })

  test('a use counted with a clock one second behind belongs to the newer period', async () => {
    await use(allowance, AFTER)
    await use(null, BEFORE)
    for (const now of [BEFORE, AFTER]) {
      expect((await findUsage(db.read, USER, KIND, now))[per]).toBe(2)
      expect((await listUsage(db.read, USER, now))(KIND)[per]).toBe(2)
    }
  })
})
