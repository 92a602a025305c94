// Form for an escalation policy: its steps, and drawn beside them who hears when.
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { EscalationView } from '../../../../src/contract/escalations.ts'
import { api, unlessMissing } from '../../api/client.ts'
import { useKeptDraft } from '../../state/kept-draft.ts'
import { showToast } from '../../state/toasts.ts'
import { TEXTS } from '../../texts/base.ts'
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import { Button } from '../../ui/button.tsx'
import { ResourceForm } from '../../ui/form.tsx'
import { Frame } from '../frame.tsx'
import { NameFields } from '../name-fields.tsx'
import { type Place, pathOf } from '../place.ts'
import {
  draftOf,
  type EscalationDraft,
  isComplete,
  MOST_STEPS,
  NEW_ESCALATION,
  nextStep,
  slugOf,
  toInput,
  toStep,
} from './draft.ts'
import { StepFields } from './step-fields.tsx'
import { StepList, TimelineChart } from './timeline-chart.tsx'

const words = ESCALATION_TEXTS.form

// `escalation`: the one that is changed.
export function EscalationForm({ place, escalation }: { place: Place; escalation?: EscalationView }) {
  const { route } = useLocation()
  const name = `${place.collection}/${escalation?.slug ?? ''}`
  const kept = useKeptDraft(name, () => (escalation ? draftOf(escalation) : NEW_ESCALATION))
  const { draft, change } = kept
  const [takenSlug, setTakenSlug] = useState<string>()
  const { steps } = draft
  const save = async () => {
    // POST would change the policy that has this slug.
    const isTaken = !escalation && (await unlessMissing(api.get(pathOf(place, slugOf(draft)))))
    if (isTaken) return setTakenSlug(slugOf(draft))
    await api.post(place.collection, toInput(draft))
    kept.forget()
    showToast(escalation ? words.changed : words.created)
    route(place.home)
  }
  return (
    <Frame place={place} title={escalation ? ESCALATION_TEXTS.edit : ESCALATION_TEXTS.create}>
      <ResourceForm
        class="card form"
        save={save}
        submit={escalation ? TEXTS.save : words.submit}
        isComplete={isComplete(draft)}
        kept={kept}
        cancel={place.home}
      >
        <NameFields
          {...{ words, draft, change }}
          isNew={!escalation}
          slug={slugOf(draft)}
          isTaken={takenSlug === slugOf(draft)}
          maxSlugLength={128}
        />
        {steps.map((_, index) => (
          <StepFields
            key={index}
            steps={steps}
            index={index}
            place={place}
            onChange={(step) => change({ steps: steps.with(index, step) })}
            onRemove={steps.length > 1 ? () => change({ steps: steps.toSpliced(index, 1) }) : undefined}
          />
        ))}
        {steps.length < MOST_STEPS && (
          <div>
            <Button icon="plus" size="small" onClick={() => change({ steps: [...steps, nextStep(steps)] })}>
              {words.addStep}
            </Button>
          </div>
        )}
        <Preview draft={draft} isOrganization={place.organization !== undefined} />
      </ResourceForm>
    </Frame>
  )
}

// The name does not matter here.
function Preview({ draft, isOrganization }: { draft: EscalationDraft; isOrganization: boolean }) {
  const steps = draft.steps.map(toStep)
  return (
    <section class="climb-preview" aria-label={words.preview}>
      <h2 class="form-title">{words.preview}</h2>
      {isComplete({ ...draft, name: words.preview, slug: 'preview' }) ? (
        <>
          <TimelineChart steps={steps} isOrganization={isOrganization} />
          <StepList steps={steps} />
        </>
      ) : (
        <p class="muted">{words.incomplete}</p>
      )}
    </section>
  )
}
