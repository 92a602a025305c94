// One field of the form, by its kind.
import { BUILDER_TEXTS } from '../../texts/builder.ts'
import { CARD_TEXTS } from '../../texts/cards.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { toLocal } from '../../ui/local-time.ts'
import { ColorField } from './color-field.tsx'
import type { ScalarField } from './field.ts'
import { IconField } from './icon-field.tsx'
import { NumberField, SecondsField } from './number-field.tsx'

type MemberProps = { field: ScalarField; value: unknown; error?: string; onChange: (value: unknown) => void }

export function MemberField({ field, value, error, onChange }: MemberProps) {
  const common = { label: memberLabel(field.member), error }
  switch (field.kind) {
    case 'text':
      return <TextField {...common} value={asText(value)} onInput={onChange} />
    case 'icon':
      return <IconField {...common} value={asText(value)} onChange={onChange} />
    case 'color':
      return <ColorField {...common} value={asText(value)} onChange={onChange} />
    case 'number':
      return <NumberField {...common} value={value} onChange={onChange} />
    case 'seconds':
      return <SecondsField {...common} value={value} onChange={onChange} />
    case 'flag':
      return <FlagField {...common} value={value === true} onChange={onChange} />
    case 'choice':
      return <ChoiceField {...common} value={asText(value)} {...field} onChange={onChange} />
    case 'moment':
      return <MomentField {...common} value={asText(value)} toValue={(at) => at.toISOString()} onChange={onChange} />
    case 'unix-moment':
      return (
        <MomentField
          {...common}
          value={typeof value === 'number' ? value * 1000 : ''}
          toValue={(at) => at.getTime() / 1000}
          onChange={onChange}
        />
      )
  }
}

// By the whole path, or else by the last name in it.
export const memberLabel = (member: string): string =>
  BUILDER_TEXTS.members[member] ?? BUILDER_TEXTS.members[member.split('.').at(-1) ?? ''] ?? member

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

type FlagProps = { label: string; error?: string; value: boolean; onChange: (value: true | undefined) => void }

function FlagField({ label, value, onChange }: FlagProps) {
  return (
    <label class="check-field">
      <input
        type="checkbox"
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked ? true : undefined)}
      />
      {label}
    </label>
  )
}

type ChoiceProps = {
  label: string
  error?: string
  value: string
  options: readonly string[]
  names?: Record<string, string>
  onChange: (value: string) => void
}

// A program may have sent a value that is not an option; it is then listed too.
function ChoiceField({ label, error, value, options, names, onChange }: ChoiceProps) {
  const all = value === '' || options.includes(value) ? options : [value, ...options]
  const nameOf = (option: string) => names?.[option] ?? BUILDER_TEXTS.choices[option] ?? option
  const choices = [['', CARD_TEXTS.builder.unset] as const, ...all.map((option) => [option, nameOf(option)] as const)]
  return <SelectField {...{ label, error, value, onChange }} options={choices} />
}

type MomentProps = {
  label: string
  error?: string
  value: string | number
  toValue: (at: Date) => string | number
  onChange: (value: unknown) => void
}

function MomentField({ value, toValue, onChange, ...rest }: MomentProps) {
  return (
    <TextField
      {...rest}
      type="datetime-local"
      value={value === '' ? '' : toLocal(value)}
      onInput={(text) => onChange(text === '' ? undefined : toValue(new Date(text)))}
    />
  )
}
