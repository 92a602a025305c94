// The allowed distance of dates from now. Checked only for sent dates; stored ones may age.

import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { DAY_SECONDS, fromRfc3339, type Instant, plusSeconds } from '../../instant.ts'

// The members with dates, in content and in a patch.
type Dated = {
  start_date?: string | null
  end_date?: string | null
  subtitle_timer?: { date?: string | null } | null
  stat_rows?: { timer?: { date: string } | null }[] | null
  periods?: { start: string }[] | null
}

const FLOOR = fromRfc3339('2000-01-01T00:00:00Z')

export function dateViolations(sent: Dated, now: Instant): Violation[] {
  const horizon = plusSeconds(now, LIMITS.widget.dateHorizonDays * DAY_SECONDS)
  return sentDates(sent).flatMap(([location, text]) => {
    const at = fromRfc3339(text)
    if (at <= FLOOR) return [{ location, message: 'must be after 2000-01-01' }]
    if (at > horizon) return [{ location, message: `must be at most ${LIMITS.widget.dateHorizonDays} days ahead` }]
    return []
  })
}

function sentDates({ start_date, end_date, subtitle_timer, stat_rows, periods }: Dated): [string, string][] {
  const dates: [location: string, text: string | null | undefined][] = [
    ['body.content.start_date', start_date],
    ['body.content.end_date', end_date],
    ['body.content.subtitle_timer.date', subtitle_timer?.date],
  ]
  for (const [index, row] of (stat_rows ?? []).entries()) {
    dates.push([`body.content.stat_rows[${index}].timer.date`, row.timer?.date])
  }
  for (const [index, period] of (periods ?? []).entries()) {
    dates.push([`body.content.periods[${index}].start`, period.start])
  }
  return dates.flatMap(([location, text]) => (text ? [[location, text]] : []))
}
