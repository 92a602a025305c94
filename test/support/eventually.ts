// Waits for what happens by itself, on another connection or in another process. Long, because machines are slow and
// shared; a check that holds at once costs nothing.
import { vi } from 'vitest'

export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 15_000, interval: 20 })
}
