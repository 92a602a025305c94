// Fields for when a notification is sent: now, once, or by a cron expression in a time zone.
import { useEffect, useState } from 'preact/hooks'
import { TEXTS } from '../texts.ts'
import { Segments, SelectField, TextField } from '../ui/field.tsx'
import { SendTimes } from './send-times.tsx'
import { newTiming, type Timing, type When } from './timing.ts'

const { schedules: words } = TEXTS
// Browsers leave UTC out of their list, and may be set to a zone that is not in it.
const ZONES = [...new Set(['UTC', newTiming('repeat').timezone, ...Intl.supportedValuesOf('timeZone')])]
  .sort()
  .map((zone) => [zone, zone.replaceAll('_', ' ')] as const)

type TimingFieldsProps = {
  timing: Timing
  choices: readonly When[]
  // Collection of the API that the schedule will be in.
  path: string
  onChange: (timing: Timing) => void
}

export function TimingFields({ timing, choices, path, onChange }: TimingFieldsProps) {
  const change = (part: Partial<Timing>) => onChange({ ...timing, ...part })
  return (
    <>
      <Segments
        label={words.when}
        value={timing.when}
        options={choices.map((choice) => [choice, words.whenChoices[choice]])}
        onChange={(when) => change({ when })}
      />
      {timing.when === 'once' && (
        <TextField
          label={words.sendAt}
          type="datetime-local"
          value={timing.sendAt}
          onInput={(sendAt) => change({ sendAt })}
        />
      )}
      {timing.when === 'repeat' && <RecurrenceFields timing={timing} path={path} change={change} />}
    </>
  )
}

type RecurrenceFieldsProps = { timing: Timing; path: string; change: (part: Partial<Timing>) => void }

function RecurrenceFields({ timing: { cron, timezone }, path, change }: RecurrenceFieldsProps) {
  const debounced = useDebounced(cron, timezone)
  return (
    <>
      <div class="form-pair">
        <TextField
          label={words.cron}
          hint={words.cronHint}
          value={cron}
          onInput={(text) => change({ cron: text })}
          maxLength={128}
          isCode
        />
        <SelectField
          label={words.timezone}
          value={timezone}
          options={ZONES}
          onChange={(zone) => change({ timezone: zone })}
        />
      </div>
      <h3 class="form-title">{words.next}</h3>
      <SendTimes recurrence={debounced} from="" path={path} />
    </>
  )
}

// Debounce: one dry run after the last keystroke.
const DEBOUNCE_MS = 300

function useDebounced(cron: string, timezone: string) {
  const [debounced, setDebounced] = useState({ cron, timezone })
  useEffect(() => {
    const timer = setTimeout(() => setDebounced({ cron, timezone }), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [cron, timezone])
  return debounced
}
