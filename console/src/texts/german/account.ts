// German texts about access to the account, sessions and passkeys, and of the command palette.
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
  palette: {
    title: 'Befehle',
    placeholder: 'Zu einer Seite gehen, etwas tun oder suchen …',
    newKey: 'Neuer Schlüssel',
    newHeartbeat: 'Neuer Heartbeat',
    newEscalation: 'Neuer Eskalationsplan',
    addPhone: 'Telefon hinzufügen',
    theme: (name) => `Farbschema: ${name}`,
    search: (text) => `Den Posteingang nach „${text}“ durchsuchen`,
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel anmelden statt mit einem Link. Der Link funktioniert weiterhin.',
    unavailable: (origin) =>
      `Browser bieten Passkeys nur unter einer https-Adresse mit Hostnamen an, oder unter http://localhost. Diese Seite hat die Adresse ${origin}.`,
    name: 'Name des neuen Passkeys',
    nameHint: 'Zum Beispiel das Gerät, auf dem er gespeichert ist.',
    add: 'Passkey hinzufügen',
    added: 'Sie können sich jetzt mit diesem Passkey anmelden.',
    synced: 'Synchronisiert',
    oneDevice: 'Auf einem Gerät',
    created: 'hinzugefügt',
    lastUsed: 'verwendet',
    neverUsed: 'nie verwendet',
    remove: 'Entfernen',
    removeOf: (name) => `Den Passkey ${name} entfernen`,
    removeTitle: (name) => `Den Passkey „${name}“ entfernen?`,
    removeText:
      'Niemand kann sich mehr mit ihm anmelden. Löschen Sie ihn auch auf seinem Gerät. Offene Sitzungen bleiben offen.',
    registeredAlready: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
    notDone:
      'Der Browser hat keinen Passkey verwendet: Der Vorgang wurde abgebrochen, dauerte zu lange, oder es gibt keinen für diesen Server.',
  },
}
