// A reporter that records the results of all tests of a numbered requirement, from which scripts/reliability.mjs makes
// docs/reliability.md. A run of some files replaces the results of these files only.
import { readFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { currentRun, replaceResults } from '../../../scripts/reliability/results.mjs'
import type { Measured } from './measured.ts'

export type TestResult = {
  // The day and the commit.
  run: string
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
    const run = currentRun()
    const results = modules.flatMap(resultsOf).map((result) => ({ run, ...result }))
    replaceResults(({ project, file }) => ran.has(`${project} ${file}`), results)
  }
}

// A test belongs to the requirements in its name. A file's first line can name requirements that no test in it names: then
// all its tests belong to them.
function resultsOf(module: TestModule): Omit<TestResult, 'run'>[] {
  const tests = [...module.children.allTests()]
  const named = new Set(tests.flatMap(({ fullName }) => numbersIn(fullName)))
  const ofFile = numbersIn(firstLineOf(module.moduleId)).filter((number) => !named.has(number))
  return tests
    .map((test) => resultOf(test, [...ofFile, ...numbersIn(test.fullName)]))
    .filter(({ requirements }) => requirements.length > 0)
}

function resultOf(test: TestCase, named: string[]): Omit<TestResult, 'run'> {
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
