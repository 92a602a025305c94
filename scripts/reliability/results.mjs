// The results of all tests of a numbered requirement, from which docs/reliability.md is made. Each suite replaces its own.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const FILE = fileURLToPath(new URL('../../test/faults/output/results.json', import.meta.url))

export const readResults = () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [])

export function replaceResults(isReplaced, results) {
  const kept = readResults().filter((earlier) => !isReplaced(earlier))
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(FILE, `${JSON.stringify([...kept, ...results], null, 1)}\n`)
}

// When and of what a result is: suites run at different times.
export function currentRun() {
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}`
}

// The run that most results are of.
export function mainRunOf(results) {
  const byRun = Map.groupBy(results, ({ run }) => run)
  return [...byRun].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? currentRun()
}
