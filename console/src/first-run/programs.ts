// The programs that the checklist connects, in the order of their tiles. A program gets either a webhook, or a key and the
// snippets to copy into it. For a new tile, add a row here and its texts to texts/first-run.ts.
import { version } from '../../../package.json'
import { INSTALL } from '../../../src/contract/clients.ts'
import type { KeyInput } from '../../../src/contract/keys/keys.ts'
import { curlCommand } from '../api/curl.ts'
import { FIRST_RUN_TEXTS, type ProgramGroup, type ProgramId } from '../texts/first-run.ts'
import type { HookKind } from '../texts/hook-tools.ts'
import { claudeCode, claudeDesktop, cursor, python, settings, shell, typescript, vsCode } from './snippets.ts'

// One snippet for each of the `places` in the texts.
type Snippets = (server: string, key: string) => string[]
export type KeyPermissions = NonNullable<KeyInput['permissions']>
// `permissions` of the key: notifications alone, unless the program needs more.
// `isElsewhere`: it runs in the internet, and reaches no address of a home network.
export type Connection = { hook: HookKind } | { snippets: Snippets; permissions?: KeyPermissions; isElsewhere?: true }

// An agent asks, sends, and shows its progress.
const FOR_AGENTS: KeyPermissions = { notifications: 'send', activities: 'manage' }

const agent = (snippet: (server: { url: string; key: string }) => string): Connection => ({
  snippets: (url, key) => [snippet({ url, key })],
  permissions: FOR_AGENTS,
})

// A client library: its key, the commands that install it, and a first program.
const code = (
  library: 'typescript' | 'python' | 'shell',
  snippet: (message: { title: string; body: string }) => string,
): Connection => ({
  snippets: (server, key) => [
    settings(server, key),
    INSTALL[library](server, version),
    snippet(FIRST_RUN_TEXTS.samples.hello),
  ],
})

export const PROGRAMS: Record<ProgramId, Connection> = {
  curl: { snippets: (server, key) => [sendCommand(server, key, FIRST_RUN_TEXTS.samples.hello)] },
  'home-assistant': { snippets: homeAssistant },
  grafana: { hook: 'grafana' },
  'uptime-kuma': { hook: 'uptime-kuma' },
  'github-actions': {
    snippets: githubActions,
    permissions: { notifications: 'send', activities: 'manage' },
    isElsewhere: true,
  },
  'node-red': { snippets: nodeRed },
  alertmanager: { hook: 'alertmanager' },
  cron: { snippets: cron },
  'claude-code': agent(claudeCode),
  'claude-desktop': agent(claudeDesktop),
  cursor: agent(cursor),
  'vs-code': agent(vsCode),
  typescript: code('typescript', typescript),
  python: code('python', python),
  shell: code('shell', shell),
}

export const PROGRAM_IDS = Object.keys(PROGRAMS) as ProgramId[]

const AGENTS: readonly ProgramId[] = ['claude-code', 'claude-desktop', 'cursor', 'vs-code']
const CODE: readonly ProgramId[] = ['curl', 'cron', 'typescript', 'python', 'shell']

const groupOf = (id: ProgramId): ProgramGroup =>
  AGENTS.includes(id) ? 'agents' : CODE.includes(id) ? 'code' : 'services'

// The tiles of a group, in the order of the table.
export const programsOf = (group: ProgramGroup): ProgramId[] => PROGRAM_IDS.filter((id) => groupOf(id) === group)

export const sendCommand = (server: string, key: string, message: object): string =>
  curlCommand(`${server}/notifications`, { Authorization: `Bearer ${key}` }, message)

function homeAssistant(server: string, key: string): string[] {
  const { title, body } = FIRST_RUN_TEXTS.samples.washing
  return [
    `rest_command:
  heliograph:
    url: ${server}/notifications
    method: post
    content_type: application/json
    headers:
      authorization: Bearer ${key}
    payload: '{{ {"title": title, "body": message, "source": "home"} | to_json }}'`,
    `action: rest_command.heliograph
data:
  title: ${title}
  message: ${body}`,
  ]
}

// GitHub inserts \${{ … }} before the shell reads the command; repository and workflow names contain no quotation marks.
function githubActions(server: string, key: string): string[] {
  return [
    `gh secret set HELIOGRAPH_KEY --body '${key}'`,
    `- name: ${FIRST_RUN_TEXTS.samples.workflow}
  if: failure()
  env:
    HELIOGRAPH_KEY: \${{ secrets.HELIOGRAPH_KEY }}
  run: |
    curl -sS --fail-with-body ${server}/notifications \\
      -H "Authorization: Bearer $HELIOGRAPH_KEY" -H 'Content-Type: application/json' -d '{
        "title": "\${{ github.repository }}", "body": "\${{ github.workflow }}: \${{ job.status }}",
        "source": "github", "level": "time-sensitive",
        "url": "\${{ github.server_url }}/\${{ github.repository }}/actions/runs/\${{ github.run_id }}"
      }'`,
    `- uses: OWNER/heliograph@v0.2.0
  with: { command: start, url: ${server}, token: "\${{ secrets.HELIOGRAPH_KEY }}" }
- if: always()
  uses: OWNER/heliograph@v0.2.0
  with: { command: end, url: ${server}, token: "\${{ secrets.HELIOGRAPH_KEY }}" }`,
  ]
}

function nodeRed(server: string, key: string): string[] {
  const { samples } = FIRST_RUN_TEXTS
  const compose = [
    `msg.headers = { Authorization: 'Bearer ${key}' }`,
    "msg.payload = { title: 'Node-RED', body: String(msg.payload), source: 'node-red' }",
    'return msg',
  ].join('\n')
  const nodes = [
    {
      type: 'inject',
      name: samples.inject,
      props: [{ p: 'payload' }],
      payload: samples.hello.body,
      payloadType: 'str',
    },
    { type: 'function', name: 'Heliograph', func: compose, outputs: 1 },
    { type: 'http request', name: '', method: 'POST', ret: 'obj', url: `${server}/notifications` },
  ]
  const id = (index: number) => `heliograph-${index}`
  const flow = nodes.map((node, index) => ({
    id: id(index),
    ...node,
    x: 140 + index * 200,
    y: 80,
    wires: index + 1 < nodes.length ? [[id(index + 1)]] : [[]],
  }))
  return [JSON.stringify(flow)]
}

// One line, as a crontab needs it; it must not contain a percent sign.
function cron(server: string, key: string): string[] {
  const message = { ...FIRST_RUN_TEXTS.samples.failure, source: 'cron', level: 'time-sensitive' }
  return [`0 3 * * * /usr/local/bin/backup || ${sendCommand(server, key, message).replaceAll(' \\\n  ', ' ')}`]
}
