// When a mail that the mail server could not take is tried again.
import { expect, test } from 'vitest'
import { nextMailAttemptAt } from '../../../src/domain/emails/email.ts'
import { instant } from '../../../src/domain/instant.ts'

const NOW = instant(1_800_000_000_000)
const MINUTE_MS = 60_000

test('after a minute, 5, 15, an hour, 3, 6 and 13 hours, and then no more', () => {
  const pausesMs = Array.from({ length: 8 }, (_, index) => {
    const at = nextMailAttemptAt(index + 1, NOW)
    return at && at - NOW
  })
  expect(pausesMs).toEqual([...[1, 5, 15, 60, 180, 360, 780].map((minutes) => minutes * MINUTE_MS), undefined])
})
