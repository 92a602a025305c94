// Something is wrong, since when, and how badly.
import { Type } from 'typebox'
import { OneOf, Text } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { type Instant, toUnixSeconds } from '../../instant.ts'
import { at, UnixSeconds } from './content.ts'
import { defineTemplate } from './template.ts'

export const alert = defineTemplate(
  {
    severity: Type.Optional(OneOf(['critical', 'warning', 'info'])),
    severity_label: Type.Optional(Text(LIMITS.activity.maxSeverityLabelChars)),
    fired_at: Type.Optional(UnixSeconds),
  },
  {
    required: ['severity'],
    rules: (_content, { sent, now }) => notAheadRule('fired_at', sent.fired_at, now),
  },
)

// Allows for small clock differences.
export function notAheadRule(member: string, seconds: number | undefined, now: Instant): Violation[] {
  if (seconds === undefined || seconds <= toUnixSeconds(now) + LIMITS.activity.futureSlackSeconds) return []
  return [{ location: at(member), message: 'must be at most 5 minutes ahead' }]
}
