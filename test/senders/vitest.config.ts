// `npm run test:doors`: programs that people send with today, unchanged, against the doors for their services. The programs
// are not part of this repository: Apprise is the command in HELIOGRAPH_TEST_APPRISE, or Debian's, which is unpacked into a
// folder of the test like Alertmanager and the clients from npm. Also our own clients on Node.js 22 and in busybox.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/senders/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    provide: { database: 'sqlite' },
    reporters: ['default', './test/support/closing-line.ts'],
  },
})
