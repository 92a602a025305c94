// Bounds on the violations of a problem: their number, and the amount of text they repeat from the request.
import type { Violation } from './problems.ts'

export const MOST_VIOLATIONS = 50
const EXCERPT_CHARS = 100
const WORDS_CHARS = 300

// Shortens text of a request for an answer or a log line.
export function excerpt(text: string, mostChars = EXCERPT_CHARS): string {
  return text.length > mostChars ? `${text.slice(0, mostChars).toWellFormed()}…` : text
}

// If entries are left out, the last one says so.
export function boundedViolations(violations: Violation[]): Violation[] {
  if (violations.length <= MOST_VIOLATIONS) return violations.map(shortened)
  return [...violations.slice(0, MOST_VIOLATIONS - 1).map(shortened), moreViolations('The request')]
}

// A rule may repeat names of the request.
function shortened({ location, message, ...rest }: Violation): Violation {
  return { location: excerpt(location, WORDS_CHARS), message: excerpt(message, WORDS_CHARS), ...rest }
}

export const moreViolations = (location: string): Violation => ({
  location,
  message: 'has more violations than are listed here',
})
