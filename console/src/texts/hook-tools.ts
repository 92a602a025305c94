// What the page for webhooks says about each tool: its name, where the address goes, and where a secret goes. Field names
// are those of the tool, in quotation marks.
import type { HookView } from '../../../src/contract/hooks.ts'
import { inLanguage } from '../language.ts'
import { HOOK_TOOLS as GERMAN } from './german/hook-tools.ts'

export type HookKind = HookView['kind']

type ToolTexts = {
  name: string
  // What it is for, on its tile.
  about: string
  steps: string[]
  // Undefined: the tool can send no secret besides the address.
  secretHint?: string
}

const BEARER = 'The tool sends it as bearer token, or signs with it (Standard Webhooks).'

export const ENGLISH: Record<HookKind, ToolTexts> = {
  alertmanager: {
    name: 'Alertmanager',
    about: 'Alerts of Prometheus',
    steps: [
      'In alertmanager.yml, add a receiver with “webhook_configs”, and the address as its “url”.',
      'Name that receiver as “receiver” of a “route”.',
      'Reload Alertmanager: it sends the next alert of that route.',
    ],
    secretHint: 'In alertmanager.yml: “http_config”, “authorization”, “credentials”.',
  },
  grafana: {
    name: 'Grafana',
    about: 'Grafana Alerting',
    steps: [
      'In “Alerting”, “Contact points”, add a contact point with the integration “Webhook”, and paste the address as “URL”.',
      'Press “Test”, then save the contact point.',
      'In “Notification policies”, choose it for the alerts that you want.',
    ],
    secretHint: 'In the contact point: “HMAC Signature”, “Secret”; or as “Basic Authentication Password”.',
  },
  github: {
    name: 'GitHub',
    about: 'Workflows, pull requests, pushes',
    steps: [
      'In “Settings”, “Webhooks” of the repository or organization, press “Add webhook”.',
      'Paste the address as “Payload URL” and choose the “Content type” application/json.',
      'Choose the events, such as “Workflow runs”, and press “Add webhook”: GitHub sends a ping.',
    ],
    secretHint: 'In the form of GitHub: “Secret”.',
  },
  gitlab: {
    name: 'GitLab',
    about: 'Pipelines, merge requests, pushes',
    steps: [
      'In “Settings”, “Webhooks” of the project or group, press “Add new webhook”.',
      'Paste the address as “URL” and choose the events under “Trigger”, such as “Pipeline events”.',
      'Press “Add webhook”, then “Test”.',
    ],
    secretHint: 'In the form of GitLab: “Secret token”.',
  },
  'uptime-kuma': {
    name: 'Uptime Kuma',
    about: 'Monitors that go down and up',
    steps: [
      'In “Settings”, “Notifications”, press “Setup Notification” and choose the type “Webhook”.',
      'Paste the address as “Post URL”; the “Request Body” stays “Preset - application/json”.',
      'Press “Test”, then save.',
    ],
    secretHint: 'In “Additional Headers”: {"Authorization": "Bearer …"}, with the secret in place of the dots.',
  },
  healthchecks: {
    name: 'Healthchecks',
    about: 'Cron jobs that did not run',
    steps: [
      'In “Integrations”, add “Webhook”. Fill in both parts, for checks that go down and that go up:',
      'Choose the method POST, paste the address as “URL”, and write $JSON as “Request Body”.',
      'Write Content-Type: application/json as “Request Headers”, save, and press “Test!”.',
    ],
    secretHint: 'In “Request Headers”: Authorization: Bearer, and the secret.',
  },
  gitea: {
    name: 'Gitea / Forgejo',
    about: 'Actions, pull requests, pushes',
    steps: [
      'In “Settings”, “Webhooks” of the repository or organization, add a webhook of the type Gitea or Forgejo.',
      'Paste the address as “Target URL”; the method stays POST, the content type application/json.',
      'Choose the events, add the webhook, and press “Test Delivery”.',
    ],
    secretHint: 'In the form of Gitea: “Secret”.',
  },
  gatus: {
    name: 'Gatus',
    about: 'Endpoints that go down and up',
    steps: [
      'In its configuration, add “alerting”, “custom” with the address as “url” and POST as “method”.',
      'Write as “body”: {"endpoint_name": "[ENDPOINT_NAME]", "endpoint_group": "[ENDPOINT_GROUP]", "endpoint_url": "[ENDPOINT_URL]", "alert_description": "[ALERT_DESCRIPTION]", "status": "[ALERT_TRIGGERED_OR_RESOLVED]", "result_errors": "[RESULT_ERRORS]"}',
      'Give the endpoints an alert of the type custom, with “send-on-resolved” true.',
    ],
    secretHint: 'In “headers”: Authorization: Bearer, and the secret.',
  },
  komodo: {
    name: 'Komodo',
    about: 'Servers, stacks and builds',
    steps: [
      'In “Alerters”, add an alerter and choose the endpoint “Custom”.',
      'Paste the address as its URL, and enable the alerter.',
      'Press “Test Alerter”.',
    ],
  },
  backrest: {
    name: 'Backrest',
    about: 'Backups that fail',
    steps: [
      'In a plan or repository, add a hook of the type Shoutrrr, and choose its conditions.',
      'Paste the address as “Shoutrrr URL”.',
      'Write as “Text Template”: {"event": "{{ .Event }}", "plan": {{ .JsonMarshal .Plan.Id }}, "repo": {{ .JsonMarshal .Repo.Id }}, "error": {{ .JsonMarshal .Error }}}',
    ],
  },
  argocd: {
    name: 'Argo CD',
    about: 'Applications that fail to sync',
    steps: [
      'In the ConfigMap argocd-notifications-cm, add “service.webhook.heliograph” with the address as “url” and the header Content-Type: application/json.',
      'Give each template a “webhook”, “heliograph” with the method POST and a body such as {"app": "{{.app.metadata.name}}", "event": "sync-failed", "revision": "{{.app.status.sync.revision}}"}',
      'Subscribe applications to the triggers, such as on-sync-failed, on-health-degraded and on-deployed.',
    ],
    secretHint: 'In “headers” of the service: Authorization: Bearer, and the secret.',
  },
  proxmox: {
    name: 'Proxmox',
    about: 'VE, Backup Server, Mail Gateway',
    steps: [
      'In “Datacenter”, “Notifications”, add a target “Webhook” with the method POST and the address as “URL”.',
      'Add the header Content-Type: application/json, and write as “Body”: {"type": "{{ fields.type }}", "title": "{{ escape title }}", "message": "{{ escape message }}", "severity": "{{ severity }}", "hostname": "{{ fields.hostname }}"}',
      'Name the target in a “Notification Matcher”, and press “Test”.',
    ],
    secretHint: 'As a header: Authorization: Bearer, and the secret.',
  },
  truenas: {
    name: 'TrueNAS',
    about: 'Alerts of pools and disks',
    steps: [
      'In “Alert Settings”, add an alert service of the type “Slack”.',
      'Paste the address as “Webhook URL”, and choose the level.',
      'Press “Send Test Alert”, then save.',
    ],
  },
  jellyfin: {
    name: 'Jellyfin',
    about: 'Plugin “Webhook”',
    steps: [
      'Install the plugin “Webhook”, and add a “Generic Destination” in its settings.',
      'Paste the address as “Webhook Url”, and tick “Send All Properties (ignores template)”.',
      'Choose the notification types, and save.',
    ],
    secretHint: 'As a request header: Authorization with the value Bearer, and the secret.',
  },
  overseerr: {
    name: 'Overseerr / Jellyseerr',
    about: 'Requests and issues',
    steps: [
      'In “Settings”, “Notifications”, “Webhook”, enable the agent and paste the address as “Webhook URL”.',
      'The “JSON Payload” stays as it is.',
      'Choose the notification types, press “Test”, then save.',
    ],
    secretHint: 'As “Authorization Header”: Bearer, and the secret.',
  },
  paperless: {
    name: 'Paperless-ngx',
    about: 'Documents that arrive',
    steps: [
      'In “Workflows”, add a workflow with the trigger “Document Added” and the action “Webhook”.',
      'Paste the address as “Webhook url”, tick “Send webhook payload as JSON” and “Use parameters for webhook body”.',
      'Add the parameters event: added, title: {doc_title}, correspondent: {correspondent}, document_type: {document_type}, doc_url: {doc_url}.',
    ],
    secretHint: 'As a header: Authorization with the value Bearer, and the secret.',
  },
  changedetection: {
    name: 'changedetection.io',
    about: 'Pages that change',
    steps: [
      'In “Notifications”, add the address to the “Notification URL List”.',
      'Write as “Body”: {"url": {{ watch_url | tojson }}, "title": {{ watch_title | tojson }}, "tag": {{ watch_tag | tojson }}, "diff_url": {{ diff_url | tojson }}, "triggered_text": {{ triggered_text | tojson }}}',
      'Choose “Plain Text” as the format, and send a test notification.',
    ],
  },
  teams: {
    name: 'Teams-compatible',
    about: 'Tools that post to Microsoft Teams',
    steps: [
      'In the tool, choose Microsoft Teams as the kind of notification.',
      'Paste the address where it asks for the “Webhook URL” of Teams.',
      'A tool that accepts only addresses of Microsoft cannot be used this way.',
    ],
  },
  slack: {
    name: 'Slack-compatible',
    about: 'Tools that post to Slack',
    steps: [
      'In the tool, choose Slack (or Mattermost) as the kind of notification.',
      'Paste the address where it asks for the “Webhook URL” of Slack.',
      'Leave channel and user name as they are; a channel becomes the thread of the notifications.',
    ],
  },
  discord: {
    name: 'Discord-compatible',
    about: 'Tools that post to Discord',
    steps: [
      'In the tool, choose Discord as the kind of notification.',
      'Paste the address where it asks for the “Webhook URL” of Discord.',
      'A tool that accepts only addresses of discord.com cannot be used this way.',
    ],
  },
  servarr: {
    name: 'Sonarr / Radarr',
    about: 'Also Lidarr, Readarr, Prowlarr',
    steps: [
      'In “Settings”, “Connect”, press + and choose “Webhook”.',
      'Paste the address as “Webhook URL”; the “Method” stays POST.',
      'Choose the “Notification Triggers”, press “Test”, then “Save”.',
    ],
    secretHint: 'As “Password”; the “Username” can be anything.',
  },
  apprise: {
    name: 'Apprise',
    about: 'The command, its API, its library',
    steps: [
      'Use the address as it is: it is a URL of Apprise.',
      'In a configuration file it is a line of its own; on the command line it is an argument.',
    ],
  },
  auto: {
    name: 'Anything',
    about: 'Recognized in each request',
    steps: [
      'Post JSON, a form or text to the address.',
      'Title, text, level and link are read from members such as title, message, priority and url.',
      'Requests of the other tools of this list are recognized, too.',
    ],
    secretHint: BEARER,
  },
  generic: {
    name: 'Other program',
    about: 'JSON, forms or text',
    steps: [
      'Post JSON, a form or text to the address.',
      'Title, text, level and link are read from members such as title, message, priority and url.',
    ],
    secretHint: BEARER,
  },
  template: {
    name: 'Template',
    about: 'You say what a request becomes',
    steps: [
      'Let the program post to the address.',
      'Once its first request has arrived, write the template beside it.',
    ],
    secretHint: BEARER,
  },
}

export const HOOK_TOOLS = inLanguage({ en: ENGLISH, de: GERMAN })
