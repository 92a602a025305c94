// German texts about access to the account, sessions and passkeys, and of the command palette.
import type { ENGLISH } from '../account.ts'

const invitationInvalid =
  'Diese Einladung gilt nicht mehr. Sie ist verbraucht, abgelaufen oder gelöscht. Bitten Sie um eine neue.'

const WAYS_IN: typeof ENGLISH.waysIn = {
  passkey: 'Mit einem Passkey anmelden',
  device: {
    open: 'Auf einem anderen Gerät bestätigen',
    lead: 'Geben Sie diesen Code auf einem Gerät ein, auf dem Sie angemeldet sind:',
    steps: [
      'Dort Heliograph öffnen, dann „Einstellungen“ und „Anmeldung bestätigen“.',
      'Den Code eingeben. Die Seite zeigt ihn noch einmal, mit dem Namen dieses Browsers.',
      '„Bestätigen“ drücken. Diese Seite öffnet dann Ihren Posteingang.',
    ],
    waiting: 'Warten auf Ihre Bestätigung.',
    ended: 'Die Anfrage wurde abgelehnt oder ist abgelaufen.',
    again: 'Noch einmal anfragen',
    back: 'Andere Wege zur Anmeldung',
    signedInAs: (name) => (name ? `Sie sind als ${name} angemeldet.` : 'Sie sind angemeldet.'),
  },
  email: {
    field: 'Ihre E-Mail-Adresse',
    send: 'Link per E-Mail senden',
    choose: 'Anmelde-Links hierhin senden',
    chosen: 'Anmelde-Links werden hierhin gesendet',
    unchoose: 'Keine Anmelde-Links mehr',
    chooseTitle: (address) => `Anmelde-Links an ${address} senden?`,
    chooseText: 'Nur für eine eigene Adresse: Wer sie liest, kann sich an Ihrem Konto anmelden.',
    sent: 'Wenn diese Adresse sich anmelden darf, ist ein Link unterwegs. Er gilt zehn Minuten.',
  },
  link: {
    paste: 'Einen einmaligen Link einfügen',
    placeholder: 'https://…/app/#signin=…',
    submit: 'Anmelden',
  },
  terminal: {
    title: 'Mit dem Terminal des Servers',
    text: {
      command: 'Auf dem Server ausführen. Der Befehl gibt einen Link aus:',
      checkout: 'Im Ordner des Checkouts ausführen. Der Befehl gibt einen Link aus:',
      container: 'Auf dem Rechner des Containers ausführen, mit dessen Namen. Der Befehl gibt einen Link aus:',
      systemd: 'Auf dem Server ausführen. Der Befehl gibt einen Link aus:',
    },
    command: 'Befehl',
    user: 'Er gilt für das erste Konto, mit „--user NAME“ für ein anderes.',
  },
  invited: {
    organization: (name) => `Sie sind zu „${name}“ eingeladen.`,
    share: (owner, what) => `${owner ?? 'Jemand'} teilt „${what}“ mit Ihnen.`,
    name: 'Ihr Name',
    nameHint: 'So sehen andere Sie.',
    join: 'Beitreten',
    hasAccount: 'Ich habe hier ein Konto',
    toJoin: 'Melden Sie sich an, um beizutreten.',
    needsAccount:
      'Melden Sie sich an, um es zu sehen. Ohne Konto hier bitten Sie die Person, die diesen Server betreibt, um eines.',
    refusals: {
      'invitation.invalid': invitationInvalid,
      'invitation.limit_exceeded':
        'Die Person, die Sie eingeladen hat, kann diesem Server keine weiteren Konten hinzufügen. Der Betreiber kann die Grenze erhöhen.',
      'rate_limit.exceeded': 'Zu viele Versuche aus Ihrem Netz. Versuchen Sie es später noch einmal.',
    },
  },
  keep: {
    lead: 'Sie sind beigetreten. Wie möchten Sie sich beim nächsten Mal anmelden?',
    again: 'Sie haben Ihren aufbewahrten Link benutzt. Wie möchten Sie sich beim nächsten Mal anmelden?',
    passkey: 'Passkey auf diesem Gerät anlegen',
    link: 'Link zum Aufbewahren',
    later: 'Später',
    linkText:
      'Dieser Link meldet Sie einmal an, zu beliebiger Zeit. Bewahren Sie ihn wie ein Passwort auf: Er wird nur jetzt gezeigt.',
    linkLabel: 'Link zum Aufbewahren',
    kept: 'Ich habe ihn gespeichert',
  },
  approve: {
    open: 'Anmeldung bestätigen',
    openText: 'Ein neuer Browser, der um Bestätigung bittet, zeigt einen Code.',
    title: 'Anmeldung bestätigen',
    intro: 'Einen Browser anmelden, der einen Code zeigt.',
    code: 'Code des anderen Bildschirms',
    codeHint: 'Sechs Zeichen, etwa K7Q-W2M.',
    find: 'Weiter',
    notFound:
      'Kein Browser wartet mit diesem Code. Er ist vertippt oder abgelaufen: Sehen Sie auf dem anderen Bildschirm nach.',
    question: 'Zeigt der andere Bildschirm diesen Code?',
    browser: 'Browser',
    unknownBrowser: 'Unbekannt',
    address: 'Fragt aus',
    asked: 'Gefragt',
    sameNetwork: 'Er ist im selben Netz wie Sie.',
    otherNetwork: 'Er ist in einem anderen Netz als Sie. Wenn Sie das Gerät nicht vor sich haben, lehnen Sie ab.',
    warning: 'Er bekommt vollen Zugriff auf Ihr Konto. Bestätigen Sie nie einen Code, den Ihnen jemand geschickt hat.',
    yes: 'Bestätigen',
    no: 'Ablehnen',
    approved: 'Bestätigt. Der andere Browser meldet sich jetzt an.',
    refused: 'Abgelehnt. Niemand kann diesen Code mehr benutzen.',
  },
}

export const ACCOUNT: typeof ENGLISH = {
  waysIn: WAYS_IN,
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
