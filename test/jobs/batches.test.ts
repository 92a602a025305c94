// How finished jobs are grouped into transactions.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchByLock } from '../../src/jobs/settling.ts'

type Ended = { id: number; user: string }
const lockOf = ({ user }: Ended) => user
const jobsOf = (accounts: number[]): Ended[] => accounts.map((account, id) => ({ id, user: `user ${account}` }))

test('every job is in exactly one batch, no lock occurs twice in a batch, and no batch is above the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 200 }), (accounts) => {
      const jobs = jobsOf(accounts)
      const batches = batchByLock(jobs, lockOf)
      expect(batches.flat().sort((a, b) => a.id - b.id)).toEqual(jobs)
      for (const batch of batches) {
        expect(new Set(batch.map(lockOf)).size).toBe(batch.length)
        expect(batch.length).toBeLessThanOrEqual(25)
      }
    }),
  )
})

test('a hundred accounts with two jobs each need only the minimum of batches', () => {
  const accounts = Array.from({ length: 200 }, (_, index) => index % 100)
  expect(batchByLock(jobsOf(accounts), lockOf).map(({ length }) => length)).toEqual(Array(8).fill(25))
})
