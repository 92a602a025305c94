// Form for the weekly windows of quiet hours, what passes them, and the digest at their end.
import type { QuietHoursView, QuietWindow } from '../../../../src/contract/holds.ts'
import { api } from '../../api/client.ts'
import { newTiming } from '../../schedules/timing.ts'
import { ZoneField } from '../../schedules/zone-field.tsx'
import { useKeptDraft } from '../../state/kept-draft.ts'
import { showToast } from '../../state/toasts.ts'
import { TEXTS } from '../../texts/base.ts'
import { QUIET_HOURS_TEXTS } from '../../texts/quiet-hours.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ResourceForm } from '../../ui/form.tsx'
import { draftOf, isComplete, MOST_WINDOWS, NEW_WINDOW } from './draft.ts'
import { endsNextDay, longName, shortName, WEEKDAYS } from './week.ts'
import { WeekChart } from './week-chart.tsx'

const words = QUIET_HOURS_TEXTS
const PASSES = Object.entries(words.passesChoices) as [QuietHoursView['passes'], string][]

export const QUIET_HOURS = '/auth/me/quiet-hours'

type WindowsFormProps = { hours: QuietHoursView; onDone: () => Promise<void>; onCancel: () => void }

export function WindowsForm({ hours, onDone, onCancel }: WindowsFormProps) {
  const kept = useKeptDraft(QUIET_HOURS, () => draftOf(hours, newTiming('repeat').timezone))
  const { draft, change } = kept
  const { windows, timezone, passes, digest } = draft
  const save = async () => {
    await api.put(QUIET_HOURS, draft)
    kept.forget()
    showToast(words.saved)
    await onDone()
  }
  return (
    <ResourceForm
      class="card form"
      save={save}
      submit={TEXTS.save}
      isComplete={isComplete(draft)}
      kept={kept}
      cancel={onCancel}
    >
      <WeekChart windows={windows} timezone={timezone} />
      {windows.map((window, index) => (
        <WindowFields
          key={index}
          number={index + 1}
          window={window}
          onChange={(changed) => change({ windows: windows.with(index, changed) })}
          onRemove={windows.length > 1 ? () => change({ windows: windows.toSpliced(index, 1) }) : undefined}
        />
      ))}
      {windows.length < MOST_WINDOWS && (
        <div>
          <Button
            icon="plus"
            size="small"
            onClick={() => change({ windows: [...windows, { ...NEW_WINDOW, days: [] }] })}
          >
            {words.addWindow}
          </Button>
        </div>
      )}
      <div class="form-pair">
        <ZoneField timezone={timezone} onChange={(zone) => change({ timezone: zone })} />
        <SelectField
          label={words.passes}
          hint={words.passesHint}
          value={passes}
          options={PASSES}
          onChange={(level) => change({ passes: level })}
        />
      </div>
      <label class="choice">
        <input type="checkbox" checked={digest} onChange={(event) => change({ digest: event.currentTarget.checked })} />
        {words.digest}
      </label>
    </ResourceForm>
  )
}

type WindowFieldsProps = {
  number: number
  window: QuietWindow
  onChange: (window: QuietWindow) => void
  // Undefined for the only one.
  onRemove: (() => void) | undefined
}

function WindowFields({ number, window, onChange, onRemove }: WindowFieldsProps) {
  const { days, from, to } = window
  const toggle = (day: QuietWindow['days'][number]) =>
    onChange({ ...window, days: WEEKDAYS.filter((one) => (one === day) !== days.includes(one)) })
  return (
    <fieldset class="quiet-window">
      <legend class="field-label">{words.windowNumber(number)}</legend>
      <div class="quiet-days">
        {WEEKDAYS.map((day) => (
          <label key={day} class="choice">
            <input
              type="checkbox"
              checked={days.includes(day)}
              aria-label={longName(day)}
              onChange={() => toggle(day)}
            />
            {shortName(day)}
          </label>
        ))}
      </div>
      <div class="quiet-times">
        <TextField
          label={words.from}
          type="time"
          value={from}
          onInput={(time) => onChange({ ...window, from: time })}
          required
        />
        <TextField
          label={endsNextDay(window) ? words.toNextDay : words.to}
          type="time"
          value={to}
          onInput={(time) => onChange({ ...window, to: time })}
          required
        />
        {onRemove && <Button look="danger" icon="trash" label={words.removeWindow(number)} onClick={onRemove} />}
      </div>
    </fieldset>
  )
}
