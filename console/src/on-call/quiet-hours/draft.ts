// Quiet hours as a form edits them.
import type { QuietHoursInput, QuietHoursView, QuietWindow } from '../../../../src/contract/holds.ts'
import { WEEKDAYS } from './week.ts'

export type QuietHoursDraft = Required<QuietHoursInput>

export const NEW_WINDOW: QuietWindow = { days: [...WEEKDAYS], from: '22:00', to: '07:00' }

export const MOST_WINDOWS = 7

// Without windows the time zone of the server's answer is a default; that of the browser is the likelier one.
export function draftOf({ timezone, windows, passes, digest }: QuietHoursView, ofBrowser: string): QuietHoursDraft {
  if (windows.length === 0) return { timezone: ofBrowser, windows: [NEW_WINDOW], passes, digest }
  return { timezone, windows, passes, digest }
}

// A window needs a day. Browsers report a time that is typed in part as empty.
export const isComplete = ({ windows }: QuietHoursDraft): boolean =>
  windows.every(({ days, from, to }) => days.length > 0 && from !== '' && to !== '')
