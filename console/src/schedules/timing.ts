// When a notification is sent, as chosen in a form and for the API.
import type { Recurrence, ScheduleInput, ScheduleView } from '../../../src/contract/schedules.ts'
import { toLocal } from '../ui/local-time.ts'
import { cronOf, isPatternComplete, NEW_PATTERN, type Pattern, patternOf } from './pattern.ts'

export type When = 'now' | 'once' | 'repeat'
// The choices of a schedule.
export const LATER: readonly When[] = ['once', 'repeat']

export type Timing = {
  when: When
  // Local time, as the field has it.
  sendAt: string
  pattern: Pattern
  timezone: string
  // The recurrence of the schedule that is edited: its end has no field.
  kept?: Recurrence
}

export const newTiming = (when: When): Timing => ({
  when,
  sendAt: '',
  pattern: NEW_PATTERN,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

export function timingOf({ recurrence, send_at }: Pick<ScheduleView, 'recurrence' | 'send_at'>): Timing {
  if (!recurrence) return { ...newTiming('once'), sendAt: toLocal(send_at) }
  const { cron, timezone } = recurrence
  return { ...newTiming('repeat'), pattern: patternOf(cron), timezone, kept: recurrence }
}

export function isTimingComplete({ when, sendAt, pattern }: Timing): boolean {
  switch (when) {
    case 'now':
      return true
    case 'once':
      return sendAt !== ''
    case 'repeat':
      return isPatternComplete(pattern)
  }
}

// Undefined: now, which is no schedule.
export function toTimingInput(timing: Timing): Pick<ScheduleInput, 'send_at' | 'recurrence'> | undefined {
  switch (timing.when) {
    case 'now':
      return undefined
    case 'once':
      return { send_at: new Date(timing.sendAt).toISOString() }
    case 'repeat':
      return { recurrence: recurrenceOf(timing) }
  }
}

// A pattern that was not changed keeps the expression of its author.
export function recurrenceOf({ pattern, timezone, kept }: Timing): Recurrence {
  const cron = cronOf(pattern)
  const isSame = kept !== undefined && cronOf(patternOf(kept.cron)) === cron
  return { ...kept, cron: isSame ? kept.cron : cron, timezone }
}
