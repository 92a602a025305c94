// German texts of the first run: the checklist in the inbox, and the programs that it connects.
import type { ENGLISH } from '../first-run.ts'

export const FIRST_RUN: typeof ENGLISH = {
  title: 'Erste Schritte',
  intro: 'Vom leeren Posteingang zu einer Benachrichtigung auf Ihrem Telefon.',
  progress: (done, all) => `${done} von ${all} erledigt`,
  ready: 'Alles ist eingerichtet.',
  hide: 'Ausblenden',
  isDone: 'Erledigt:',
  send: {
    title: 'Die erste Benachrichtigung senden',
    text: 'Mit zwei Schaltflächen, so wie eines Ihrer Programme sie senden würde.',
    done: 'Sie ist in Ihrem Posteingang. Öffnen Sie sie und drücken Sie eine Schaltfläche: Ein Programm bekäme Ihre Antwort.',
    button: 'Jetzt senden',
    again: 'Noch eine senden',
    show: 'Öffnen',
    curl: 'Dasselbe mit curl',
    curlHint: 'HELIOGRAPH_KEY steht für einen Schlüssel. Schritt 4 legt einen an.',
    message: {
      title: 'In Produktion bringen?',
      body: 'Alle 214 Prüfungen sind grün.',
      source: 'console',
      source_display_name: 'Heliograph',
      actions: [
        { id: 'deploy', title: 'Ausrollen' },
        { id: 'later', title: 'Nicht jetzt' },
      ],
    },
  },
  browser: {
    title: 'In diesem Browser erhalten',
    text: 'Auch wenn diese Seite geschlossen ist.',
    done: 'Dieser Browser erhält Ihre Benachrichtigungen.',
  },
  phone: {
    title: 'Telefon hinzufügen',
    text: 'iPhone, iPad oder Android: einen Code scannen, ein Konto ist nicht nötig.',
    done: (name) => `„${name}“ erhält Ihre Benachrichtigungen.`,
    waiting: (name) => `Warten auf die Verbindung von „${name}“.`,
    button: 'Telefon hinzufügen',
    again: 'Weiteres hinzufügen',
  },
  program: {
    title: 'Ein Programm verbinden',
    text: 'Wählen Sie eines. Es bekommt einen eigenen Schlüssel oder eine eigene Adresse. Ein Schlüssel, der sendet, kann auch den Posteingang lesen; die Adresse eines Webhooks liest nichts.',
    done: 'Sie können jederzeit ein weiteres wählen; „Schlüssel“ und „Webhooks“ führen auf, was Sie angelegt haben.',
    name: 'Name des Schlüssels',
    nameHint: 'Er steht in der Liste der Schlüssel, damit Sie ihn später widerrufen können.',
    makeKey: 'Schlüssel anlegen',
    makeHook: 'Adresse anlegen',
    once: 'Das Geheimnis steht im Text unten. Es wird nur jetzt angezeigt; kopieren Sie es, bevor Sie die Seite verlassen.',
    snippet: (name, number) => `${name}, ${number}`,
    groups: {
      services: 'Dienste und Automation',
      agents: 'KI-Agenten, über MCP',
      code: 'Eigene Programme',
    },
    programs: {
      curl: { name: 'curl', about: 'Ein Befehl im Terminal', places: ['Im Terminal ausführen:'] },
      'home-assistant': {
        name: 'Home Assistant',
        about: 'Eine Aktion für Automationen',
        places: [
          'In „configuration.yaml“; danach Home Assistant neu starten:',
          'Als Aktion einer Automation, oder unter „Entwicklerwerkzeuge“, „Aktionen“:',
        ],
      },
      grafana: { name: 'Grafana', about: 'Ein Contact point für Alarme', places: [] },
      'uptime-kuma': { name: 'Uptime Kuma', about: 'Monitore, die ausfallen und zurückkehren', places: [] },
      'github-actions': {
        name: 'GitHub Actions',
        about: 'Ein Schritt, der einen Fehlschlag meldet',
        places: [
          'Einmal in einem Checkout des Repositorys:',
          'Als letzter Schritt eines Jobs:',
          'Oder der Job als Live-Aktivität, mit der Action aus dem Repository Ihres Forks oder Spiegels:',
        ],
      },
      'node-red': {
        name: 'Node-RED',
        about: 'Ein Flow zum Importieren',
        places: ['Im Menü: „Import“, dies einfügen, dann „Deploy“ und die Schaltfläche des ersten Knotens drücken:'],
      },
      alertmanager: { name: 'Alertmanager', about: 'Alarme von Prometheus', places: [] },
      cron: {
        name: 'cron und Skripte',
        about: 'Eine Zeile für einen Job, der fehlschlägt',
        places: ['In „crontab -e“, mit Ihrem eigenen Befehl anstelle der Datensicherung:'],
      },
      'claude-code': {
        name: 'Claude Code',
        about: 'Fragt Sie, zeigt seinen Fortschritt',
        places: ['Im Terminal ausführen:'],
      },
      'claude-desktop': {
        name: 'Claude Desktop',
        about: 'Startet einen Befehl; braucht Node.js',
        places: ['„Einstellungen“, „Entwickler“, „Konfiguration bearbeiten“; danach Claude neu starten:'],
      },
      cursor: { name: 'Cursor', about: 'Werkzeuge für seinen Agenten', places: ['In die Datei „~/.cursor/mcp.json“:'] },
      'vs-code': {
        name: 'VS Code',
        about: 'Werkzeuge für den Agentenmodus von Copilot',
        places: ['In die Datei „.vscode/mcp.json“ des Ordners:'],
      },
      typescript: {
        name: 'TypeScript',
        about: 'Für Node.js, Deno, Bun und Browser',
        places: ['In der Umgebung des Programms:', 'Einmal, in seinem Ordner:', 'Im Programm:'],
      },
      python: {
        name: 'Python',
        about: 'Ein Paket ohne Abhängigkeiten',
        places: [
          'In der Umgebung des Programms:',
          'Einmal, in seiner virtuellen Umgebung, falls es eine hat:',
          'Im Programm:',
        ],
      },
      shell: {
        name: 'Shell-Funktion',
        about: 'Eine Datei, für jede Shell mit curl',
        places: ['In der Umgebung des Skripts:', 'Einmal, in seinem Ordner:', 'Im Skript:'],
      },
    },
  },
  yourName: { label: 'Ihr Name', hint: 'So sehen andere Sie, in Organisationen und bei geteilten Aktivitäten.' },
  firstUse: {
    waiting: 'Warten auf die erste Anfrage',
    hint: 'Dies ändert sich von selbst, sobald das Programm den Schlüssel benutzt hat.',
    arrived: 'Die erste Anfrage ist angekommen.',
  },
  samples: {
    hello: { title: 'Hallo', body: 'Es funktioniert.' },
    washing: { title: 'Waschmaschine', body: 'Sie ist fertig.' },
    failure: { title: 'Datensicherung fehlgeschlagen', body: 'Siehe Log.' },
    workflow: 'Benachrichtigen',
    inject: 'Ausprobieren',
  },
  demo: {
    text: 'Lieber erst ansehen? Die Vorführung läuft eine Minute lang auf all Ihren Geräten.',
    button: 'Vorführung starten',
    playing: 'Die Vorführung läuft. Was sie anlegt, verschwindet mit ihrem Ende.',
  },
  settings: {
    text: 'Die Liste, die vom leeren Posteingang zu einem Telefon und einem Programm führt.',
    button: 'Erste Schritte anzeigen',
  },
}
