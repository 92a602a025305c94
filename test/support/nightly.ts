// `npm run test:nightly` runs everything. `npm test` leaves out variations of what another test holds, to stay short.
import { test } from 'vitest'

export const isNightly = process.env.HELIOGRAPH_NIGHTLY !== undefined

export const nightlyTest = test.runIf(isNightly)
