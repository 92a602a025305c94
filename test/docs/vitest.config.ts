// `npm run test:docs`: runs every command of the documentation against a server of its own per page.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/docs/**/*.test.ts'],
    testTimeout: 120_000,
    reporters: ['default', './test/support/closing-line.ts'],
  },
})
