// Fields for the terms of a new code: how many people can join, and for how long.
import { JOIN_TEXTS } from '../texts/joining.ts'
import { SelectField, TextField } from '../ui/field.tsx'

export type CodeTerms = { uses: string; expiresIn: keyof typeof JOIN_TEXTS.validity }

export const DEFAULT_TERMS: CodeTerms = { uses: '1', expiresIn: 86_400 }

const VALIDITY = Object.entries(JOIN_TEXTS.validity)

type TermsFieldsProps = { terms: CodeTerms; onChange: (part: Partial<CodeTerms>) => void }

export function TermsFields({ terms, onChange }: TermsFieldsProps) {
  return (
    <div class="form-pair">
      <TextField
        label={JOIN_TEXTS.uses}
        type="number"
        min={1}
        max={1000}
        value={terms.uses}
        onInput={(uses) => onChange({ uses })}
        required
      />
      <SelectField
        label={JOIN_TEXTS.validFor}
        value={String(terms.expiresIn)}
        options={VALIDITY}
        onChange={(seconds) => onChange({ expiresIn: Number(seconds) as CodeTerms['expiresIn'] })}
      />
    </div>
  )
}

export const toInput = ({ uses, expiresIn }: CodeTerms) => ({ max_uses: Number(uses), expires_in: expiresIn })
