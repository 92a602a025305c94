// Texts of quiet hours.
import type { QuietHoursView } from '../../../src/contract/holds.ts'
import { inLanguage } from '../language.ts'
import { QUIET_HOURS } from './german/quiet-hours.ts'

const PASSES: Record<QuietHoursView['passes'], string> = {
  'time-sensitive': 'Time-sensitive and critical messages',
  critical: 'Critical messages only',
}

export const ENGLISH = {
  intro: 'Your devices stay silent. Messages are stored in the inbox.',
  now: 'Right now',
  notQuietNow: 'Your devices are not silenced.',
  quietUntil: (until: string) => `Your devices stay silent until ${until}.`,
  until: 'Do not disturb',
  doNotDisturb: (choice: string) => `Do not disturb: ${choice}`,
  set: 'Do not disturb',
  end: 'End it now',
  ended: '“Do not disturb” has ended.',
  week: 'Every week',
  none: 'No hours are quiet. Choose them, for example from 22:00 to 07:00.',
  create: 'Set quiet hours',
  everyDay: 'Every day',
  window: (days: string, from: string, to: string, isNextDay: boolean) =>
    `${days}: ${from} to ${to}${isNextDay ? ' the next day' : ''}`,
  notQuiet: 'not quiet',
  windowNumber: (number: number) => `Window ${number}`,
  addWindow: 'Add a window',
  removeWindow: (number: number) => `Remove window ${number}`,
  from: 'From',
  to: 'To',
  toNextDay: 'To, the next day',
  zone: 'Time zone',
  passes: 'Passes all the same',
  passesHint: 'Alerts that ask to be acknowledged always pass.',
  passesChoices: PASSES,
  digest: 'At the end, one push tells what is unread',
  digestTitle: 'At the end',
  digestOn: 'One push tells what is unread',
  digestOff: 'No push',
  saved: 'The quiet hours were saved.',
  remove: 'Turn off',
  removed: 'The quiet hours are turned off.',
}

export const QUIET_HOURS_TEXTS = inLanguage({ en: ENGLISH, de: QUIET_HOURS })
