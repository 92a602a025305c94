// Four projects: rules and parts once; everything that touches a database once on each of the two; the console in a
// browser.
import { defineConfig } from 'vitest/config'

const onEveryDatabase = ['test/api/**/*.test.ts', 'test/store/**/*.test.ts', 'test/journeys/**/*.test.ts']

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // By itself it leaves one core idle, which on a machine with two is half of it.
    maxWorkers: '100%',
    // Test files in one worker share their imports: to import the server takes longer than most files' tests.
    isolate: false,
    setupFiles: ['./test/support/generated/fixed-seed.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...onEveryDatabase, 'test/browser/**', 'test/faults/**'],
        },
      },
      { extends: true, test: { name: 'sqlite', include: onEveryDatabase, provide: { database: 'sqlite' } } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: onEveryDatabase,
          provide: { database: 'postgres' },
          globalSetup: 'test/support/database/postgres-server.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          provide: { database: 'sqlite' },
          testTimeout: 120_000,
        },
      },
    ],
  },
})
