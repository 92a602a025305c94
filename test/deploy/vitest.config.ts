// The tests of packaging and of deploy/: `npm run test:deploy`. They install packages, run proxies and measure times, so they
// run one after the other and are not part of `npm test`.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/deploy/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    provide: { database: 'sqlite' },
    globalSetup: 'test/support/database/postgres-server.ts',
    reporters: ['default', './test/support/closing-line.ts'],
  },
})
