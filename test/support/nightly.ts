// `npm run test:nightly` runs everything. `npm test` leaves out variations of what another test holds, to stay short.
import { test } from 'vitest'

export const isNightly = process.env.HELIOGRAPH_NIGHTLY !== undefined

export const nightlyTest = test.runIf(isNightly)

// For faults that take long on each database: `npm test` tries them where several processes share one.
export const SLOW_FAULT_DATABASES =
  isNightly || process.env.HELIOGRAPH_FAULTS === 'all' ? (['sqlite', 'postgres'] as const) : (['postgres'] as const)
