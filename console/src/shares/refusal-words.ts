// Refusals of the API about sharing, as sentences that say what to do.
import { ApiError, messageOf } from '../api/client.ts'
import { SHARE_TEXTS } from '../texts/shares.ts'

// Whom the API refuses: the person who shares, or the one who joins.
type Side = keyof typeof SHARE_TEXTS.refusals
type LimitProblem = { kind: keyof typeof SHARE_TEXTS.limits; limit: number }

export const shareRefusal = (error: unknown): string => refusalInWords(error, 'share')
export const joinRefusal = (error: unknown): string => refusalInWords(error, 'join')

function refusalInWords(error: unknown, side: Side): string {
  if (!(error instanceof ApiError)) return messageOf(error)
  if (error.code === 'share.limit_exceeded') {
    const { kind, limit } = error.body as LimitProblem
    return SHARE_TEXTS.limits[kind](limit)
  }
  return SHARE_TEXTS.refusals[side][error.code] ?? error.message
}
