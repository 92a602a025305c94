// A node compares its clock with the database's. At start it warns about a small difference and refuses a large one; while it
// runs, a large one stops it from claiming jobs.
import { expect, test } from 'vitest'
import { StartError } from '../../src/domain/errors.ts'
import { instant } from '../../src/domain/instant.ts'
import { checkClock, watchClock } from '../../src/operations/check-clock.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openTestDatabase } from '../support/database/open-database.ts'
import { createMemoryLog } from '../support/fakes/memory-log.ts'

async function checkAhead(seconds: number): Promise<string[]> {
  const { db } = await openTestDatabase()
  const { log, lines } = createMemoryLog()
  const now = () => instant(systemClock.now() + seconds * 1000)
  await checkClock(db, { ...systemClock, now }, log)
  return lines
}

test('a clock that agrees with the database logs nothing', async () => {
  expect(await checkAhead(0)).toEqual([])
})

test.each([
  [3, /3\.\d s ahead of the database's/],
  [-3, /[23]\.\d s behind the database's/],
])('a clock %i s off is logged as a warning', async (seconds, words) => {
  const lines = await checkAhead(seconds)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, msg: expect.stringMatching(words) })
})

test.each([60, -60])('a clock %i s off refuses the start in one line that says what to do', async (seconds) => {
  const refused = await checkAhead(seconds).catch((error: Error) => error)
  expect(refused).toBeInstanceOf(StartError)
  expect((refused as Error).message).toMatch(
    /^[^\n]*clock is [56]\d\.\d s (ahead of|behind)[^\n]*synchronize both \(NTP\), then start again$/,
  )
})

test('a clock that goes wrong while the node runs is logged once, and so is its return', async () => {
  const { db } = await openTestDatabase()
  const { log, lines } = createMemoryLog()
  let aheadMs = 0
  const now = () => instant(systemClock.now() + aheadMs)
  const watch = watchClock(db, { ...systemClock, now }, log)
  const rightAt: boolean[] = []
  for (aheadMs of [0, 60_000, 60_000, 0, 0]) {
    await watch.check()
    rightAt.push(watch.isRight())
  }
  expect(rightAt).toEqual([true, false, false, true, true])
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    expect.stringMatching(/ahead of the database's; this node runs no jobs until/),
    expect.stringMatching(/agree again/),
  ])
})
