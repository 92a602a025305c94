// The times until which a person snoozes a notification or mutes its source.

export type SnoozeChoice = 'hour' | 'evening' | 'tomorrow'

const EVENING_HOUR = 18
const MORNING_HOUR = 8
const HOUR_MS = 3_600_000

// In the time zone of the browser. The evening is offered only while it is more than an hour away.
export function snoozeTimes(now: Date): [SnoozeChoice, Date][] {
  const inAnHour = new Date(now.getTime() + HOUR_MS)
  const evening = atHour(now, 0, EVENING_HOUR)
  const times: [SnoozeChoice, Date][] = [['hour', inAnHour]]
  if (evening > inAnHour) times.push(['evening', evening])
  return [...times, ['tomorrow', atHour(now, 1, MORNING_HOUR)]]
}

// Date counts in local time, so a day on which clocks change is right too.
const atHour = (now: Date, daysLater: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysLater, hour)

export const inHours = (now: Date, hours: number): Date => new Date(now.getTime() + hours * HOUR_MS)
