// The storm shield of a key or a webhook: as a form edits it, for the API, and in words.
import type { StormShield } from '../../../src/contract/holds.ts'
import { QUIET_TEXTS } from '../texts/quiet.ts'

const { storm: words } = QUIET_TEXTS

// The limits of the API.
const LEAST = 1
const MOST = 600

// The text of the field. Empty: no limit.
export const stormText = (storm: StormShield | undefined): string => (storm ? String(storm.pushes_per_minute) : '')

// null removes it.
export function toStorm(text: string): StormShield | null {
  return text.trim() === '' ? null : { pushes_per_minute: Number(text) }
}

export function stormError(text: string): string | undefined {
  const storm = toStorm(text)
  if (!storm) return undefined
  const { pushes_per_minute: limit } = storm
  return Number.isInteger(limit) && limit >= LEAST && limit <= MOST ? undefined : words.range(LEAST, MOST)
}

// Undefined: no limit.
export const stormInWords = (storm: StormShield | undefined): string | undefined =>
  storm ? words.atMost(storm.pushes_per_minute) : undefined
