// A check of the server that takes too long is not waited for.
import { expect, test } from 'vitest'
import { BUSY, type Check, runChecks } from '../../src/operations/doctor/finding.ts'
import { createTestClock } from '../support/fakes/test-clock.ts'

const endless = () => new Promise<never>(() => {})

test.each<[string, Partial<Check>, object]>([
  ['a server that does not answer is a failure', {}, { status: 'failure', fix: expect.stringContaining('firewall') }],
  ['a busy machine is a warning', { late: BUSY }, { status: 'warning', fix: expect.stringContaining('less busy') }],
])('%s', async (_what, more, expected) => {
  const clock = createTestClock()
  const findings = runChecks([{ name: 'x', look: endless, ...more }], clock)
  clock.advanceSeconds(10)
  expect(await findings).toEqual([expect.objectContaining({ check: 'x', found: 'no result within 10 s', ...expected })])
})
