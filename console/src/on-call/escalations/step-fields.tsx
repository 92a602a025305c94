// The fields of one step of an escalation policy.
import type { RecipientList } from '../../../../src/contract/emails.ts'
import { api } from '../../api/client.ts'
import { SecondsField } from '../../builder/fields/number-field.tsx'
import { withChoice } from '../../messages/repetition-fields.tsx'
import { TargetFields } from '../../organizations/target-fields.tsx'
import { useLoaded } from '../../state/use-loaded.ts'
import { TEXTS } from '../../texts/base.ts'
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import { MESSAGE_TEXTS } from '../../texts/messages.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceList } from '../../ui/choice-list.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import type { Place } from '../place.ts'
import { effectError, type StepDraft, type StepLevel, timeError } from './draft.ts'

const words = ESCALATION_TEXTS.form

// An alert that must be acknowledged is never passive.
const LEVELS: [StepLevel | '', string][] = [
  ['', words.keep],
  ...(['active', 'time-sensitive', 'critical'] as const).map((level): [StepLevel, string] => [
    level,
    TEXTS.levels[level],
  ]),
]

type StepFieldsProps = {
  steps: StepDraft[]
  index: number
  place: Place
  onChange: (step: StepDraft) => void
  // Undefined for the only one.
  onRemove: (() => void) | undefined
}

export function StepFields({ steps, index, place: { organization }, onChange, onRemove }: StepFieldsProps) {
  const step = steps[index]
  if (!step) return null
  const change = (part: Partial<StepDraft>) => onChange({ ...step, ...part })
  const problem = effectError(step)
  return (
    <fieldset class="climb-fields">
      <legend class="field-label">{words.step(index + 1)}</legend>
      <div class="form-pair">
        <SecondsField
          label={words.after}
          error={timeError(steps, index)}
          value={step.afterSeconds}
          onChange={(afterSeconds) => change({ afterSeconds })}
        />
        <SelectField
          label={words.level}
          value={step.level}
          options={LEVELS}
          error={problem}
          onChange={(level) => change({ level })}
        />
        <SelectField
          label={words.repeat}
          value={step.repeat}
          options={[['', words.keep] as const, ...withChoice(MESSAGE_TEXTS.repetition.everyChoices, step.repeat)]}
          onChange={(repeat) => change({ repeat })}
        />
      </div>
      <TextField
        label={words.callback}
        hint={words.callbackHint}
        type="url"
        value={step.callbackUrl}
        onInput={(callbackUrl) => change({ callbackUrl })}
      />
      {organization ? (
        <TargetFields
          orgId={organization.id}
          by="name"
          hint={words.target}
          draft={step.target}
          onChange={(target) => change({ target })}
        />
      ) : (
        <EmailChoices emails={step.emails} onChange={(emails) => change({ emails })} />
      )}
      {onRemove && (
        <div>
          <Button size="small" look="danger" icon="trash" onClick={onRemove}>
            {words.removeStep(index + 1)}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

function EmailChoices({ emails, onChange }: { emails: string[]; onChange: (emails: string[]) => void }) {
  const { value } = useLoaded(() => api.get<RecipientList>('/emails/recipients'))
  const confirmed = value?.items.filter(({ status }) => status === 'verified').map(({ address }) => address) ?? []
  // An address may have been removed since.
  const offered = [...new Set([...confirmed, ...emails])]
  if (value && offered.length === 0) {
    return (
      <p class="field-hint">
        {words.noRecipients} <a href="/app/emails">{words.toRecipients}</a>
      </p>
    )
  }
  return (
    <ChoiceList
      label={words.emails}
      options={offered.map((address) => [address, address])}
      chosen={emails}
      onChange={onChange}
    />
  )
}
