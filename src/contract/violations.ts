// Bounds on what a refusal says: how many violations it lists, and how much of the request it repeats.
import type { Violation } from './problems.ts'

export const MOST_VIOLATIONS = 50
const EXCERPT_CHARS = 100
const WORDS_CHARS = 300

// For everything of a request that an answer or a log line repeats.
export function excerpt(text: string, mostChars = EXCERPT_CHARS): string {
  return text.length > mostChars ? `${text.slice(0, mostChars).toWellFormed()}…` : text
}

// If there are more, the last entry says so.
export function boundedViolations(violations: Violation[]): Violation[] {
  if (violations.length <= MOST_VIOLATIONS) return violations.map(shortened)
  return [...violations.slice(0, MOST_VIOLATIONS - 1).map(shortened), moreViolations('The request')]
}

// Names that a rule repeats may come from the request.
function shortened({ location, message, ...rest }: Violation): Violation {
  return { location: excerpt(location, WORDS_CHARS), message: excerpt(message, WORDS_CHARS), ...rest }
}

export const moreViolations = (location: string): Violation => ({
  location,
  message: 'has more violations than are listed here',
})
