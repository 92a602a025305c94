// Generated tests use the same seed in every run, so that a red run means a change of ours. HELIOGRAPH_TEST_SEED=random asks
// for a new one, a number for that one; failures print theirs.
import fc from 'fast-check'

const wanted = process.env.HELIOGRAPH_TEST_SEED

export const TEST_SEED = wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted ?? 20_261_115)

fc.configureGlobal({ seed: TEST_SEED })
