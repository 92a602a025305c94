// German texts of the page that adds a phone, a computer or a terminal.
import type { ENGLISH } from '../phones.ts'

const toHomeScreen: typeof ENGLISH.install.steps = [
  { picture: 'share', text: 'Teilen antippen, dann „Zum Home-Bildschirm“.' },
  { picture: 'app', text: 'Heliograph vom Home-Bildschirm öffnen und den Link einfügen.' },
  { picture: 'bell', text: '„Diesen Browser hinzufügen“ antippen und Benachrichtigungen erlauben.' },
]

export const PHONES: typeof ENGLISH = {
  title: 'Telefon hinzufügen',
  open: 'Telefon hinzufügen',
  intro: 'Wählen Sie, was Ihre Benachrichtigungen anzeigen soll.',
  back: 'Alle Geräte',
  choose: 'Art des Geräts',
  kinds: {
    iphone: { name: 'iPhone oder iPad', text: 'Die Bark-App, oder diese Konsole auf dem Home-Bildschirm' },
    android: { name: 'Android', text: 'Die ntfy-App, die Gotify-App oder diese Konsole' },
    computer: { name: 'Computer', text: 'Diese Konsole in einem Browser' },
    terminal: { name: 'Terminal', text: 'Der Befehl heliograph' },
  },
  chooseApp: 'App',
  apps: {
    ntfy: {
      name: 'ntfy-App',
      text: 'Schaltflächen antworten aus der Benachrichtigung. Banner verschwinden, wenn sie anderswo gelesen werden.',
    },
    gotify: { name: 'Gotify-App', text: 'Zeigt Nachrichten; Schaltflächen öffnen eine Seite.' },
    bark: { name: 'Bark-App', text: 'Echte Pushes, kritische Alarme. Antippen öffnet eine Seite zum Antworten.' },
    console: { name: 'Diese Konsole', text: 'Keine App aus einem Store. Braucht HTTPS.' },
  },
  compare: 'Was jede App kann, und wer eine Nachricht sonst sieht',
  abilities: {
    buttons: {
      name: 'Schaltflächen im Banner',
      console: 'auf Android und Computern',
      bark: 'nein: Antippen öffnet eine Seite',
      ntfy: 'ja',
      gotify: 'nein: Antippen öffnet eine Seite',
      own: 'ja',
    },
    replies: {
      name: 'getippte Antworten',
      console: 'wo der Browser ein Feld hat, sonst in der Konsole',
      bark: 'auf dieser Seite',
      ntfy: 'auf einer Seite',
      gotify: 'auf einer Seite',
      own: 'ja',
    },
    withdrawal: {
      name: 'verschwindet, wenn anderswo gelesen',
      console: 'ja',
      bark: 'mit Hintergrundaktualisierung',
      ntfy: 'ja',
      gotify: 'nein',
      own: 'ja',
    },
    critical: {
      name: 'klingelt trotz Stummschaltung (kritisch)',
      console: 'nein',
      bark: 'ja',
      ntfy: 'wie für Priorität 5 eingestellt',
      gotify: 'wie für Priorität 10 eingestellt',
      own: 'mit Erlaubnis von Apple',
    },
    repeats: {
      name: 'wiederholt bis zur Bestätigung',
      console: 'ja',
      bark: 'ja',
      ntfy: 'ja',
      gotify: 'ja',
      own: 'ja',
    },
    activities: {
      name: 'Live-Aktivitäten',
      console: 'als Banner',
      bark: 'als stille Nachricht, wenn eingeschaltet',
      ntfy: 'als eine Nachricht, die sich ändert',
      gotify: 'nein',
      own: 'auf dem Sperrbildschirm',
    },
    files: {
      name: 'Dateien',
      console: 'Bilder und Links',
      bark: 'ein Bild; andere auf der Seite',
      ntfy: 'eine, andere als Schaltflächen',
      gotify: 'ein Bild, andere als Links',
      own: 'wie Ihre App sie zeigt',
    },
    widgets: { name: 'Widgets', console: 'auf der Wand', bark: 'nein', ntfy: 'nein', gotify: 'nein', own: 'ja' },
    google: {
      name: 'braucht ein Google-Konto',
      console: 'für Pushes an Chrome',
      bark: 'nein',
      ntfy: 'nein',
      gotify: 'nein',
      own: 'nein',
    },
    privacy: {
      name: 'wer eine Nachricht sonst sieht',
      console: 'niemand: Web Push ist verschlüsselt',
      bark: 'Apple und der Betreiber eines bark-servers; niemand, wenn sie für die App verschlüsselt ist',
      ntfy: 'niemand',
      gotify: 'niemand',
      own: 'Apple',
    },
    sealed: {
      name: 'Ende-zu-Ende-verschlüsselte Nachrichten',
      console: 'lesbar',
      bark: 'ein Platzhalter mit Link',
      ntfy: 'ein Platzhalter',
      gotify: 'ein Platzhalter',
      own: 'lesbar',
    },
  },
  bark: {
    suggestedName: 'iPhone mit Bark',
    way: 'Weg der Pushes',
    ways: { server: 'Über einen bark-server', direct: 'Direkt' },
    wayTexts: {
      server:
        'Bark aus dem App Store installieren und die Adresse einfügen, die die App zeigt. Der Betreiber jenes Servers sieht jede Nachricht, wenn sie nicht verschlüsselt ist.',
      direct:
        'Das Telefon meldet sich bei diesem Server an. Der Betreiber braucht dafür die Schlüsseldatei der Bark-App.',
    },
    address: 'Adresse in der Bark-App, zum Beispiel https://api.day.app/…/',
    encryption: 'Verschlüsselung',
    encryptions: { on: 'Für die App verschlüsseln', off: 'Nicht verschlüsseln' },
    create: 'Telefon hinzufügen',
    server: 'Server für die Bark-App',
    qr: 'QR-Code mit dem Server',
    key: 'Schlüssel der Verschlüsselung',
    keyText:
      'In der Bark-App unter „Settings“, „Encryption“: AES256 und GCM wählen, den Schlüssel eintragen. Er wird nur jetzt angezeigt.',
    once: 'Den Code innerhalb von zehn Minuten in der Bark-App scannen (Wolke oben, dann +). Die Adresse gilt für ein Telefon.',
    waiting: 'Dies wird grün, sobald das Telefon verbunden ist.',
    through: (host) => `Pushes laufen über ${host}.`,
    pending: (from) => `Ein anderes Telefon (${from}) möchte seinen Platz einnehmen.`,
    allow: 'Erlauben',
    notConnected: 'Zurzeit wird nichts dorthin geschickt.',
    retry: 'Erneut versuchen',
  },
  name: 'Name des Telefons',
  suggestedName: { ntfy: 'Telefon mit ntfy', gotify: 'Telefon mit Gotify' },
  create: 'Adresse und Passwort anzeigen',
  address: 'Adresse',
  user: 'Benutzername',
  password: 'Passwort',
  topic: 'Thema',
  once: 'Das Passwort wird nur jetzt angezeigt. Es gehört allein zu diesem Telefon: Um es zu widerrufen, das Gerät entfernen.',
  qr: 'QR-Code mit Adresse, Benutzername und Passwort als Text',
  qrHint: 'Mit der Kamera des Telefons gescannt, zeigt er diese Zeilen als Text zum Kopieren.',
  scan: {
    qr: 'QR-Code, der die ntfy-App einrichtet',
    steps: [
      '„ntfy“ aus F-Droid oder Google Play installieren, falls das Telefon es nicht hat.',
      'Den Code mit der Kamera scannen und die Seite öffnen.',
      '„In der ntfy-App abonnieren“ antippen und Benachrichtigungen erlauben.',
    ],
    typed: 'Stattdessen eintippen',
  },
  openInApp: {
    lead: 'Die Benachrichtigungen Ihres Kontos in der ntfy-App dieses Telefons erhalten.',
    open: 'In der ntfy-App abonnieren',
    install: 'Es passiert nichts? Installieren Sie zuerst die App und kommen Sie dann zurück:',
    warning: 'Diese Seite enthält ein Passwort: Zeigen Sie sie niemandem.',
  },
  stepsTitle: 'Auf dem Telefon',
  steps: {
    ntfy: (topic) => [
      '„ntfy“ aus F-Droid oder Google Play installieren und öffnen.',
      `+ antippen, das Thema „${topic}“ eingeben, „Anderen Server verwenden“ ankreuzen und die Adresse eingeben.`,
      '„Abonnieren“ antippen. Die App fragt nach Benutzername und Passwort.',
    ],
    gotify: [
      '„Gotify“ aus F-Droid oder Google Play installieren und öffnen.',
      'Die Adresse eingeben und „Check URL“ antippen.',
      'Benutzername und Passwort eingeben und „Login“ antippen.',
      'Benachrichtigungen und uneingeschränkte Akkunutzung erlauben, wenn die App danach fragt.',
    ],
    iphone: [
      {
        picture: 'open',
        text: 'Den Code mit der Kamera scannen. Safari öffnet sich, angemeldet; den angebotenen Link kopieren.',
      },
      ...toHomeScreen,
    ],
    android: [
      { picture: 'open', text: 'Den Code mit der Kamera scannen. Der Browser öffnet sich, angemeldet.' },
      { picture: 'bell', text: '„Diesen Browser hinzufügen“ antippen und Benachrichtigungen erlauben.' },
      {
        picture: 'menu',
        text: 'Für ein Symbol: das Menü öffnen, „App installieren“ oder „Zum Startbildschirm hinzufügen“ antippen.',
      },
      { picture: 'app', text: 'Heliograph vom Startbildschirm öffnen.' },
    ],
  },
  consoleAddress: 'Adresse dieser Konsole',
  signInQr: 'QR-Code mit einem Anmeldelink',
  signInLink: 'Anmeldelink',
  codeText:
    'Den Code mit der Kamera des Telefons scannen. Er meldet einmal an Ihrem Konto an: Zeigen Sie ihn niemandem sonst.',
  codeTime: 'Gültig für',
  codeExpired: 'Der Code ist abgelaufen.',
  codeUsed: 'Der Code wurde verwendet.',
  newCode: 'Neuer Code',
  showAnyway: 'Code trotzdem anzeigen',
  fixes: 'Geben Sie dem Server auf eine dieser Arten eine HTTPS-Adresse, und starten Sie ihn mit dieser Adresse:',
  httpsCommands: (port) => [
    {
      name: 'Caddy, für einen Server mit öffentlichem Namen',
      command: `caddy reverse-proxy --from push.example.org --to 127.0.0.1:${port}`,
    },
    { name: 'Tailscale, nur für Ihre eigenen Geräte', command: `tailscale serve --bg ${port}` },
  ],
  httpsStart: 'Danach, mit der Adresse von einem der beiden',
  waitingSignIn: 'Das ändert sich von selbst, sobald sich jemand mit dem Code anmeldet.',
  someBrowser: 'Ein Browser',
  signedIn: (name) => `${name} ist angemeldet`,
  signedInText: 'Dort „Diesen Browser hinzufügen“ drücken und Benachrichtigungen erlauben.',
  install: {
    title: 'Heliograph auf den Home-Bildschirm legen',
    text: 'Auf einem iPhone oder iPad empfangen nur Apps auf dem Home-Bildschirm Benachrichtigungen. Die App dort hat eine eigene Sitzung: Kopieren Sie zuerst diesen Link für sie.',
    steps: toHomeScreen,
  },
  computerText: 'Diese Adresse im Browser des Computers öffnen, anmelden und diesen Browser unter Geräte hinzufügen.',
  computerHere:
    'Für den Browser, den Sie gerade verwenden, zurück zu den Geräten gehen und „Diesen Browser hinzufügen“ wählen.',
  terminalText:
    'Der erste Befehl installiert die Befehlszeile von diesem Server; er braucht Node.js. Der zweite meldet einmalig an, mit einem Link von „heliograph signin“ oder mit einem Token. Der dritte gibt jede Benachrichtigung aus, sobald sie ankommt.',
  waiting: 'Wartet auf das Telefon …',
  waitingText: 'Das ändert sich von selbst, sobald sich die App verbunden hat.',
  connected: (name) => `„${name}“ ist verbunden`,
  connectedText: 'Es empfängt ab jetzt Ihre Benachrichtigungen.',
  test: 'Test senden',
  testSent: 'Ein Test ist unterwegs.',
  testTitle: 'Es funktioniert',
  testBody: 'So kommen Ihre Benachrichtigungen an.',
  done: 'Fertig',
  loopback: {
    app: (url) => `Ein Telefon kann ${url} nicht erreichen: Diese Adresse bezeichnet das Telefon selbst.`,
    browser: (url) => `Ein Telefon kann ${url} nicht erreichen: Diese Adresse bezeichnet das Telefon selbst.`,
    program: (url) =>
      `${url} gilt nur für Programme auf dem Rechner dieses Servers, und nicht in einem Container darauf. Anderswo bezeichnet die Adresse den anderen Rechner.`,
    person: (url) => `Andere können ${url} nicht öffnen: Diese Adresse bezeichnet ihr eigenes Gerät.`,
    internet: (url) =>
      `Dieses Programm läuft anderswo und kann ${url} nicht erreichen: Diese Adresse bezeichnet seinen eigenen Rechner.`,
  },
  plainHttp: {
    app: 'Die Adresse beginnt mit http://, daher geht alles, auch das Passwort, unverschlüsselt durch das Netz. Tun Sie das nur in Ihrem eigenen Netz.',
    browser:
      'Browser auf Telefonen erlauben Benachrichtigungen nur über HTTPS. Unter dieser http://-Adresse öffnet sich die Konsole auf dem Telefon, kann aber nichts empfangen. Verwenden Sie stattdessen eine der Apps, oder stellen Sie den Server zuerst hinter HTTPS.',
    program: undefined,
    person: undefined,
    internet:
      'Dieses Programm läuft im Internet. Es braucht eine https://-Adresse, die von dort erreichbar ist, und keine Ihres eigenen Netzes.',
  },
  askOperator: 'Fragen Sie die Person, die diesen Server betreibt, unter welcher Adresse andere Geräte ihn erreichen.',
  startWith: {
    command: 'Der Server ist nur auf seinem eigenen Rechner erreichbar. Starten Sie ihn mit:',
    checkout: 'Der Server ist nur auf seinem eigenen Rechner erreichbar. Starten Sie ihn mit:',
    container:
      'Der Port des Containers ist nur auf seinem eigenen Rechner veröffentlicht. Veröffentlichen Sie ihn für andere:',
    systemd:
      'Der Server ist nur auf seinem eigenen Rechner erreichbar. Ergänzen Sie dies in /etc/heliograph/heliograph.env und starten Sie die Unit heliograph-serve@PORT neu:',
  },
  startLabel: 'Server für andere Geräte starten',
  openAt: (isReady) =>
    isReady
      ? 'Andere Geräte in Ihrem Netz erreichen ihn hier. Öffnen Sie dort diese Seite:'
      : 'Öffnen Sie diese Seite dann unter:',
  openAtHost: 'Öffnen Sie diese Seite dann unter der Adresse des Rechners, oder setzen Sie HELIOGRAPH_PUBLIC_URL.',
}
