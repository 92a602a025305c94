// The next send times of a schedule, in its own time zone. Marks where the UTC offset changes (DST): the local time stays
// the same, the UTC time does not.

import type { Recurrence, ScheduleDryRun } from '../../../src/contract/schedules.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { SCHEDULE_TEXTS } from '../texts/schedules.ts'
import { Waiting } from '../ui/page.tsx'
import { withClockChanges } from './clock-changes.ts'

// `path`: the collection of the API that the schedule is or will be in.
type SendTimesProps = { recurrence: Recurrence; from: string; path: string }

export function SendTimes({ recurrence, from, path }: SendTimesProps) {
  const key = JSON.stringify(recurrence) + from
  const load = async () => {
    const { would } = await api.post<ScheduleDryRun>(`${path}?dry_run=true`, {
      title: '-',
      body: '-',
      recurrence,
      // The server refuses a start in the past, and the start of a running series is in the past.
      send_at: Date.parse(from) > Date.now() ? from : undefined,
    })
    return { key, times: would.send_times }
  }
  const { value, error } = useLoaded(load, { key })
  // The times of another pattern would mislead.
  if (error || value?.key !== key) return <Waiting error={error} rows={2} />
  return (
    <ol class="send-times">
      {withClockChanges(value.times, recurrence.timezone).map(({ at, day, time, offset, hasChanged }) => (
        <li key={at}>
          <time dateTime={at}>
            <span>{day}</span>
            <strong>{time}</strong>
            <span class="muted">{offset}</span>
          </time>
          {hasChanged && <span class="tag tag-warm">{SCHEDULE_TEXTS.clocksChanged}</span>}
        </li>
      ))}
    </ol>
  )
}
