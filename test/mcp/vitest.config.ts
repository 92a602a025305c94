// `npm run test:mcp`: the built server and `heliograph mcp` as processes, with the official client in every era of the protocol,
// the command line of the MCP inspector and the protocol's conformance suite from npm, and an agent whose question a person
// answers in the console.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/mcp/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    provide: { database: 'sqlite' },
    reporters: ['default', './test/support/closing-line.ts'],
  },
})
