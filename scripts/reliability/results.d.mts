import type { TestResult } from '../../test/support/reliability/results-reporter.ts'

export function readResults(): TestResult[]
export function replaceResults(isReplaced: (earlier: TestResult) => boolean, results: TestResult[]): void
export function currentRun(): string
export function mainRunOf(results: TestResult[]): string
