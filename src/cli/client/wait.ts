// Waits for a person: long polls until the answer is there or the time is up.
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../contract/limits.ts'
import { systemClock } from '../../runtime/clock.ts'
import { ClientError, EXIT_CODES } from './errors.ts'

export const WAIT_BOUNDS = { min: 1, max: LIMITS.answer.keptDays * 86_400 }
export const DEFAULT_WAIT_SECONDS = 3600

const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 15_000

// Returns the last response, finished or not. A server that restarts, or has too many open waits, is asked again.
export async function waitFor<Body>(
  ask: (waitSeconds: number) => Promise<Body>,
  isFinished: (body: Body) => boolean,
  timeoutSeconds: number,
): Promise<Body> {
  const deadline = systemClock.monotonicMs() + timeoutSeconds * 1000
  let retryMs = FIRST_RETRY_MS
  for (;;) {
    const remainingMs = Math.max(0, deadline - systemClock.monotonicMs())
    try {
      const body = await ask(Math.min(Math.ceil(remainingMs / 1000), LIMITS.wait.maxSeconds))
      if (isFinished(body) || remainingMs === 0) return body
      retryMs = FIRST_RETRY_MS
    } catch (error) {
      if (!isTemporary(error) || remainingMs === 0) throw error
      await sleep(Math.min(retryMs, remainingMs))
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
    }
  }
}

export function isTemporary(error: unknown): boolean {
  const codes: number[] = [EXIT_CODES.unavailable, EXIT_CODES.limited]
  return error instanceof ClientError && codes.includes(error.exitCode)
}
