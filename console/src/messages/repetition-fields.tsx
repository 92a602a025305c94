// Fields for a message that repeats until someone acknowledges it, and the choice of an escalation policy for it.
import type { EscalationView } from '../../../src/contract/escalations.ts'
import { coarseDuration } from '../../../src/domain/screens/duration.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { ESCALATION_TEXTS } from '../texts/escalations.ts'
import { MESSAGE_TEXTS } from '../texts/messages.ts'
import { SelectField } from '../ui/field.tsx'
import { type Repetition, USUAL_REPETITION } from './repetition.ts'

const words = MESSAGE_TEXTS.repetition

type RepetitionFieldsProps = {
  repetition: Repetition | undefined
  // Where the API has the escalation policies to choose from.
  escalations: string
  onChange: (repetition: Repetition | undefined) => void
}

export function RepetitionFields({ repetition, escalations, onChange }: RepetitionFieldsProps) {
  return (
    <>
      <label class="choice">
        <input
          type="checkbox"
          checked={repetition !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked ? USUAL_REPETITION : undefined)}
        />
        {words.repeats}
      </label>
      {repetition && (
        <div class="form-pair">
          <SelectField
            label={words.every}
            value={repetition.every}
            options={withChoice(words.everyChoices, repetition.every)}
            onChange={(every) => onChange({ ...repetition, every })}
          />
          <SelectField
            label={words.atMost}
            value={repetition.atMost}
            options={withChoice(words.atMostChoices, repetition.atMost)}
            onChange={(atMost) => onChange({ ...repetition, atMost })}
          />
          <EscalationField
            collection={escalations}
            slug={repetition.escalation}
            onChange={(escalation) => onChange({ ...repetition, escalation })}
          />
        </div>
      )}
    </>
  )
}

// A program may have chosen a time that is not among the choices. Empty: none is chosen.
export const withChoice = (choices: Record<string, string>, seconds: string): [string, string][] =>
  seconds === '' || seconds in choices
    ? Object.entries(choices)
    : [...Object.entries(choices), [seconds, coarseDuration(Number(seconds))]]

// `collection`: where the API has the policies. `slug`: empty for none.
type EscalationFieldProps = { collection: string; slug: string; onChange: (slug: string) => void }

export function EscalationField({ collection, slug, onChange }: EscalationFieldProps) {
  const { value } = useLoaded(() => api.get<{ items: EscalationView[] }>(collection), { key: collection })
  const policies = value?.items.map((one) => [one.slug, one.name] as const) ?? []
  // It may have been deleted since, and before the list is loaded its name is not known.
  const isListed = slug === '' || policies.some(([one]) => one === slug)
  return (
    <SelectField
      label={ESCALATION_TEXTS.field}
      hint={ESCALATION_TEXTS.fieldHint}
      value={slug}
      options={[['', ESCALATION_TEXTS.noPolicy], ...policies, ...(isListed ? [] : [[slug, slug] as const])]}
      onChange={onChange}
    />
  )
}
