// Quiet hours drawn as a week: a row for each day, from midnight to midnight.
import type { QuietHoursView } from '../../../../src/contract/holds.ts'
import { now } from '../../ui/time.tsx'
import { percentOf, placeInWeek, quietWeek, type Span, shortName, WEEKDAYS, weekInWords } from './week.ts'

const HOURS = [0, 6, 12, 18, 24]

export function WeekChart({ windows, timezone }: Pick<QuietHoursView, 'windows' | 'timezone'>) {
  const present = placeInWeek(new Date(now.value), timezone)
  return (
    <div class="week" role="img" aria-label={weekInWords(windows)}>
      {quietWeek(windows).map((spans, index) => (
        <DayRow
          key={WEEKDAYS[index]}
          name={shortName(WEEKDAYS[index] ?? 'mon')}
          spans={spans}
          presentMinutes={present.day === index ? present.minutes : undefined}
        />
      ))}
      <div class="week-row week-hours">
        <span />
        <div>
          {HOURS.map((hour) => (
            <span key={hour} style={{ left: `${percentOf(hour * 60)}%` }}>
              {hour}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}

type DayRowProps = { name: string; spans: Span[]; presentMinutes: number | undefined }

function DayRow({ name, spans, presentMinutes }: DayRowProps) {
  return (
    <div class="week-row">
      <span>{name}</span>
      <div class="week-day">
        {spans.map(({ from, to }) => (
          <span
            key={from}
            class="week-span"
            style={{ left: `${percentOf(from)}%`, width: `${percentOf(to - from)}%` }}
          />
        ))}
        {presentMinutes !== undefined && <span class="week-now" style={{ left: `${percentOf(presentMinutes)}%` }} />}
      </div>
    </div>
  )
}
