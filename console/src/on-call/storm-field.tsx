// Field for the storm shield of a key or a webhook.
import { QUIET_TEXTS } from '../texts/quiet.ts'
import { TextField } from '../ui/field.tsx'
import { stormError } from './storm.ts'

const { storm: words } = QUIET_TEXTS

export function StormField({ text, onInput }: { text: string; onInput: (text: string) => void }) {
  return (
    <TextField
      label={words.label}
      hint={words.hint}
      error={stormError(text)}
      type="number"
      min={1}
      max={600}
      value={text}
      onInput={onInput}
    />
  )
}
