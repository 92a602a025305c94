// Fields for numbers, and for times that the API takes in seconds and people enter with a unit.
import { useEffect, useState } from 'preact/hooks'
import { BUILDER_TEXTS } from '../../texts/builder.ts'
import { SelectField, TextField } from '../../ui/field.tsx'

type NumberProps = {
  label: string
  hint?: string
  error?: string
  value: unknown
  onChange: (value: number | undefined) => void
}

// Keeps the typed text, so that "1." is not replaced by "1" while typing 1.5.
export function NumberField({ label, hint, error, value, onChange }: NumberProps) {
  const [text, setText] = useState('')
  const shown = toNumber(text) === value ? text : typeof value === 'number' ? String(value) : ''
  useEffect(() => setText(shown), [shown])
  const type = (typed: string) => {
    setText(typed)
    onChange(toNumber(typed))
  }
  return <TextField label={label} hint={hint} error={error} type="number" step="any" value={shown} onInput={type} />
}

const toNumber = (text: string): number | undefined =>
  text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)

const UNIT_SECONDS = { d: 86_400, h: 3600, min: 60, s: 1 } as const
type Unit = keyof typeof UNIT_SECONDS
const UNITS = Object.keys(UNIT_SECONDS) as Unit[]

// The largest unit in which it is a whole number.
export const unitOf = (seconds: number): Unit =>
  UNITS.find((unit) => seconds !== 0 && seconds % UNIT_SECONDS[unit] === 0) ?? 's'

export function SecondsField({ label, hint, error, value, onChange }: NumberProps) {
  const [unit, setUnit] = useState<Unit>(() => (typeof value === 'number' ? unitOf(value) : 'min'))
  const inUnit = typeof value === 'number' ? value / UNIT_SECONDS[unit] : undefined
  const set = (amount: number | undefined, by: Unit) =>
    onChange(amount === undefined ? undefined : Math.round(amount * UNIT_SECONDS[by]))
  return (
    <div class="duration">
      <NumberField label={label} hint={hint} error={error} value={inUnit} onChange={(amount) => set(amount, unit)} />
      <SelectField
        label={BUILDER_TEXTS.unitOf(label)}
        isLabelHidden
        value={unit}
        options={UNITS.toReversed().map((name) => [name, BUILDER_TEXTS.units[name]] as const)}
        onChange={(chosen) => {
          setUnit(chosen)
          set(inUnit, chosen)
        }}
      />
    </div>
  )
}
