// The storm shield of a key or a webhook: its field, as the API has it, and in words.
import type { StormShield } from '../../../src/contract/holds.ts'
import { QUIET_TEXTS } from '../texts/quiet.ts'
import { TextField } from '../ui/field.tsx'

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

export function StormField({ text, onInput }: { text: string; onInput: (text: string) => void }) {
  return (
    <TextField
      label={words.label}
      hint={words.hint}
      error={stormError(text)}
      type="number"
      min={LEAST}
      max={MOST}
      value={text}
      onInput={onInput}
    />
  )
}
