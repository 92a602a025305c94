#!/usr/bin/env node
// The entry point. It imports the program only after it has checked the Node.js version and the limit of open files:
// without either, the import itself would fail with a stack trace.
import { openFilesLimit } from './runtime/open-files-limit.ts'
import { OLDEST_NODE } from './runtime/version.ts'

const OPEN_FILES_LEAST = 256

const reason = unsupportedNode() ?? tooFewOpenFiles()
if (reason) {
  console.error(`heliograph: ${reason}`)
  process.exitCode = 1
} else {
  const { runProgram } = await import('./program.ts')
  process.exitCode = await runProgram(process.argv.slice(2))
}

function unsupportedNode(): string | undefined {
  const current = process.versions.node
  if (current.localeCompare(OLDEST_NODE, 'en', { numeric: true }) >= 0) return undefined
  return `Node.js ${OLDEST_NODE} or newer is needed, and this is ${current}; in a checkout, "npm start" brings its own`
}

function tooFewOpenFiles(): string | undefined {
  const limit = openFilesLimit()
  if (limit === undefined || limit >= OPEN_FILES_LEAST) return undefined
  return `this process may open ${limit} files, and needs at least ${OPEN_FILES_LEAST}; raise the limit (ulimit -n, or LimitNOFILE of systemd)`
}
