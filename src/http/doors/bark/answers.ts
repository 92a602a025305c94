// Answers in the form of bark-server: the status is also the code in the body.
import type { Problem } from '../../../contract/problems.ts'
import { type Instant, toUnixSeconds } from '../../../domain/instant.ts'

export type BarkAnswer = { code: number; message: string; data?: unknown; timestamp: number }

export const success = (now: Instant, data?: unknown, message = 'success'): BarkAnswer =>
  answer(200, message, now, data)

export const answer = (code: number, message: string, now: Instant, data?: unknown): BarkAnswer => ({
  code,
  message,
  ...(data !== undefined && { data }),
  timestamp: toUnixSeconds(now),
})

export function refusalOf(problem: Problem): { code: number; message: string } {
  const { status, detail } = problem
  if (status === 401) return { code: 400, message: `failed to get device token: ${detail}` }
  if (status === 404 && problem.problem === 'route.not_found') return { code: 404, message: 'Not Found' }
  if (status === 403 || status === 413 || status === 429 || status === 503) return { code: status, message: detail }
  if (status >= 500) return { code: 500, message: 'push failed: internal error, please try again later' }
  return { code: status === 409 ? 429 : 400, message: detail }
}
