// Figures that a test measured for a numbered requirement. The reporter beside this file collects them, and
// scripts/reliability.mjs writes them into docs/reliability.md.
import { TestRunner } from 'vitest'

// What clients saw of a fault of the database.
export type Fault = {
  name: string
  accepted: number
  lost: number
  doubled: number
  refused: number
  slowestMs: number
  recoveryMs: number
}

export type Measured = {
  requirement: string
  database: 'sqlite' | 'postgres' | 'either'
  figure: string
  fault?: Fault
}

declare module 'vitest' {
  interface TaskMeta {
    measured?: Measured[]
  }
}

// measured('R01', 'sqlite', '4,212 accepted writes, 50 kills: 0 lost'). Call it at the end of the test, after the checks:
// figures of a test that fails are not published. A test that is repeated replaces its figures.
export function measured(requirement: string, database: Measured['database'], figure: string, fault?: Fault): void {
  const test = TestRunner.getCurrentTest()
  if (!test) throw new Error('measured() is called outside a test')
  const others = (test.meta.measured ?? []).filter(
    (earlier) => earlier.requirement !== requirement || earlier.database !== database,
  )
  console.log(`${requirement} ${database}: ${figure}`)
  test.meta.measured = [...others, { requirement, database, figure, ...(fault && { fault }) }]
}

// A row of the table of faults.
export function measuredFault(requirement: string, database: 'sqlite' | 'postgres', fault: Fault): void {
  const { name, accepted, lost, doubled, refused } = fault
  const figure = `${name}: ${counted(accepted)} accepted, ${lost} lost, ${doubled} doubled, ${refused} refused`
  measured(requirement, database, figure, fault)
}

export const counted = (count: number): string => Math.round(count).toLocaleString('en-US')

// "1 kill", "1,200 kills".
export const amountOf = (count: number, noun: string): string => `${counted(count)} ${noun}${count === 1 ? '' : 's'}`
