// Storm shields: pushes within a sliding minute.
import { describe, expect, test } from 'vitest'
import { isOver, stormSummary, withPush } from '../../../src/domain/holds/storm.ts'
import { fromRfc3339, type Instant, plusSeconds } from '../../../src/domain/instant.ts'

const SHIELD = { id: 'k', pushesPerMinute: 3 }
const start = fromRfc3339('2026-11-16T12:00:00Z')
const at = (seconds: number) => plusSeconds(start, seconds)

// The seconds at which a push is let through, of all that are tried.
function passing(tried: number[]): number[] {
  let pushes: Instant[] = []
  return tried.filter((second) => {
    if (isOver(pushes, SHIELD, at(second))) return false
    pushes = withPush(pushes, SHIELD, at(second))
    return true
  })
}

describe('a sliding minute', () => {
  test('lets as many through as the limit, and the next when the first is a minute old', () => {
    expect(passing([0, 10, 20, 30, 59, 60, 61, 69, 70, 80, 81])).toEqual([0, 10, 20, 60, 70, 80])
  })

  test('never has more than the limit in any minute, however dense the storm', () => {
    const passed = passing(Array.from({ length: 600 }, (_, index) => index / 2))
    for (const second of passed) {
      expect(passed.filter((other) => other >= second && other < second + 60).length).toBeLessThanOrEqual(3)
    }
    expect(passed).toHaveLength(15)
  })

  test('keeps no more times than the limit, also for pushes that pass it', () => {
    let pushes: Instant[] = []
    for (let second = 0; second < 50; second++) pushes = withPush(pushes, SHIELD, at(second))
    expect(pushes).toEqual([at(47), at(48), at(49)])
  })
})

test('the summary names the sender and the count, cut to fit', () => {
  const held = { count: 57, level: 'time-sensitive', newestId: null } as const
  expect(stormSummary({ id: 'k', name: 'CI' }, held)).toMatchObject({
    title: 'CI: 57 more in the last minute',
    level: 'time-sensitive',
    collapse_id: 'storm-k',
  })
})
