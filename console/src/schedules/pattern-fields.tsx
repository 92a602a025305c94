// Fields for the pattern of a series: days and a time, or a cron expression.
import { SCHEDULE_TEXTS } from '../texts/schedules.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { cronOf, type Pattern, type PatternKind } from './pattern.ts'

const words = SCHEDULE_TEXTS.pattern
const KINDS = Object.entries(words.kinds) as [PatternKind, string][]
const DAYS_OF_MONTH = Array.from({ length: 31 }, (_, index) => [String(index + 1), String(index + 1)] as const)
// From this day on, some months have no such day.
const LAST_DAY_OF_EVERY_MONTH = 28
// Monday first.
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0]

type PatternFieldsProps = { pattern: Pattern; onChange: (pattern: Pattern) => void }

export function PatternFields({ pattern, onChange }: PatternFieldsProps) {
  const { kind, time, day, cron } = pattern
  const change = (part: Partial<Pattern>) => onChange({ ...pattern, ...part })
  // Someone who goes over to cron begins with what they have chosen.
  const choose = (chosen: PatternKind) =>
    change({ kind: chosen, ...(chosen === 'custom' && kind !== 'custom' && { cron: cronOf(pattern) }) })
  return (
    <>
      <div class="form-pair">
        <SelectField label={words.repeats} value={kind} options={KINDS} onChange={choose} />
        {kind === 'monthly' && (
          <SelectField
            label={words.day}
            hint={day > LAST_DAY_OF_EVERY_MONTH ? words.skipsMonths(day) : undefined}
            value={String(day)}
            options={DAYS_OF_MONTH}
            onChange={(text) => change({ day: Number(text) })}
          />
        )}
        {kind === 'custom' ? (
          <TextField
            label={words.cron}
            hint={words.cronHint}
            value={cron}
            onInput={(text) => change({ cron: text })}
            maxLength={128}
            isCode
          />
        ) : (
          <TextField label={words.time} type="time" value={time} onInput={(text) => change({ time: text })} />
        )}
      </div>
      {kind === 'weekly' && <WeekdayFields weekdays={pattern.weekdays} onChange={(weekdays) => change({ weekdays })} />}
    </>
  )
}

function WeekdayFields({ weekdays, onChange }: { weekdays: number[]; onChange: (weekdays: number[]) => void }) {
  return (
    <fieldset class="choices">
      <legend class="field-label">{words.weekdays}</legend>
      <div class="choices-box">
        {WEEKDAYS.map((weekday) => (
          <label key={weekday} class="choice">
            <input
              type="checkbox"
              checked={weekdays.includes(weekday)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...weekdays, weekday] : weekdays.filter((one) => one !== weekday),
                )
              }
            />
            {words.weekdayNames[weekday]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
