// German texts of snoozing and muting.
import type { ENGLISH } from '../quiet.ts'

const MUTE_CHOICES: typeof ENGLISH.muteChoices = { 1: '1 Stunde', 8: '8 Stunden', 24: '1 Tag', 168: '1 Woche' }

export const QUIET: typeof ENGLISH = {
  title: 'Zurückstellen oder stummschalten',
  snooze: 'Diese Benachrichtigung zurückstellen',
  snoozeChoices: { hour: 'Für eine Stunde', evening: 'Bis heute Abend', tomorrow: 'Bis morgen' },
  rings: 'Dieser Alarm wiederholt sich noch. Zuerst bestätigen oder beenden.',
  muteTitle: {
    source: (name) => `Alles von ${name} stummschalten`,
    thread: (name) => `Den Thread ${name} stummschalten`,
    key: (name) => `Alles stummschalten, was mit dem Schlüssel ${name} gesendet wird`,
  },
  mute: 'Stummschalten',
  muteChoices: MUTE_CHOICES,
  muteFor: (name, hours) => `${name} stummschalten, ${MUTE_CHOICES[hours]} lang`,
  untilTime: 'Bis…',
  until: 'Bis',
  muteUntilTime: (name) => `${name} bis zu einer Zeit stummschalten`,
  muteText:
    'Was stummgeschaltet ist, kommt in den Posteingang und wird nicht gepusht. Kritische Benachrichtigungen und Alarme werden trotzdem gepusht.',
  muted: (name, until) => `${name} ist bis ${until} stummgeschaltet.`,
  mutedUntil: (until) => `Stummgeschaltet bis ${until}`,
  list: 'Stummgeschaltet',
  kinds: { source: 'Quelle', thread: 'Thread', key: 'Schlüssel' },
  end: 'Beenden',
  endOf: (name) => `Stummschaltung von ${name} beenden`,
  ended: 'Die Stummschaltung ist beendet.',
  storm: {
    label: 'Pushes pro Minute, höchstens',
    hint: 'Weitere Nachrichten werden gespeichert und nicht gepusht; ein Push pro Minute nennt ihre Zahl. Leer: keine Grenze.',
    range: (least, most) => `Eine ganze Zahl von ${least} bis ${most}.`,
    atMost: (limit) => `Höchstens ${limit} ${limit === 1 ? 'Push' : 'Pushes'} pro Minute`,
    none: 'Keine Grenze',
  },
  held: {
    muted: 'Nicht gepusht: Quelle, Thread oder Schlüssel waren stummgeschaltet.',
    quietHours: (until) => `Nicht gepusht: Die Ruhezeit hielt sie bis ${until} zurück.`,
    storm: (limit) => `Nicht gepusht: Der Absender hatte mehr als ${limit} Pushes in einer Minute gesendet.`,
  },
}
