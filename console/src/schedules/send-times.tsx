// The next times of a schedule, on the clock of its own zone. Where the clocks change in between, that is said: the hour
// stays the same on the wall, and is another one elsewhere.
import { api } from '../api/client.ts'
import type { Recurrence, ScheduleDryRun } from '../api/schedule.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Waiting } from '../ui/page.tsx'

export function SendTimes({ recurrence, from }: { recurrence: Recurrence; from: string }) {
  const load = () =>
    api.post<ScheduleDryRun>('/notifications/scheduled?dry_run=true', {
      title: '-',
      body: '-',
      recurrence,
      // The start of a running series lies in the past, where nothing can be scheduled.
      send_at: Date.parse(from) > Date.now() ? from : undefined,
    })
  const { value, error } = useLoaded(load, undefined, JSON.stringify(recurrence) + from)
  if (!value) return <Waiting error={error} rows={2} />
  return (
    <ol class="send-times">
      {withClockChanges(value.would.send_times, recurrence.timezone).map(({ at, day, time, offset, hasChanged }) => (
        <li key={at}>
          <time dateTime={at}>
            <span>{day}</span>
            <strong>{time}</strong>
            <span class="muted">{offset}</span>
          </time>
          {hasChanged && <span class="tag tag-warm">{TEXTS.schedules.clocksChanged}</span>}
        </li>
      ))}
    </ol>
  )
}

export type SendTime = { at: string; day: string; time: string; offset: string; hasChanged: boolean }

export function withClockChanges(times: string[], timeZone: string): SendTime[] {
  const day = new Intl.DateTimeFormat('en', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  const time = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const zone = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const offsetOf = (at: Date) => zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  let before: string | undefined
  return times.map((at) => {
    const moment = new Date(at)
    const offset = offsetOf(moment)
    const hasChanged = before !== undefined && offset !== before
    before = offset
    return { at, day: day.format(moment), time: time.format(moment), offset, hasChanged }
  })
}
