// German texts of the page of the signed-out, of invitations that make an account, and of the page that approves a sign-in.
import type { ENGLISH } from '../ways-in.ts'

const codeInvalid =
  'Diese Einladung gilt nicht mehr. Sie ist verbraucht, abgelaufen oder gelöscht. Bitten Sie um eine neue.'

export const WAYS_IN: typeof ENGLISH = {
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
      'invitation.invalid': codeInvalid,
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
