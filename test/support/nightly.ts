// `npm run test:nightly` runs everything. To stay short, `npm test` leaves out variations of what another test holds, options of
// the console's pages of which the page's main test uses others, and tests that take long of what seldom changes: generated
// clients, installed packages, the pixels of pictures.
import { test } from 'vitest'

export const isNightly = process.env.HELIOGRAPH_NIGHTLY !== undefined

export const nightlyTest = test.runIf(isNightly)

export const hasLongForms = isNightly || process.env.HELIOGRAPH_FAULTS === 'all'

// For tests of a numbered requirement that `npm run test:faults` runs as well.
export const longTest = test.runIf(hasLongForms)

// For faults that take long on each database: `npm test` tries them where several processes share one.
export const SLOW_FAULT_DATABASES = hasLongForms ? (['sqlite', 'postgres'] as const) : (['postgres'] as const)
