// Formats send times in a time zone and marks those where the UTC offset changes (DST).

import { language } from '../language.ts'

export type SendTime = { at: string; day: string; time: string; offset: string; hasChanged: boolean }

export function withClockChanges(times: string[], timeZone: string): SendTime[] {
  const day = new Intl.DateTimeFormat(language, {
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
