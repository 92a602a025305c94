// The last lines and the exit code of a run of all tests, which CI goes by.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const REPORTER = fileURLToPath(new URL('support/closing-line.ts', import.meta.url))

type Result = { state: 'passed' | 'failed' | 'skipped'; error?: string; isFlaky?: boolean }
type Run = { results?: Result[]; unhandledErrors?: number; importError?: boolean; leftOut?: string[] }

// A run with these results, in a process that something ends with 0.
function endOfRun({ results = [], unhandledErrors = 0, importError = false, leftOut }: Run): {
  code: unknown
  lines: string[]
} {
  const script = `const { default: ClosingLine } = await import(${JSON.stringify(REPORTER)})
    const project = { name: 'unit' }
    const named = { relativeModuleId: 'test/a.test.ts', project }
    const tests = ${JSON.stringify(results)}.map(({ state, error, isFlaky = false }, index) => ({
      project, module: named, fullName: 'test ' + index,
      result: () => ({ state, errors: error ? [{ message: error }] : undefined }),
      diagnostic: () => ({ flaky: isFlaky }),
    }))
    const errors = ${importError} ? [new Error('no such module')] : []
    const module = { ...named, state: () => 'failed', errors: () => errors, children: { allTests: () => tests } }
    new ClosingLine(${JSON.stringify({ leftOut })}).onTestRunEnd([module], Array(${unhandledErrors}).fill(new Error('failed')))
    process.exit(0)`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  return { code: status, lines: stdout.trimEnd().split('\n') }
}

test('the exit code is 1 if anything failed, also if something else ends the process with 0', () => {
  expect(endOfRun({ results: [{ state: 'passed' }] })).toEqual({ code: 0, lines: ['1 passed, 0 failed'] })
  expect(endOfRun({ unhandledErrors: 2 })).toEqual({ code: 1, lines: ['0 passed, 2 failed'] })
})

test('every test that failed or passed only when repeated is named above the last line', () => {
  const flaky: Result = { state: 'passed', isFlaky: true, error: 'expected 1 to be 2\nat line 3' }
  const results: Result[] = [{ state: 'passed' }, { state: 'failed', error: 'no' }, { state: 'skipped' }, flaky]
  expect(endOfRun({ results, importError: true })).toEqual({
    code: 1,
    lines: [
      'FAILED unit test/a.test.ts',
      'FAILED unit test/a.test.ts > test 1',
      'FLAKY, passed when repeated: unit test/a.test.ts > test 3: expected 1 to be 2',
      '2 passed, 2 failed, 1 skipped',
    ],
  })
})

test('what the run leaves out is named above the last line', () => {
  const { lines } = endOfRun({ results: [{ state: 'passed' }], leftOut: ['the console'] })
  expect(lines).toEqual(['NOT TESTED: the console', '1 passed, 0 failed'])
})
