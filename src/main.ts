#!/usr/bin/env node
// The entry. Everything else is loaded only after the limit of open files was looked at: loading opens so many files at
// once that a low limit would end it with a stack trace.
import { openFilesLimit } from './runtime/open-files-limit.ts'

const OPEN_FILES_LEAST = 256

const limit = openFilesLimit()
if (limit !== undefined && limit < OPEN_FILES_LEAST) {
  console.error(
    `heliograph: this process may open ${limit} files, and needs at least ${OPEN_FILES_LEAST}; raise the limit (ulimit -n, or LimitNOFILE of systemd)`,
  )
  process.exitCode = 1
} else {
  const { runProgram } = await import('./program.ts')
  await runProgram()
}
