// The exit code of a run of all tests, which CI goes by.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const REPORTER = fileURLToPath(new URL('support/closing-line.ts', import.meta.url))

// A run with these unhandled errors, in a process that something ends with 0.
function endOfRun(errors: number): { status: number | null; stdout: string } {
  const script = `const { default: ClosingLine } = await import(${JSON.stringify(REPORTER)})
    new ClosingLine().onTestRunEnd([], Array(${errors}).fill(new Error('failed')))
    process.exit(0)`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  return { status, stdout }
}

test('is 1 if anything failed, also if something else ends the process with 0', () => {
  expect(endOfRun(0)).toEqual({ status: 0, stdout: '0 passed, 0 failed\n' })
  expect(endOfRun(2)).toEqual({ status: 1, stdout: '0 passed, 2 failed\n' })
})
