// Property tests use one fixed seed, so that a failing run means a change of ours. HELIOGRAPH_TEST_SEED sets another
// seed: a number, or "random". Failures print theirs. By night, with a random seed, there are more runs.
import fc from 'fast-check'
import { isNightly } from '../nightly.ts'

const wanted = process.env.HELIOGRAPH_TEST_SEED

export const TEST_SEED = wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted ?? 20_261_115)

fc.configureGlobal({ seed: TEST_SEED, numRuns: isNightly ? 100 : 50 })
