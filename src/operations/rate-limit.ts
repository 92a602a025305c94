// Counts requests per client address in windows of a minute. A decision never waits: counts are in memory, and nodes
// that share a database add them up there a few times a second.
import { LIMITS } from '../contract/limits.ts'
import { type Instant, instant } from '../domain/instant.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Database } from '../store/engine/database.ts'
import { addToRateCounters } from '../store/rate-counters.ts'

export type Verdict = { allowed: boolean; remaining: number; resetSeconds: number }

export type RateLimiter = {
  take(scope: string, address: string, limit: number): Verdict
  // For limits that count only some outcomes: undoes a `take`.
  giveBack(scope: string, address: string): void
  // Adds the counts of this node to the shared ones, and reads the sums back.
  share(): Promise<void>
}

type Count = { total: number; unshared: number }
type Sent = { key: string; count: Count; added: number }

const WINDOW_MS = LIMITS.rate.windowSeconds * 1000
// Bounds the memory in a flood from many addresses: when the young generation is full, the old one is dropped.
const GENERATION = 50_000
// More than this wait for the next time.
const SHARED_AT_ONCE = 2000

export function createRateLimiter(clock: Clock, db: Database): RateLimiter {
  let windowStart = instant(0)
  let young = new Map<string, Count>()
  let old = new Map<string, Count>()
  // Counts that have not been shared yet.
  let dirty = new Map<string, Count>()

  function currentWindow(now: Instant) {
    const start = instant(now - (now % WINDOW_MS))
    if (start === windowStart) return
    windowStart = start
    young = new Map()
    old = new Map()
    dirty = new Map()
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

  // Subtracts before it sends, so that a slow transaction cannot count twice.
  function takeUnshared(): Sent[] {
    const sent: Sent[] = []
    for (const [key, count] of dirty) {
      if (sent.length === SHARED_AT_ONCE) break
      dirty.delete(key)
      sent.push({ key, count, added: count.unshared })
      count.unshared = 0
    }
    // Sorted, so that two nodes cannot deadlock.
    return sent.sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  function shareLater(sent: Sent[]) {
    for (const { key, count, added } of sent) {
      count.unshared += added
      dirty.set(key, count)
    }
  }

  return {
    take(scope, address, limit) {
      const now = clock.now()
      currentWindow(now)
      const key = `${scope} ${address}`
      const count = countOf(key)
      if (count.unshared === 0 && dirty.size < GENERATION) dirty.set(key, count)
      count.total += 1
      count.unshared += 1
      const resetSeconds = Math.ceil((windowStart + WINDOW_MS - now) / 1000)
      return { allowed: count.total <= limit, remaining: Math.max(limit - count.total, 0), resetSeconds }
    },
    giveBack(scope, address) {
      const key = `${scope} ${address}`
      const count = young.get(key) ?? old.get(key)
      // The window in which it was taken is over.
      if (!count || count.total === 0) return
      count.total -= 1
      count.unshared -= 1
      dirty.set(key, count)
    },
    async share() {
      const start = windowStart
      const sent = takeUnshared()
      if (sent.length === 0) return
      const counted = sent.map(({ key, added }) => ({ address: key, count: added }))
      try {
        const sums = await db.transact((tx) => addToRateCounters(tx, counted, start))
        const sumOf = new Map(sums.map(({ address, count }) => [address, count]))
        // Requests counted since are not in the sum yet. Within a window a count never falls.
        for (const { key, count } of sent) count.total = Math.max(count.total, (sumOf.get(key) ?? 0) + count.unshared)
      } catch (error) {
        if (start === windowStart) shareLater(sent)
        throw error
      }
    },
  }
}
