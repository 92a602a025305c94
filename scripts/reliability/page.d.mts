import type { TestResult } from '../../test/support/reliability/results-reporter.ts'

export function renderPage(results: TestResult[], machine: string): string
