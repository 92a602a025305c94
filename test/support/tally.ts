// Counts answers by outcome: { '201': 50, '429 widget.limit_exceeded': 50 }.
import type { Answer } from './client.ts'

export function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const outcome = status >= 400 ? `${status} ${body?.code}` : String(status)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}
