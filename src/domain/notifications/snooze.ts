// Until when a notification may be snoozed.
import { LIMITS } from '../../contract/limits.ts'
import type { SnoozeInput } from '../../contract/notifications/inbox.ts'
import { validationProblem } from '../../contract/validation.ts'
import { DAY_SECONDS } from '../duration.ts'
import { fromRfc3339, type Instant, plusSeconds } from '../instant.ts'

const { maxSnoozeDays } = LIMITS.notification

export function readSnooze(input: SnoozeInput, now: Instant): Instant {
  const until = fromRfc3339(input.until)
  if (until > now && until <= plusSeconds(now, maxSnoozeDays * DAY_SECONDS)) return until
  const message = `must lie in the future, at most ${maxSnoozeDays} days ahead`
  throw validationProblem([{ location: 'body.until', message, value: input.until }])
}
