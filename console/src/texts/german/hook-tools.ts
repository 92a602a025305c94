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
  gitea: {
    name: 'Gitea / Forgejo',
    about: 'Actions, Pull Requests, Pushes',
    steps: [
      'In „Settings“, „Webhooks“ des Repositorys oder der Organisation einen Webhook vom Typ Gitea oder Forgejo hinzufügen.',
      'Die Adresse als „Target URL“ einfügen; die Methode bleibt POST, der Content-Type application/json.',
      'Die Ereignisse wählen, den Webhook hinzufügen und „Test Delivery“ drücken.',
    ],
    secretHint: 'Im Formular von Gitea: „Secret“.',
  },
  gatus: {
    name: 'Gatus',
    about: 'Endpunkte, die ausfallen und zurückkehren',
    steps: [
      'In der Konfiguration „alerting“, „custom“ mit der Adresse als „url“ und POST als „method“ hinzufügen.',
      'Als „body“ schreiben: {"endpoint_name": "[ENDPOINT_NAME]", "endpoint_group": "[ENDPOINT_GROUP]", "endpoint_url": "[ENDPOINT_URL]", "alert_description": "[ALERT_DESCRIPTION]", "status": "[ALERT_TRIGGERED_OR_RESOLVED]", "result_errors": "[RESULT_ERRORS]"}',
      'Den Endpunkten einen Alarm vom Typ custom geben, mit „send-on-resolved“ true.',
    ],
    secretHint: 'In „headers“: Authorization: Bearer und das Geheimnis.',
  },
  komodo: {
    name: 'Komodo',
    about: 'Server, Stacks und Builds',
    steps: [
      'In „Alerters“ einen Alerter hinzufügen und den Endpunkt „Custom“ wählen.',
      'Die Adresse als dessen URL einfügen und den Alerter aktivieren.',
      '„Test Alerter“ drücken.',
    ],
  },
  backrest: {
    name: 'Backrest',
    about: 'Sicherungen, die fehlschlagen',
    steps: [
      'In einem Plan oder Repository einen Hook vom Typ Shoutrrr hinzufügen und seine Bedingungen wählen.',
      'Die Adresse als „Shoutrrr URL“ einfügen.',
      'Als „Text Template“ schreiben: {"event": "{{ .Event }}", "plan": {{ .JsonMarshal .Plan.Id }}, "repo": {{ .JsonMarshal .Repo.Id }}, "error": {{ .JsonMarshal .Error }}}',
    ],
  },
  argocd: {
    name: 'Argo CD',
    about: 'Anwendungen, deren Sync fehlschlägt',
    steps: [
      'In der ConfigMap argocd-notifications-cm „service.webhook.heliograph“ mit der Adresse als „url“ und dem Header Content-Type: application/json hinzufügen.',
      'Jeder Vorlage „webhook“, „heliograph“ mit der Methode POST und einem Body geben, zum Beispiel {"app": "{{.app.metadata.name}}", "event": "sync-failed", "revision": "{{.app.status.sync.revision}}"}',
      'Anwendungen für die Trigger anmelden, zum Beispiel on-sync-failed, on-health-degraded und on-deployed.',
    ],
    secretHint: 'In „headers“ des Dienstes: Authorization: Bearer und das Geheimnis.',
  },
  proxmox: {
    name: 'Proxmox',
    about: 'VE, Backup Server, Mail Gateway',
    steps: [
      'In „Datacenter“, „Notifications“ ein Ziel „Webhook“ mit der Methode POST und der Adresse als „URL“ hinzufügen.',
      'Den Header Content-Type: application/json hinzufügen und als „Body“ schreiben: {"type": "{{ fields.type }}", "title": "{{ escape title }}", "message": "{{ escape message }}", "severity": "{{ severity }}", "hostname": "{{ fields.hostname }}"}',
      'Das Ziel in einem „Notification Matcher“ nennen und „Test“ drücken.',
    ],
    secretHint: 'Als Header: Authorization: Bearer und das Geheimnis.',
  },
  truenas: {
    name: 'TrueNAS',
    about: 'Alarme zu Pools und Platten',
    steps: [
      'In „Alert Settings“ einen Dienst vom Typ „Slack“ hinzufügen.',
      'Die Adresse als „Webhook URL“ einfügen und die Stufe wählen.',
      '„Send Test Alert“ drücken, dann speichern.',
    ],
  },
  jellyfin: {
    name: 'Jellyfin',
    about: 'Plugin „Webhook“',
    steps: [
      'Das Plugin „Webhook“ installieren und in seinen Einstellungen eine „Generic Destination“ hinzufügen.',
      'Die Adresse als „Webhook Url“ einfügen und „Send All Properties (ignores template)“ ankreuzen.',
      'Die Arten von Benachrichtigungen wählen und speichern.',
    ],
    secretHint: 'Als Request-Header: Authorization mit dem Wert Bearer und dem Geheimnis.',
  },
  overseerr: {
    name: 'Overseerr / Jellyseerr',
    about: 'Anfragen und Probleme',
    steps: [
      'In „Settings“, „Notifications“, „Webhook“ den Agenten aktivieren und die Adresse als „Webhook URL“ einfügen.',
      '„JSON Payload“ bleibt, wie es ist.',
      'Die Arten von Benachrichtigungen wählen, „Test“ drücken, dann speichern.',
    ],
    secretHint: 'Als „Authorization Header“: Bearer und das Geheimnis.',
  },
  paperless: {
    name: 'Paperless-ngx',
    about: 'Dokumente, die ankommen',
    steps: [
      'In „Workflows“ einen Workflow mit dem Auslöser „Document Added“ und der Aktion „Webhook“ hinzufügen.',
      'Die Adresse als „Webhook url“ einfügen, „Send webhook payload as JSON“ und „Use parameters for webhook body“ ankreuzen.',
      'Die Parameter event: added, title: {doc_title}, correspondent: {correspondent}, document_type: {document_type}, doc_url: {doc_url} hinzufügen.',
    ],
    secretHint: 'Als Header: Authorization mit dem Wert Bearer und dem Geheimnis.',
  },
  changedetection: {
    name: 'changedetection.io',
    about: 'Seiten, die sich ändern',
    steps: [
      'In „Notifications“ die Adresse zur „Notification URL List“ hinzufügen.',
      'Als „Body“ schreiben: {"url": {{ watch_url | tojson }}, "title": {{ watch_title | tojson }}, "tag": {{ watch_tag | tojson }}, "diff_url": {{ diff_url | tojson }}, "triggered_text": {{ triggered_text | tojson }}}',
      'Als Format „Plain Text“ wählen und eine Testbenachrichtigung senden.',
    ],
  },
  teams: {
    name: 'Teams-kompatibel',
    about: 'Werkzeuge, die an Microsoft Teams senden',
    steps: [
      'Im Werkzeug Microsoft Teams als Art der Benachrichtigung wählen.',
      'Die Adresse dort einfügen, wo nach der „Webhook URL“ von Teams gefragt wird.',
      'Ein Werkzeug, das nur Adressen von Microsoft akzeptiert, lässt sich so nicht verwenden.',
    ],
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
