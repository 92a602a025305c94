// A reporter that writes the results of all tests of a numbered requirement to test/faults/output/results.json, from which
// scripts/reliability.mjs makes docs/reliability.md. A run of some files replaces the results of these files only.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Measured } from './measured.ts'

const RESULTS = 'test/faults/output/results.json'

export type TestResult = {
  project: string
  file: string
  name: string
  requirements: string[]
  state: string
  isFlaky: boolean
  measured: Measured[]
}

export default class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = new Set(modules.map((module) => `${module.project.name} ${module.relativeModuleId}`))
    const earlier: TestResult[] = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : []
    const kept = earlier.filter(({ project, file }) => !ran.has(`${project} ${file}`))
    mkdirSync(dirname(RESULTS), { recursive: true })
    writeFileSync(RESULTS, `${JSON.stringify([...kept, ...modules.flatMap(resultsOf)], null, 1)}\n`)
  }
}

// A test belongs to the requirements in its name. A file's first line can name requirements that no test in it names: then
// all its tests belong to them.
function resultsOf(module: TestModule): TestResult[] {
  const tests = [...module.children.allTests()]
  const named = new Set(tests.flatMap(({ fullName }) => numbersIn(fullName)))
  const ofFile = numbersIn(firstLineOf(module.moduleId)).filter((number) => !named.has(number))
  return tests
    .map((test) => resultOf(test, [...ofFile, ...numbersIn(test.fullName)]))
    .filter(({ requirements }) => requirements.length > 0)
}

function resultOf(test: TestCase, named: string[]): TestResult {
  const measured = test.meta().measured ?? []
  return {
    project: test.project.name,
    file: test.module.relativeModuleId,
    name: test.fullName,
    requirements: [...new Set([...named, ...measured.map(({ requirement }) => requirement)])],
    state: test.result().state,
    isFlaky: test.diagnostic()?.flaky ?? false,
    measured,
  }
}

const numbersIn = (text: string): string[] => text.match(/\bR\d\d\b/g) ?? []
const firstLineOf = (file: string) => readFileSync(file, 'utf8').split('\n', 1)[0] ?? ''
