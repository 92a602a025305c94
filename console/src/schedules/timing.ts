// When a notification is sent, as chosen in a form and for the API.
import type { ScheduleInput } from '../../../src/contract/schedule.ts'

export type When = 'now' | 'once' | 'repeat'
// `sendAt` is local time, as the field has it.
export type Timing = { when: When; sendAt: string; cron: string; timezone: string }

export const newTiming = (when: When): Timing => ({
  when,
  sendAt: '',
  cron: '0 8 * * 1-5',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

export function isTimingComplete({ when, sendAt, cron }: Timing): boolean {
  switch (when) {
    case 'now':
      return true
    case 'once':
      return sendAt !== ''
    case 'repeat':
      return cron.trim() !== ''
  }
}

// Undefined: now, which is no schedule.
export function toTimingInput({
  when,
  sendAt,
  cron,
  timezone,
}: Timing): Pick<ScheduleInput, 'send_at' | 'recurrence'> | undefined {
  switch (when) {
    case 'now':
      return undefined
    case 'once':
      return { send_at: new Date(sendAt).toISOString() }
    case 'repeat':
      return { recurrence: { cron, timezone } }
  }
}
