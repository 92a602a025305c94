// Projects: everything once, with SQLite; what uses a database again, on PostgreSQL; faults. Tests of deploy/, of the
// documentation's commands, of Firefox, of other services' senders and of clients of MCP have scripts of their own (test:deploy,
// test:docs, test:firefox, test:doors, test:mcp). `npm test` runs a shorter form of `npm run test:nightly`: some files on SQLite
// only, one round of the short faults, and fewer tests of the console (test/support/nightly.ts).
import { availableParallelism, tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findChromium } from './scripts/browsers.mjs'
import { SQLITE_SUFFICES } from './test/support/database/database-matrix.ts'
import { runFolder } from './test/support/database/memory-folder.ts'

const isNightly = process.env.HELIOGRAPH_NIGHTLY !== undefined
// They wait for real leases and expiries, start many processes, or send tens of thousands of requests: minutes that `npm test`
// does not have. What they hold with processes that die, other tests hold with statements that fail.
const longFaults = [
  'backup',
  'dead-node',
  'schedules-killed',
  'series-killed',
  'heartbeats-killed',
  'escalations-killed',
  'grouped-changes-killed',
  'org-fanout-errors',
  'org-fanout-killed',
  'bad-requests',
  'hostile-bodies',
  'phone-apps-killed',
  'several-nodes',
  'shares-killed',
  'slow-patterns',
  'paused-node',
  'slow-clients',
  'widget-pushes-killed',
  'postgres/*',
]
// A test of several processes that fails once in 20,000 times would fail every third run of thousands of them. Such a test
// is run again and named at the end of the run (test/support/closing-line.ts); at night it fails.
const retry = isNightly ? 0 : 1
const hasLongFaults = isNightly || process.env.HELIOGRAPH_FAULTS === 'all'
// scripts/setup.mjs has tried to get one. In CI these tests run, and fail.
const leavesOutBrowser = !findChromium() && !process.env.CI
const leftOut = leavesOutBrowser ? ['the console in a browser (test/browser): there is no Chromium here'] : []

export default defineConfig({
  test: {
    // Far more than any test takes: a limit that a busy machine can reach would fail tests that are right.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Two more than there are cores: tests of the command line, of stops and of the browser wait more than they compute.
    maxWorkers: availableParallelism() + 2,
    // Test files in one worker share their imports: to import the server takes longer than most files' tests.
    isolate: false,
    // Projects share compiled modules through it, and the next run has them. A key is the text of the file and of this one.
    experimental: { fsModuleCache: true },
    env: { TMPDIR: runFolder() },
    setupFiles: ['./test/support/generated/fixed-seed.ts'],
    reporters: [
      'default',
      ['./test/support/closing-line.ts', { leftOut }],
      ...(hasLongFaults ? ['./test/support/reliability/results-reporter.ts'] : []),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          // The style sheets of pictures, as text.
          css: { include: [/console\/src\/(?:pictures|styles)\//] },
          exclude: [
            'test/faults/**',
            'test/deploy/**',
            'test/docs/**',
            'test/firefox/**',
            'test/mcp/**',
            'test/senders/**',
            'test/statements/**',
            ...(leavesOutBrowser ? ['test/browser/**'] : []),
          ],
          provide: { database: 'sqlite' },
          retry,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['test/api/**/*.test.ts', 'test/store/**/*.test.ts', 'test/journeys/**/*.test.ts'],
          exclude: hasLongFaults ? [] : SQLITE_SUFFICES,
          provide: { database: 'postgres' },
          retry,
          globalSetup: 'test/support/database/postgres-server.ts',
          setupFiles: ['./test/support/database/record-statements.ts'],
        },
      },
      {
        extends: true,
        // Reads what the tests on PostgreSQL recorded, so it runs after them.
        test: { name: 'statements', include: ['test/statements/**/*.test.ts'], sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        // Kills processes, counts system calls and fills disks; some of it needs root.
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          exclude: hasLongFaults ? [] : longFaults.map((name) => `test/faults/${name}.test.ts`),
          // On a real disk.
          env: { TMPDIR: tmpdir() },
          // HELIOGRAPH_ROUNDS says how often each fault is repeated.
          provide: { rounds: Number(process.env.HELIOGRAPH_ROUNDS ?? (hasLongFaults ? 5 : 1)) },
          globalSetup: ['test/support/database/postgres-server.ts', 'test/support/reliability/fault-tools.ts'],
          // The long ones run after all others, because they measure memory. All of them wait more than they compute, so
          // three share two cores.
          ...(hasLongFaults && { sequence: { groupOrder: 1 }, maxWorkers: 3 }),
          retry,
        },
      },
    ],
  },
})
