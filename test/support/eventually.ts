// Waits for something that happens asynchronously, on another connection or in another process. The timeout is long for
// slow, shared machines; a check that already holds returns immediately.
import { vi } from 'vitest'

export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 600_000, interval: 20 })
}
