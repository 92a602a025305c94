import type { TestResult } from '../../test/support/reliability/results-reporter.ts'

export const DATABASES: { sqlite: string; postgres: string }
export function outcomeOf(
  results: TestResult[],
  requirement: string,
  database: string,
): { verdict: 'holds' | 'fails' | 'not tested' | 'no subject'; text: string }
