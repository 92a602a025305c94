// The tools that a webhook can be made for: the address in the form that the tool takes, and a request to test it with.
import { curlCommand } from '../api/curl.ts'
import { HOOK_TOOLS, type HookKind } from '../texts/hook-tools.ts'

// In the order of the tiles. A hook for "anything" recognizes the kind of each request.
export const OFFERED_KINDS: HookKind[] = [
  'alertmanager',
  'grafana',
  'github',
  'gitlab',
  'gitea',
  'uptime-kuma',
  'healthchecks',
  'gatus',
  'komodo',
  'argocd',
  'backrest',
  'proxmox',
  'truenas',
  'servarr',
  'overseerr',
  'jellyfin',
  'paperless',
  'changedetection',
  'apprise',
  'teams',
  'slack',
  'discord',
  'auto',
  'template',
]

export const toolName = (kind: HookKind): string => HOOK_TOOLS[kind].name

// The kinds that have events and runs of CI.
export const hasEvents = (kind: HookKind): boolean => ['github', 'gitlab', 'gitea', 'auto'].includes(kind)

// It sends from its own servers, and reaches no address of a home network.
export const isInInternet = (kind: HookKind): boolean => kind === 'github'

// Tools with schemes of their own. Apprise takes the last part of the path for its own key.
const ADDRESSES: Partial<Record<HookKind, (url: string) => string>> = {
  apprise: (url) => `${url.replace(/^http/, 'apprise')}/heliograph`,
  backrest: (url) => `generic+${url}`,
  changedetection: (url) => url.replace(/^http/, 'post'),
}

export const addressFor = (kind: HookKind, url: string): string => ADDRESSES[kind]?.(url) ?? url

type TestRequest = { headers?: Record<string, string>; body: object }

const ALERT = {
  status: 'firing',
  labels: { alertname: 'Test', severity: 'warning' },
  annotations: { summary: 'It works.' },
}
const ALERTS = { status: 'firing', groupKey: 'test', commonLabels: ALERT.labels, alerts: [ALERT] }
const PROJECT = { path_with_namespace: 'you/project', web_url: 'https://gitlab.com/you/project' }

export const TEST_REQUESTS: Record<HookKind, TestRequest> = {
  alertmanager: { body: { version: '4', ...ALERTS } },
  grafana: { body: { version: '1', orgId: 1, state: 'alerting', title: '[FIRING:1] Test', ...ALERTS } },
  github: {
    headers: { 'X-GitHub-Event': 'ping' },
    body: { zen: 'It works.', repository: { full_name: 'you/project' } },
  },
  gitlab: {
    headers: { 'X-Gitlab-Event': 'Pipeline Hook' },
    body: {
      object_kind: 'pipeline',
      object_attributes: { id: 1, iid: 1, ref: 'main', status: 'failed' },
      project: PROJECT,
    },
  },
  'uptime-kuma': {
    body: { heartbeat: { status: 0, msg: 'It works.' }, monitor: { id: 1, name: 'Test' }, msg: 'It works.' },
  },
  healthchecks: {
    body: {
      name: 'Test',
      desc: 'It works.',
      uuid: 'test',
      status: 'down',
      n_pings: 1,
      ping_url: 'https://hc-ping.com/test',
    },
  },
  gitea: {
    headers: { 'X-Gitea-Event': 'push' },
    body: {
      ref: 'refs/heads/main',
      commits: [{ message: 'It works.' }],
      repository: { full_name: 'you/project' },
      sender: { login: 'you' },
    },
  },
  gatus: { body: { endpoint_name: 'Test', endpoint_group: '', alert_description: 'It works.', status: 'TRIGGERED' } },
  komodo: {
    body: {
      ts: 0,
      resolved: false,
      level: 'WARNING',
      target: { type: 'Server', id: 'test' },
      data: { type: 'ServerUnreachable', data: { name: 'Test', err: { error: 'It works.' } } },
    },
  },
  backrest: { body: { event: 'CONDITION_SNAPSHOT_ERROR', plan: 'Test', repo: 'test', error: 'It works.' } },
  argocd: { body: { app: 'Test', event: 'health-degraded', message: 'It works.' } },
  proxmox: {
    body: { type: 'vzdump', title: 'Test', message: 'It works.', severity: 'warning', hostname: 'test' },
  },
  truenas: { body: { text: 'TrueNAS @ test\n\nNew alerts:\n\n  * It works.\n' } },
  jellyfin: {
    body: { NotificationType: 'ItemAdded', ServerName: 'Test', Name: 'Test', Overview: 'It works.' },
  },
  overseerr: { body: { notification_type: 'TEST_NOTIFICATION', subject: 'Test', message: 'It works.' } },
  paperless: { body: { event: 'added', title: 'Test', correspondent: 'It works.', doc_url: 'https://example.org' } },
  changedetection: {
    body: { url: 'https://example.org', title: 'Test', diff_url: 'https://example.org', triggered_text: 'It works.' },
  },
  teams: {
    body: {
      type: 'AdaptiveCard',
      body: [
        { type: 'TextBlock', weight: 'bolder', text: 'Test' },
        { type: 'TextBlock', text: 'It works.' },
      ],
    },
  },
  slack: { body: { text: 'It works.' } },
  discord: { body: { content: 'It works.' } },
  servarr: {
    body: { eventType: 'Health', instanceName: 'Sonarr', level: 'warning', type: 'Test', message: 'It works.' },
  },
  apprise: { body: { title: 'Test', body: 'It works.', type: 'info' } },
  auto: { body: { title: 'Test', message: 'It works.' } },
  generic: { body: { title: 'Test', message: 'It works.' } },
  template: { body: { title: 'Test', message: 'It works.' } },
}

// To the address itself, also for Apprise: it takes the form of every kind.
export function testCommand(kind: HookKind, url: string, secret: string): string {
  const { headers = {}, body } = TEST_REQUESTS[kind]
  return curlCommand(url, { ...(secret && { Authorization: `Bearer ${secret}` }), ...headers }, body)
}

const SECRET_BYTES = 24

export const newSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
