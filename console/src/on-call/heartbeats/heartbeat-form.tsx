// Form for a new heartbeat, or for one that exists. A line below the fields says in words what they mean.
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { HeartbeatView } from '../../../../src/contract/heartbeats.ts'
import { api, unlessMissing } from '../../api/client.ts'
import { SecondsField } from '../../builder/fields/number-field.tsx'
import { RepetitionFields } from '../../messages/repetition-fields.tsx'
import { TargetFields } from '../../organizations/target-fields.tsx'
import { PatternFields } from '../../schedules/pattern-fields.tsx'
import { ZoneField } from '../../schedules/zone-field.tsx'
import { useKeptDraft } from '../../state/kept-draft.ts'
import { showToast } from '../../state/toasts.ts'
import { TEXTS } from '../../texts/base.ts'
import { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'
import { Segments, SelectField, TextField } from '../../ui/field.tsx'
import { ResourceForm } from '../../ui/form.tsx'
import { Frame } from '../frame.tsx'
import { NameFields } from '../name-fields.tsx'
import { escalationsOf, type Place, pageOf, pathOf } from '../place.ts'
import {
  draftInWords,
  draftOf,
  everyError,
  graceError,
  type HeartbeatDraft,
  isComplete,
  maxRunError,
  NEW_HEARTBEAT,
  slugOf,
  toInput,
} from './draft.ts'

const words = HEARTBEAT_TEXTS.form
const TIMINGS = Object.entries(words.timings) as [HeartbeatDraft['timing'], string][]
const LEVELS = Object.entries(TEXTS.levels) as [HeartbeatView['level'], string][]

type FieldsProps = { draft: HeartbeatDraft; change: (part: Partial<HeartbeatDraft>) => void }

// `heartbeat`: the one that is changed.
export function HeartbeatForm({ place, heartbeat }: { place: Place; heartbeat?: HeartbeatView }) {
  const { route } = useLocation()
  const name = `${place.collection}/${heartbeat?.slug ?? ''}`
  const kept = useKeptDraft(name, () => (heartbeat ? draftOf(heartbeat) : NEW_HEARTBEAT))
  const { draft, change } = kept
  const [takenSlug, setTakenSlug] = useState<string>()
  const save = async () => {
    // POST would change the heartbeat that has this slug.
    const isTaken = !heartbeat && (await unlessMissing(api.get(pathOf(place, slugOf(draft)))))
    if (isTaken) return setTakenSlug(slugOf(draft))
    await api.post(place.collection, toInput(draft))
    kept.forget()
    showToast(heartbeat ? words.changed : words.created)
    route(pageOf(place, slugOf(draft)))
  }
  return (
    <Frame place={place} title={heartbeat ? HEARTBEAT_TEXTS.edit : HEARTBEAT_TEXTS.create}>
      <ResourceForm
        class="card form"
        save={save}
        submit={heartbeat ? TEXTS.save : words.submit}
        isComplete={isComplete(draft)}
        kept={kept}
        cancel={heartbeat ? pageOf(place, heartbeat.slug) : place.home}
      >
        <NameFields
          {...{ words, draft, change }}
          isNew={!heartbeat}
          slug={slugOf(draft)}
          isTaken={takenSlug === slugOf(draft)}
          maxSlugLength={125}
        />
        <TimingFields draft={draft} change={change} />
        <AlertFields draft={draft} change={change} place={place} />
        <p class="note heartbeat-words" role="status">
          <span>
            <strong>{words.inWords}</strong>
            {draftInWords(draft)}
          </span>
        </p>
      </ResourceForm>
    </Frame>
  )
}

function TimingFields({ draft, change }: FieldsProps) {
  const { timing, times } = draft
  return (
    <>
      <Segments
        label={words.timing}
        value={timing}
        options={TIMINGS}
        onChange={(chosen) => change({ timing: chosen })}
      />
      {timing === 'times' && (
        <PatternFields pattern={times.pattern} onChange={(pattern) => change({ times: { ...times, pattern } })} />
      )}
      <div class="form-pair">
        {/* The keys keep the unit of one field from being taken over by the other when the kind of timing changes. */}
        {timing === 'every' ? (
          <SecondsField
            key="every"
            label={words.every}
            error={everyError(draft)}
            value={draft.everySeconds}
            onChange={(everySeconds) => change({ everySeconds })}
          />
        ) : (
          <ZoneField
            key="zone"
            timezone={times.timezone}
            onChange={(timezone) => change({ times: { ...times, timezone } })}
          />
        )}
        <SecondsField
          key="grace"
          label={words.grace}
          error={graceError(draft)}
          value={draft.graceSeconds}
          onChange={(graceSeconds) => change({ graceSeconds })}
        />
        <SecondsField
          key="max-run"
          label={HEARTBEAT_TEXTS.maxRun}
          hint={words.maxRunHint}
          error={maxRunError(draft)}
          value={draft.maxRunSeconds}
          onChange={(maxRunSeconds) => change({ maxRunSeconds })}
        />
      </div>
    </>
  )
}

function AlertFields({ draft, change, place: { organization } }: FieldsProps & { place: Place }) {
  return (
    <>
      <div class="form-pair">
        <SelectField
          label={HEARTBEAT_TEXTS.level}
          value={draft.level}
          options={LEVELS}
          onChange={(level) => change({ level })}
        />
        <TextField
          label={words.url}
          hint={words.urlHint}
          type="url"
          value={draft.url}
          onInput={(url) => change({ url })}
        />
      </div>
      <RepetitionFields
        repetition={draft.repetition}
        escalations={escalationsOf(organization)}
        onChange={(repetition) => change({ repetition })}
      />
      {organization ? (
        <TargetFields
          orgId={organization.id}
          by="name"
          hint={words.target}
          draft={draft.target}
          onChange={(target) => change({ target })}
        />
      ) : (
        <label class="choice">
          <input
            type="checkbox"
            checked={draft.hasWidget}
            onChange={(event) => change({ hasWidget: event.currentTarget.checked })}
          />
          {words.widget}
        </label>
      )}
    </>
  )
}
