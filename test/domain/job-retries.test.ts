// Which jobs are given up, and how long a retry may wait.
import { expect, test } from 'vitest'
import { FAN_OUT_KINDS, JOB_KINDS, retryDelaySeconds } from '../../src/domain/jobs.ts'

const OFTEN = 1000

test('only jobs that carry an accepted change to the members of an organization are never given up', () => {
  const endless = JOB_KINDS.filter((kind) => retryDelaySeconds(kind, OFTEN) !== undefined)
  expect(endless).toEqual(FAN_OUT_KINDS)
  expect(endless.toSorted()).toEqual([
    'close-organization',
    'recall-notification',
    'revoke-activity',
    'spread-activity',
    'spread-notification',
    'spread-repeat',
    'tell-members',
    'tell-recipients',
  ])
})

test('they are tried at least once a minute', () => {
  const delays = FAN_OUT_KINDS.flatMap((kind) =>
    Array.from({ length: OFTEN }, (_, failuresBefore) => retryDelaySeconds(kind, failuresBefore + 1) ?? 0),
  )
  expect(Math.max(...delays)).toBe(60)
})
