// Texts of the page of schedules, and of the fields for when a notification is sent.
import { inLanguage } from '../language.ts'
import type { Pattern } from '../schedules/pattern.ts'
import { SCHEDULES } from './german/schedules.ts'
import * as TERMS from './page-terms.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const patternInWords = ({ kind, time, weekdays, day, cron }: Pattern): string => {
  switch (kind) {
    case 'daily':
      return `Every day at ${time}`
    case 'weekdays':
      return `Weekdays at ${time}`
    case 'weekly':
      return `${weekdays.map((weekday) => `${WEEKDAYS[weekday]}s`).join(', ')} at ${time}`
    case 'monthly':
      return `Day ${day} of every month at ${time}`
    case 'custom':
      return `By the pattern ${cron}`
  }
}

export const ENGLISH = {
  intro: 'Scheduled and recurring notifications.',
  status: 'Show',
  statuses: TERMS.SCHEDULE_STATUSES,
  none: {
    scheduled: 'No schedule is pending.',
    sent: 'Nothing was sent in the last seven days.',
    failed: 'Nothing has failed in the last seven days.',
    canceled: 'Nothing was canceled in the last 24 hours.',
  },
  create: 'New schedule',
  createTitle: 'New schedule',
  editTitle: 'Edit the schedule',
  changed: 'The schedule was changed.',
  missing: 'There is no such schedule.',
  toList: 'To the schedules',
  when: 'When',
  whenChoices: { now: 'Now', once: 'Later', repeat: 'Repeat' },
  sendAt: 'Send at',
  timezone: 'Time zone',
  pattern: {
    repeats: 'Repeats',
    kinds: {
      daily: 'Every day',
      weekdays: 'Weekdays',
      weekly: 'Every week on…',
      monthly: 'Every month on…',
      custom: 'Custom (cron)',
    },
    time: 'Time',
    weekdays: 'On',
    weekdayNames: WEEKDAYS,
    day: 'Day of the month',
    skipsMonths: (day: number) => `Months without day ${day} are left out.`,
    cron: 'Pattern (cron)',
    cronHint: 'Minute, hour, day, month, weekday: “0 8 * * 1-5” is at 8:00 from Monday to Friday.',
  },
  patternInWords,
  // What a card says about a series: the pattern, its time zone and the next time where the person is.
  series: (pattern: Pattern, zone: string) => `${patternInWords(pattern)}, ${zone}`,
  nextHere: (at: string) => `next ${at} your time`,
  next: 'The next ten times',
  clocksChanged: 'clock change',
  encrypted: 'Encrypted notification',
  repeats: 'Repeats',
  paused: 'Paused',
  occurrences: (sent: number, count?: number) => (count ? `${sent} of ${count} sent` : `${sent} sent`),
  open: 'Open',
  pause: 'Pause',
  pausedNow: 'The schedule is paused: nothing is sent until you resume it.',
  resume: 'Resume',
  resumedNow: 'The schedule goes on.',
  sendNow: 'Send now',
  sendNowTitle: (title: string) => `Send “${title}” now?`,
  sendNowText: {
    once: 'It is sent immediately instead of at its time.',
    series: 'It is sent once more. The series goes on unchanged.',
  },
  duplicate: 'Duplicate',
  cancel: 'Cancel it',
  cancelTitle: 'Cancel this schedule?',
  remove: 'Remove',
  removeTitle: 'Remove this record?',
  sent: 'Sent',
  canceled: 'Canceled',
  deliveries: TERMS.DELIVERIES,
  failures: TERMS.SCHEDULE_FAILURES,
}

export const SCHEDULE_TEXTS = inLanguage({ en: ENGLISH, de: SCHEDULES })
