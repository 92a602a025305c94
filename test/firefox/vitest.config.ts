// `npm run test:firefox`: the console in Debian's Firefox, which playwright-core cannot drive. It is not part of `npm test`,
// whose tests of the console run in Chromium.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/firefox/**/*.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    provide: { database: 'sqlite' },
    reporters: ['default', './test/support/closing-line.ts'],
  },
})
