// The form for the common members of content. An empty field removes its member.
import { useEffect, useState } from 'preact/hooks'
import { COLOR_NAMES } from '../../../src/domain/color.ts'
import { CARD_TEXTS } from '../texts-cards.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { toLocal } from '../ui/local-time.ts'
import type { Content } from './draft.ts'
import type { ContentField } from './fields.ts'
import { type Check, errorAt } from './use-check.ts'

type FormProps = { fields: ContentField[]; content: Content; check: Check; onChange: (content: Content) => void }

export function ContentForm({ fields, content, check, onChange }: FormProps) {
  const set = (member: string, value: unknown) => {
    const { [member]: _, ...rest } = content
    onChange(value === undefined || value === '' ? rest : { ...content, [member]: value })
  }
  return (
    <div class="form-pair builder-fields">
      {fields.map((field) => (
        <MemberField
          key={field.member}
          field={field}
          value={content[field.member]}
          error={errorAt(check, `content.${field.member}`)}
          onChange={(value) => set(field.member, value)}
        />
      ))}
    </div>
  )
}

type MemberProps = { field: ContentField; value: unknown; error?: string; onChange: (value: unknown) => void }

function MemberField({ field, value, error, onChange }: MemberProps) {
  const label = CARD_TEXTS.members[field.member] ?? field.member
  const common = { label, error }
  switch (field.kind) {
    case 'text':
      return <TextField {...common} value={asText(value)} onInput={onChange} isCode={field.member === 'icon'} />
    case 'number':
      return <NumberField {...common} value={value} onChange={onChange} />
    case 'flag':
      return (
        <ChoiceField {...common} value={value ? 'yes' : ''} options={['yes']} onChange={(v) => onChange(v === 'yes')} />
      )
    case 'color':
      return <ChoiceField {...common} value={asText(value)} options={COLOR_NAMES} onChange={onChange} />
    case 'choice':
      return <ChoiceField {...common} value={asText(value)} options={field.options} onChange={onChange} />
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

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

type NumberProps = { label: string; error?: string; value: unknown; onChange: (value: number | undefined) => void }

// Keeps the typed text, so that "1." is not replaced by "1" while typing 1.5.
export function NumberField({ label, error, value, onChange }: NumberProps) {
  const [text, setText] = useState('')
  const shown = toNumber(text) === value ? text : typeof value === 'number' ? String(value) : ''
  useEffect(() => setText(shown), [shown])
  const type = (typed: string) => {
    setText(typed)
    onChange(toNumber(typed))
  }
  return <TextField label={label} error={error} type="number" step="any" value={shown} onInput={type} />
}

const toNumber = (text: string): number | undefined =>
  text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)

type ChoiceProps = {
  label: string
  error?: string
  value: string
  options: readonly string[]
  onChange: (value: string) => void
}

// A program may have sent a value that is not an option, such as a hex colour; it is then listed too.
function ChoiceField({ value, options, ...rest }: ChoiceProps) {
  const all = value === '' || options.includes(value) ? options : [value, ...options]
  const choices = [['', CARD_TEXTS.builder.unset] as const, ...all.map((option) => [option, option] as const)]
  return <SelectField {...rest} value={value} options={choices} />
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
