// Counts requests per client address in windows of a minute. Deciding never waits: counts live in memory, and where
// several nodes share a database they are added up there a few times a second.
import { LIMITS } from '../contract/limits.ts'
import { type Instant, instant } from '../domain/instant.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Database } from '../store/database.ts'
import { addToRateCounter } from '../store/rate-counters.ts'

export type Verdict = { allowed: boolean; remaining: number; resetSeconds: number }

export type RateLimiter = {
  take(scope: string, address: string, limit: number): Verdict
  // Adds what this node counted to what all nodes counted.
  share(): Promise<void>
}

type Count = { total: number; unshared: number }

const WINDOW_MS = LIMITS.rateWindowSeconds * 1000
// A flood from a million addresses must not fill the memory: when the young are this many, the old are forgotten.
const GENERATION = 50_000

export function createRateLimiter(clock: Clock, db: Database): RateLimiter {
  let windowStart = instant(0)
  let young = new Map<string, Count>()
  let old = new Map<string, Count>()

  function currentWindow(now: Instant) {
    const start = instant(now - (now % WINDOW_MS))
    if (start === windowStart) return
    windowStart = start
    young = new Map()
    old = new Map()
  }

  function countOf(key: string): Count {
    const known = young.get(key)
    if (known) return known
    if (young.size >= GENERATION) {
      old = young
      young = new Map()
    }
    const count = old.get(key) ?? { total: 0, unshared: 0 }
    young.set(key, count)
    return count
  }

  return {
    take(scope, address, limit) {
      const now = clock.now()
      currentWindow(now)
      const count = countOf(`${scope} ${address}`)
      count.total += 1
      count.unshared += 1
      const resetSeconds = Math.ceil((windowStart + WINDOW_MS - now) / 1000)
      return { allowed: count.total <= limit, remaining: Math.max(limit - count.total, 0), resetSeconds }
    },
    async share() {
      const start = windowStart
      // Sorted, so that two nodes never wait for each other's rows.
      const dirty = [...young].filter(([, count]) => count.unshared > 0).sort(([a], [b]) => (a < b ? -1 : 1))
      if (dirty.length === 0) return
      const sent = dirty.map(([key, count]) => ({ key, count, added: count.unshared }))
      const totals = await db.transact(async (tx) => {
        const all: number[] = []
        for (const { key, added } of sent) all.push(await addToRateCounter(tx, key, start, added))
        return all
      })
      for (const [index, { count, added }] of sent.entries()) {
        // What was counted here while the others were asked is not among the total yet.
        count.unshared -= added
        count.total = (totals[index] ?? added) + count.unshared
      }
    },
  }
}
