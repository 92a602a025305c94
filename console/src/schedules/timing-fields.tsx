// Fields for when a notification is sent: now, once, or again and again.
import { useEffect, useState } from 'preact/hooks'
import type { Recurrence } from '../../../src/contract/schedules.ts'
import { SCHEDULE_TEXTS } from '../texts/schedules.ts'
import { Segments, TextField } from '../ui/field.tsx'
import { isPatternComplete } from './pattern.ts'
import { PatternFields } from './pattern-fields.tsx'
import { SendTimes } from './send-times.tsx'
import { recurrenceOf, type Timing, type When } from './timing.ts'
import { ZoneField } from './zone-field.tsx'

const words = SCHEDULE_TEXTS

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
      {timing.when === 'repeat' && <RepeatFields timing={timing} path={path} change={change} />}
    </>
  )
}

type RepeatFieldsProps = { timing: Timing; path: string; change: (part: Partial<Timing>) => void }

function RepeatFields({ timing, path, change }: RepeatFieldsProps) {
  const { pattern, timezone } = timing
  const recurrence = useDebounced(recurrenceOf(timing))
  return (
    <>
      <PatternFields pattern={pattern} onChange={(chosen) => change({ pattern: chosen })} />
      <ZoneField timezone={timezone} onChange={(zone) => change({ timezone: zone })} />
      {isPatternComplete(pattern) && (
        <details class="steps" open={pattern.kind === 'custom' || undefined}>
          <summary>{words.next}</summary>
          <SendTimes recurrence={recurrence} from="" path={path} />
        </details>
      )}
    </>
  )
}

// Debounce: one dry run after the last keystroke.
const DEBOUNCE_MS = 300

function useDebounced(recurrence: Recurrence): Recurrence {
  const [debounced, setDebounced] = useState(recurrence)
  const key = JSON.stringify(recurrence)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(recurrence), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [key])
  return debounced
}
