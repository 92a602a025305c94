// German texts of the page of schedules, and of the fields for when a notification is sent.
import type { Pattern } from '../../schedules/pattern.ts'
import type { ENGLISH } from '../schedules.ts'
import * as TERMS from './page-terms.ts'

const WEEKDAYS = ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag']

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const patternInWords = ({ kind, time, weekdays, day, cron }: Pattern): string => {
  switch (kind) {
    case 'daily':
      return `Täglich um ${time}`
    case 'weekdays':
      return `Werktags um ${time}`
    case 'weekly':
      return `${sentence(weekdays.map((weekday) => `${WEEKDAYS[weekday]?.toLowerCase()}s`).join(', '))} um ${time}`
    case 'monthly':
      return `Jeden Monat am ${day}. um ${time}`
    case 'custom':
      return `Nach dem Muster ${cron}`
  }
}

export const SCHEDULES: typeof ENGLISH = {
  intro: 'Geplante und wiederkehrende Benachrichtigungen.',
  status: 'Anzeigen',
  statuses: TERMS.SCHEDULE_STATUSES,
  none: {
    scheduled: 'Nichts ist geplant.',
    sent: 'In den letzten sieben Tagen wurde nichts gesendet.',
    failed: 'In den letzten sieben Tagen ist nichts fehlgeschlagen.',
    canceled: 'In den letzten 24 Stunden wurde nichts storniert.',
  },
  create: 'Neuer Zeitplan',
  createTitle: 'Neuer Zeitplan',
  editTitle: 'Zeitplan bearbeiten',
  changed: 'Der Zeitplan wurde geändert.',
  missing: 'Diesen Zeitplan gibt es nicht.',
  toList: 'Zu den Zeitplänen',
  when: 'Wann',
  whenChoices: { now: 'Jetzt', once: 'Später', repeat: 'Wiederholt' },
  sendAt: 'Senden am',
  timezone: 'Zeitzone',
  pattern: {
    repeats: 'Wiederholung',
    kinds: {
      daily: 'Täglich',
      weekdays: 'Werktags',
      weekly: 'Jede Woche am …',
      monthly: 'Jeden Monat am …',
      custom: 'Eigenes Muster (cron)',
    },
    time: 'Uhrzeit',
    weekdays: 'Am',
    weekdayNames: WEEKDAYS,
    day: 'Tag des Monats',
    skipsMonths: (day) => `Monate ohne den ${day}. werden ausgelassen.`,
    cron: 'Muster (cron)',
    cronHint: 'Minute, Stunde, Tag, Monat, Wochentag: „0 8 * * 1-5“ ist um 8:00 Uhr von Montag bis Freitag.',
  },
  patternInWords,
  series: (pattern, zone) => `${patternInWords(pattern)}, ${zone}`,
  nextHere: (at) => `als Nächstes ${at} Ortszeit`,
  next: 'Die nächsten zehn Zeiten',
  clocksChanged: 'Zeitumstellung',
  encrypted: 'Verschlüsselte Benachrichtigung',
  repeats: 'Wiederholt',
  paused: 'Angehalten',
  occurrences: (sent, count) => (count ? `${sent} von ${count} gesendet` : `${sent} gesendet`),
  open: 'Öffnen',
  pause: 'Anhalten',
  pausedNow: 'Der Zeitplan ist angehalten: Nichts wird gesendet, bis Sie ihn fortsetzen.',
  resume: 'Fortsetzen',
  resumedNow: 'Der Zeitplan läuft weiter.',
  sendNow: 'Jetzt senden',
  sendNowTitle: (title) => `„${title}“ jetzt senden?`,
  sendNowText: {
    once: 'Sie wird sofort statt zu ihrer Zeit gesendet.',
    series: 'Sie wird einmal zusätzlich gesendet. Die Serie läuft unverändert weiter.',
  },
  duplicate: 'Duplizieren',
  cancel: 'Stornieren',
  cancelTitle: 'Diesen Zeitplan stornieren?',
  remove: 'Entfernen',
  removeTitle: 'Diesen Eintrag entfernen?',
  sent: 'Gesendet',
  canceled: 'Storniert',
  deliveries: TERMS.DELIVERIES,
  failures: TERMS.SCHEDULE_FAILURES,
}
