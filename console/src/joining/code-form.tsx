// Form for a new code by which people join: fields of what it is for, how many people can join, and for how long.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { ResourceForm } from '../ui/form.tsx'

const DAY_SECONDS = 86_400
const VALIDITY = Object.entries(JOIN_TEXTS.validity)

type CodeFormProps = {
  // Fields of what the code is for.
  children: ComponentChildren
  create: (terms: { max_uses: number; expires_in: number }) => Promise<void>
  refusalInWords: (error: unknown) => string
}

export function CodeForm({ children, create, refusalInWords }: CodeFormProps) {
  const [uses, setUses] = useState('1')
  const [validSeconds, setValidSeconds] = useState(String(DAY_SECONDS))
  const save = () => create({ max_uses: Number(uses), expires_in: Number(validSeconds) })
  return (
    <ResourceForm save={save} refusalInWords={refusalInWords} submit={JOIN_TEXTS.create}>
      {children}
      <div class="form-pair">
        <TextField label={JOIN_TEXTS.uses} type="number" min={1} max={1000} value={uses} onInput={setUses} required />
        <SelectField label={JOIN_TEXTS.validFor} value={validSeconds} options={VALIDITY} onChange={setValidSeconds} />
      </div>
    </ResourceForm>
  )
}
