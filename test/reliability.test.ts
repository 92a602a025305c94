// The page about reliability: every requirement has a test, every number in a test is a requirement, and no failure or gap
// is left out.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../scripts/reliability/outcomes.mjs'
import { renderPage } from '../scripts/reliability/page.mjs'
import { REQUIREMENTS } from '../scripts/reliability/requirements.mjs'
import type { TestResult } from './support/reliability/results-reporter.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const result: TestResult = {
  run: '2026-11-16, commit 1234567',
  project: 'sqlite',
  file: 'test/api/a.test.ts',
  name: 'R20 caps',
  requirements: ['R20'],
  state: 'passed',
  isFlaky: false,
  measured: [],
}

test('every number in a test is a requirement, and every requirement has a test or names the suite that has it', () => {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && name !== 'reliability.test.ts')
    .flatMap((name) => readFileSync(join(ROOT, 'test', name), 'utf8').match(/\bR\d\d\b/g) ?? [])
  const named = new Set(tests)
  expect([...named].filter((number) => !(number in REQUIREMENTS))).toEqual([])
  const elsewhere = Object.keys(REQUIREMENTS).filter((number) => REQUIREMENTS[number]?.elsewhere)
  expect(Object.keys(REQUIREMENTS).filter((number) => !named.has(number) && !elsewhere.includes(number))).toEqual([])
})

test('docs/reliability.md has one row for every requirement', () => {
  const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (R\d\d) \|/gm)].map(([, number]) => number)
  expect(rows).toEqual(Object.keys(REQUIREMENTS))
})

describe('a requirement', () => {
  test('holds on the databases on which its tests passed, with their figures', () => {
    const measured = [{ requirement: 'R20', database: 'postgres' as const, figure: '500 of 550' }]
    const results = [result, { ...result, project: 'faults', measured }]
    expect(outcomeOf(results, 'R20', 'sqlite')).toEqual({ verdict: 'holds', text: '1 test' })
    expect(outcomeOf(results, 'R20', 'postgres')).toEqual({ verdict: 'holds', text: '500 of 550; 1 test' })
  })

  test('whose test needs no certain database holds on both', () => {
    const verdicts = (name: string) =>
      ['sqlite', 'postgres'].map(
        (database) => outcomeOf([{ ...result, file: 'test/push/a.test.ts', name }], 'R20', database).verdict,
      )
    expect(verdicts('R20 caps')).toEqual(['holds', 'holds'])
    expect(verdicts('R20 caps with SQLite')).toEqual(['holds', 'not tested'])
  })

  test('fails with the name of the test, and does not publish its figure', () => {
    const measured = [{ requirement: 'R20', database: 'sqlite' as const, figure: '551 of 550' }]
    const failed = { ...result, state: 'failed', measured }
    expect(outcomeOf([result, failed], 'R20', 'sqlite')).toEqual({ verdict: 'fails', text: 'R20 caps' })
  })

  test('without a test, or with skipped ones only, is not tested', () => {
    expect(outcomeOf([result], 'R20', 'postgres')).toEqual({ verdict: 'not tested', text: '' })
    const skipped = { ...result, state: 'skipped' }
    expect(outcomeOf([skipped], 'R20', 'sqlite')).toEqual({ verdict: 'not tested', text: 'skipped on this machine' })
  })

  test('has the day and the commit of figures that another run measured', () => {
    const measured = [{ requirement: 'R53', database: 'sqlite' as const, figure: '120 minutes' }]
    const soak = { ...result, requirements: ['R53'], project: 'soak', run: '2026-11-15, commit 7654321', measured }
    const { text } = outcomeOf([result, result, soak], 'R53', 'sqlite')
    expect(text).toBe('120 minutes (2026-11-15, commit 7654321); 1 test')
  })

  test('whose test passed only when repeated says so', () => {
    const flaky = { ...result, isFlaky: true }
    expect(outcomeOf([flaky], 'R20', 'sqlite').text).toBe('1 test; 1 passed only when repeated')
  })
})

describe('faults of PostgreSQL', () => {
  const fault = { name: 'a restart', accepted: 1075, lost: 0, doubled: 0, refused: 7, slowestMs: 640, recoveryMs: 560 }
  const measured = [{ requirement: 'R18', database: 'postgres' as const, figure: 'a restart: 1,075 accepted', fault }]
  const caused = { ...result, project: 'faults', requirements: ['R18'], measured }

  test('are rows of a table, and their sum is in the cell of the requirement', () => {
    const page = renderPage([caused, caused], 'a machine')
    expect(page).toContain('2 faults, in the table below: 2,150 sends accepted, 0 lost, 0 doubled; 2 tests')
    expect(page).toContain('\n| a restart | 1,075 | 0 | 0 | 7 | 0.6 s | 0.6 s |\n')
  })

  test('are no rows if the test failed', () => {
    expect(renderPage([{ ...caused, state: 'failed' }], 'a machine')).not.toContain('| a restart |')
  })
})
