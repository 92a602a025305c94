// Tests that kill processes, count system calls and fill disks: slower than the others, and some of them need root.
// `npm run test:faults` runs them; HELIOGRAPH_ROUNDS says how often each is repeated.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/support/database/postgres-server.ts', 'test/support/fault-tools.ts'],
    provide: { rounds: Number(process.env.HELIOGRAPH_ROUNDS ?? 10) },
    // One after the other: a kill at a random moment should not meet a machine that is busy with another test.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/support/closing-line.ts'],
  },
})
