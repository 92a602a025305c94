#!/usr/bin/env node
// The entry point of the command line that the server hands out at /clients/: the commands for senders alone, bundled into one
// package without dependencies (scripts/build-clients.mjs).
import { unsupportedNode } from './runtime/version.ts'

const reason = unsupportedNode()
if (reason) {
  console.error(`heliograph: ${reason}`)
  process.exitCode = 1
} else {
  const { CLIENT_COMMANDS } = await import('./cli/client/commands.ts')
  const { commandLine } = await import('./cli/command-line.ts')
  const { runProgram } = commandLine({ groups: { 'Commands:': CLIENT_COMMANDS }, topics: ['clients'] })
  const exitCode = await runProgram(process.argv.slice(2))
  // A command that has done its work may have set one itself.
  if (exitCode !== 0) process.exitCode = exitCode
}
