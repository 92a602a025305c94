// The one error that the client throws for a request that did not succeed.
import type { Problem } from './api-types.ts'

export class HeliographError extends Error {
  override readonly name = 'HeliographError'
  // 0 if there was no response.
  readonly status: number
  // Stable; match on this. `client.unreachable` without a response, `client.not_heliograph` for a response of something else.
  readonly code: string
  readonly retryAfterMs: number | undefined
  readonly problem: Partial<Problem> | undefined

  constructor(status: number, code: string, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.status = status
    this.code = code
    this.retryAfterMs = details.retryAfterMs
    this.problem = details.problem
  }
}

type ErrorDetails = { retryAfterMs?: number; problem?: Partial<Problem>; cause?: unknown }

export function unreachable(url: string, cause: unknown): HeliographError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new HeliographError(0, 'client.unreachable', `${url} cannot be reached: ${reason}`, { cause })
}

export async function errorOf(response: Response): Promise<HeliographError> {
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined
  const retryAfterMs = retryAfterOf(response, problem)
  if (typeof problem?.code !== 'string') {
    const message = `${response.url} answered ${response.status}, not as Heliograph does`
    return new HeliographError(response.status, 'client.not_heliograph', message, { retryAfterMs })
  }
  const message = `${problem.detail ?? problem.title} (${problem.code})`
  return new HeliographError(response.status, problem.code, message, { retryAfterMs, problem })
}

function retryAfterOf(response: Response, problem: Partial<Problem> | undefined): number | undefined {
  if (typeof problem?.retry_after_ms === 'number') return problem.retry_after_ms
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return seconds >= 0 ? seconds * 1000 : undefined
}
