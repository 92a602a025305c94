// What the page for webhooks says about each tool, in German. Field names are those of the tool, which are English.
import type { ENGLISH } from '../hook-tools.ts'

const BEARER = 'Das Werkzeug sendet es als Bearer-Token oder signiert damit (Standard Webhooks).'

export const HOOK_TOOLS: typeof ENGLISH = {
  alertmanager: {
    name: 'Alertmanager',
    about: 'Alarme von Prometheus',
    steps: [
      'In alertmanager.yml einen Empfänger mit „webhook_configs“ hinzufügen, mit der Adresse als „url“.',
      'Diesen Empfänger als „receiver“ einer „route“ nennen.',
      'Alertmanager neu laden: Er sendet den nächsten Alarm dieser Route.',
    ],
    secretHint: 'In alertmanager.yml: „http_config“, „authorization“, „credentials“.',
  },
  grafana: {
    name: 'Grafana',
    about: 'Grafana Alerting',
    steps: [
      'In „Alerting“, „Contact points“ einen Contact point mit der Integration „Webhook“ hinzufügen und die Adresse als „URL“ einfügen.',
      '„Test“ drücken, dann den Contact point speichern.',
      'In „Notification policies“ für die gewünschten Alarme auswählen.',
    ],
    secretHint: 'Im Contact point: „HMAC Signature“, „Secret“; oder als „Basic Authentication Password“.',
  },
  github: {
    name: 'GitHub',
    about: 'Workflows, Pull Requests, Pushes',
    steps: [
      'In „Settings“, „Webhooks“ des Repositorys oder der Organisation „Add webhook“ drücken.',
      'Die Adresse als „Payload URL“ einfügen und den „Content type“ application/json wählen.',
      'Die Ereignisse wählen, zum Beispiel „Workflow runs“, und „Add webhook“ drücken: GitHub sendet einen Ping.',
    ],
    secretHint: 'Im Formular von GitHub: „Secret“.',
  },
  gitlab: {
    name: 'GitLab',
    about: 'Pipelines, Merge Requests, Pushes',
    steps: [
      'In „Settings“, „Webhooks“ des Projekts oder der Gruppe „Add new webhook“ drücken.',
      'Die Adresse als „URL“ einfügen und unter „Trigger“ die Ereignisse wählen, zum Beispiel „Pipeline events“.',
      '„Add webhook“ drücken, dann „Test“.',
    ],
    secretHint: 'Im Formular von GitLab: „Secret token“.',
  },
  'uptime-kuma': {
    name: 'Uptime Kuma',
    about: 'Monitore, die ausfallen und zurückkehren',
    steps: [
      'In „Settings“, „Notifications“ „Setup Notification“ drücken und den Typ „Webhook“ wählen.',
      'Die Adresse als „Post URL“ einfügen; „Request Body“ bleibt „Preset - application/json“.',
      '„Test“ drücken, dann speichern.',
    ],
    secretHint: 'In „Additional Headers“: {"Authorization": "Bearer …"}, mit dem Geheimnis anstelle der Punkte.',
  },
  healthchecks: {
    name: 'Healthchecks',
    about: 'Cronjobs, die nicht gelaufen sind',
    steps: [
      'In „Integrations“ „Webhook“ hinzufügen. Beide Teile ausfüllen, für Checks, die ausfallen und zurückkehren:',
      'Die Methode POST wählen, die Adresse als „URL“ einfügen und $JSON als „Request Body“ schreiben.',
      'Content-Type: application/json als „Request Headers“ schreiben, speichern und „Test!“ drücken.',
    ],
    secretHint: 'In „Request Headers“: Authorization: Bearer und das Geheimnis.',
  },
  slack: {
    name: 'Slack-kompatibel',
    about: 'Werkzeuge, die an Slack senden',
    steps: [
      'Im Werkzeug Slack (oder Mattermost) als Art der Benachrichtigung wählen.',
      'Die Adresse dort einfügen, wo nach der „Webhook URL“ von Slack gefragt wird.',
      'Kanal und Benutzername lassen, wie sie sind; ein Kanal wird zum Thread der Benachrichtigungen.',
    ],
  },
  discord: {
    name: 'Discord-kompatibel',
    about: 'Werkzeuge, die an Discord senden',
    steps: [
      'Im Werkzeug Discord als Art der Benachrichtigung wählen.',
      'Die Adresse dort einfügen, wo nach der „Webhook URL“ von Discord gefragt wird.',
      'Ein Werkzeug, das nur Adressen von discord.com akzeptiert, lässt sich so nicht verwenden.',
    ],
  },
  servarr: {
    name: 'Sonarr / Radarr',
    about: 'Auch Lidarr, Readarr, Prowlarr',
    steps: [
      'In „Settings“, „Connect“ + drücken und „Webhook“ wählen.',
      'Die Adresse als „Webhook URL“ einfügen; „Method“ bleibt POST.',
      'Die „Notification Triggers“ wählen, „Test“ drücken, dann „Save“.',
    ],
    secretHint: 'Als „Password“; der „Username“ ist beliebig.',
  },
  apprise: {
    name: 'Apprise',
    about: 'Der Befehl, die API, die Bibliothek',
    steps: [
      'Die Adresse verwenden, wie sie ist: Sie ist eine URL von Apprise.',
      'In einer Konfigurationsdatei ist sie eine eigene Zeile, auf der Befehlszeile ein Argument.',
    ],
  },
  auto: {
    name: 'Beliebig',
    about: 'In jeder Anfrage erkannt',
    steps: [
      'JSON, ein Formular oder Text per POST an die Adresse senden.',
      'Titel, Text, Stufe und Link werden aus Feldern wie title, message, priority und url gelesen.',
      'Auch Anfragen der anderen Werkzeuge dieser Liste werden erkannt.',
    ],
    secretHint: BEARER,
  },
  generic: {
    name: 'Anderes Programm',
    about: 'JSON, Formulare oder Text',
    steps: [
      'JSON, ein Formular oder Text per POST an die Adresse senden.',
      'Titel, Text, Stufe und Link werden aus Feldern wie title, message, priority und url gelesen.',
    ],
    secretHint: BEARER,
  },
  template: {
    name: 'Vorlage',
    about: 'Sie bestimmen, was aus einer Anfrage wird',
    steps: [
      'Das Programm an die Adresse senden lassen.',
      'Sobald seine erste Anfrage angekommen ist, daneben die Vorlage schreiben.',
    ],
    secretHint: BEARER,
  },
}
