// Until when a member gets no pushes of an organization.
import { LIMITS } from '../../contract/limits.ts'
import { validationProblem } from '../../contract/validation.ts'
import { fromRfc3339, type Instant, plusSeconds } from '../instant.ts'

const MOST_SECONDS = LIMITS.organization.maxMuteDays * 86_400

export function readMute(until: string | null, now: Instant): Instant | null {
  if (until === null) return null
  const at = fromRfc3339(until)
  if (at > now && at <= plusSeconds(now, MOST_SECONDS)) return at
  const message = `must lie in the future, at most ${LIMITS.organization.maxMuteDays} days ahead`
  throw validationProblem([{ location: 'body.muted_until', message, value: until }])
}
