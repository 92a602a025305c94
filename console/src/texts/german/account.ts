// German texts about access to the account: sessions, and the part of the server that everyone may see.
import type { ENGLISH } from '../account.ts'

export const ACCOUNT: typeof ENGLISH = {
  sessions: {
    title: 'Sitzungen',
    intro: 'Wo Sie angemeldet sind. Die Schlüssel von Programmen stehen auf der Seite Schlüssel.',
    link: 'Wo Sie angemeldet sind',
    kinds: { console: 'Browser', device: 'Gerät', token: 'Token eines Programms' },
    unnamed: { console: 'Ein Browser', device: 'Ein Gerät', token: 'Ein Programm' },
    current: 'Diese Sitzung',
    created: 'Angemeldet',
    lastUsed: 'verwendet',
    neverUsed: 'nie verwendet',
    end: 'Beenden',
    endOf: (name) => `Sitzung von ${name} beenden`,
    endTitle: (name) => `Sitzung von ${name} beenden?`,
    endText: 'Sie wird sofort abgemeldet. Um sie wieder zu verwenden, dort mit einem neuen Link anmelden.',
    ended: 'Die Sitzung ist beendet.',
    everywhere: 'Überall abmelden',
    endOthers: 'Überall sonst abmelden',
    endOthersTitle: 'Überall sonst abmelden?',
    endOthersText:
      'Alle anderen Browser, Geräte und Token werden sofort abgemeldet. Schlüssel von Programmen gelten weiter.',
    endedOthers: (count) => (count === 1 ? '1 Sitzung wurde beendet.' : `${count} Sitzungen wurden beendet.`),
    endAll: 'Überall abmelden, auch hier',
    endAllTitle: 'Überall abmelden, auch hier?',
    endAllText:
      'Alle Sitzungen enden, auch diese. Für die Rückkehr brauchen Sie einen neuen Anmeldelink vom Server. Schlüssel von Programmen gelten weiter.',
    onlyThis: 'Sie sind sonst nirgends angemeldet.',
  },
}
