// Refusals of the API about organizations, as sentences that say what to do.
import { ApiError, messageOf } from '../api/client.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'

type LimitProblem = { kind: keyof typeof ORG_TEXTS.limits; limit: number }

export function orgRefusal(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error)
  if (error.code === 'org.limit_exceeded') {
    const { kind, limit } = error.body as LimitProblem
    return ORG_TEXTS.limits[kind](limit)
  }
  return ORG_TEXTS.refusals[error.code] ?? error.message
}
