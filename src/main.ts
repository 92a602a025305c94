#!/usr/bin/env node
// The entry point. It imports the program only after it has checked the Node.js version and the limit of open files:
// without either, the import itself would fail with a stack trace.
import { openFilesLimit } from './runtime/open-files-limit.ts'
import { unsupportedNode } from './runtime/version.ts'

const OPEN_FILES_LEAST = 256

const reason = nodeReason() ?? tooFewOpenFiles()
if (reason) {
  console.error(`heliograph: ${reason}`)
  process.exitCode = 1
} else {
  const { runProgram } = await import('./boot/program.ts')
  const exitCode = await runProgram(process.argv.slice(2))
  // A command that has done its work may have set one itself.
  if (exitCode !== 0) process.exitCode = exitCode
}

function nodeReason(): string | undefined {
  const text = unsupportedNode()
  return text && `${text}; in a checkout, "npm start" brings its own`
}

function tooFewOpenFiles(): string | undefined {
  const limit = openFilesLimit()
  if (limit === undefined || limit >= OPEN_FILES_LEAST) return undefined
  return `this process may open ${limit} files, and needs at least ${OPEN_FILES_LEAST}; raise the limit (ulimit -n, or LimitNOFILE of systemd)`
}
