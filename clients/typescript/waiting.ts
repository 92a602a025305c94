// Waits for a person, over as many long polls as it takes. A server that restarts in the meantime is asked again.
import { HeliographError } from './errors.ts'
import { backoffMs, type Transport } from './transport.ts'

export type WaitOptions = {
  // Default: an hour.
  timeoutSeconds?: number
  // Ends the waiting, not the question.
  signal?: AbortSignal
}

const LONGEST_POLL_SECONDS = 25
// Beyond the seconds that the server holds the request.
const RESPONSE_MS = 15_000

// Returns the last response, finished or not.
export async function waitFor<Body>(
  transport: Transport,
  path: string,
  isFinished: (body: Body) => boolean,
  { timeoutSeconds = 3600, signal }: WaitOptions,
): Promise<Body> {
  const deadline = performance.now() + timeoutSeconds * 1000
  for (let failures = 0; ; ) {
    const remainingMs = Math.max(0, deadline - performance.now())
    const seconds = Math.min(Math.ceil(remainingMs / 1000), LONGEST_POLL_SECONDS)
    const call = { timeoutMs: seconds * 1000 + RESPONSE_MS, retries: 0, ...(signal && { signal }) }
    try {
      const body = await transport.request<Body>('GET', `${path}?wait=${seconds}`, call)
      if (isFinished(body) || remainingMs === 0) return body
      failures = 0
    } catch (error) {
      if (!isTemporary(error) || remainingMs === 0) throw error
      await transport.sleep(Math.min(error.retryAfterMs ?? backoffMs(failures), remainingMs), signal)
      failures += 1
    }
  }
}

// A proxy answers 502 or 504 while the server restarts.
export function isTemporary(error: unknown): error is HeliographError {
  return error instanceof HeliographError && [0, 429, 502, 503, 504].includes(error.status)
}
