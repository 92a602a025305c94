// Fields for a notification that repeats until a member acknowledges it.
import { ORG_TEXTS } from '../../texts-organizations.ts'
import { SelectField } from '../../ui/field.tsx'
import type { Repetition } from './draft.ts'

const { sent: words } = ORG_TEXTS

const EVERY = Object.entries(words.everyChoices)
const AT_MOST = Object.entries(words.atMostChoices)
// The server's defaults.
const USUAL: Repetition = { every: '60', atMost: '3600' }

type RepetitionFieldsProps = {
  repetition: Repetition | undefined
  onChange: (repetition: Repetition | undefined) => void
}

export function RepetitionFields({ repetition, onChange }: RepetitionFieldsProps) {
  return (
    <>
      <label class="choice">
        <input
          type="checkbox"
          checked={repetition !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked ? USUAL : undefined)}
        />
        {words.repeats}
      </label>
      {repetition && (
        <div class="form-pair">
          <SelectField
            label={words.every}
            value={repetition.every}
            options={EVERY}
            onChange={(every) => onChange({ ...repetition, every })}
          />
          <SelectField
            label={words.atMost}
            value={repetition.atMost}
            options={AT_MOST}
            onChange={(atMost) => onChange({ ...repetition, atMost })}
          />
        </div>
      )}
    </>
  )
}
