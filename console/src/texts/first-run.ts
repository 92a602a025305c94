// Texts of the first run: the checklist in the inbox, and the programs that it connects. Names of fields and files are those
// of the program, in quotation marks.
import { inLanguage } from '../language.ts'
import { FIRST_RUN } from './german/first-run.ts'

type ProgramTexts = {
  name: string
  about: string
  // Where each of the snippets goes.
  places: string[]
}

const PROGRAMS = {
  curl: { name: 'curl', about: 'One command in a terminal', places: ['Run it in a terminal:'] },
  'home-assistant': {
    name: 'Home Assistant',
    about: 'An action for automations',
    places: [
      'In “configuration.yaml”; then restart Home Assistant:',
      'As an action of an automation, or under “Developer tools”, “Actions”:',
    ],
  },
  grafana: { name: 'Grafana', about: 'A contact point for alerts', places: [] },
  'uptime-kuma': { name: 'Uptime Kuma', about: 'Monitors that go down and up', places: [] },
  'github-actions': {
    name: 'GitHub Actions',
    about: 'A step that reports a failure',
    places: [
      'In a checkout of the repository, once:',
      'As the last step of a job:',
      'Or the job as a live activity, with the action from the repository of your fork or mirror:',
    ],
  },
  'node-red': {
    name: 'Node-RED',
    about: 'A flow to import',
    places: ['In the menu: “Import”, paste this, then “Deploy” and press the button of the first node:'],
  },
  alertmanager: { name: 'Alertmanager', about: 'Alerts of Prometheus', places: [] },
  cron: {
    name: 'cron and scripts',
    about: 'A line for a job that fails',
    places: ['In “crontab -e”, with your own command in place of the backup:'],
  },
  'claude-code': { name: 'Claude Code', about: 'Asks you, shows its progress', places: ['Run it in a terminal:'] },
  'claude-desktop': {
    name: 'Claude Desktop',
    about: 'Starts a command; needs Node.js',
    places: ['“Settings”, “Developer”, “Edit Config”; then restart Claude:'],
  },
  cursor: { name: 'Cursor', about: 'Tools for its agent', places: ['In “~/.cursor/mcp.json”:'] },
  'vs-code': {
    name: 'VS Code',
    about: 'Tools for Copilot’s agent mode',
    places: ['In “.vscode/mcp.json” of the folder:'],
  },
  typescript: {
    name: 'TypeScript',
    about: 'Node.js, Deno, Bun, browsers',
    places: ['In the environment of the program:', 'In its folder, once:', 'In the program:'],
  },
  python: {
    name: 'Python',
    about: 'A package without dependencies',
    places: [
      'In the environment of the program:',
      'Once, in its virtual environment if it has one:',
      'In the program:',
    ],
  },
  shell: {
    name: 'Shell function',
    about: 'One file, for any shell with curl',
    places: ['In the environment of the script:', 'In its folder, once:', 'In the script:'],
  },
} satisfies Record<string, ProgramTexts>

export type ProgramId = keyof typeof PROGRAMS

export const PROGRAM_GROUPS = ['services', 'agents', 'code'] as const
export type ProgramGroup = (typeof PROGRAM_GROUPS)[number]

export const ENGLISH = {
  title: 'First steps',
  intro: 'From an empty inbox to a notification on your phone.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  ready: 'Everything is set up.',
  hide: 'Hide this',
  isDone: 'Done:',
  send: {
    title: 'Send your first notification',
    text: 'With two buttons, as one of your programs would send it.',
    done: 'It is in your inbox. Open it and press a button: a program would get your answer.',
    button: 'Send it now',
    again: 'Send another',
    show: 'Open it',
    curl: 'The same with curl',
    curlHint: 'HELIOGRAPH_KEY stands for a key. Step 4 makes one.',
    message: {
      title: 'Deploy to production?',
      body: 'All 214 checks are green.',
      source: 'console',
      source_display_name: 'Heliograph',
      actions: [
        { id: 'deploy', title: 'Deploy' },
        { id: 'later', title: 'Not now' },
      ],
    },
  },
  browser: {
    title: 'Get it in this browser',
    text: 'Also when this page is closed.',
    done: 'This browser receives your notifications.',
  },
  phone: {
    title: 'Add your phone',
    text: 'iPhone, iPad or Android: scan a code, no account needed.',
    done: (name: string) => `“${name}” receives your notifications.`,
    waiting: (name: string) => `Waiting for “${name}” to connect.`,
    button: 'Add a phone',
    again: 'Add another',
  },
  program: {
    title: 'Connect a program',
    text: 'Choose one. It gets a key or an address of its own. A key that sends can read the inbox too; the address of a webhook reads nothing.',
    done: 'Choose another one at any time; “Keys” and “Webhooks” list what you have made.',
    name: 'Name of the key',
    nameHint: 'You see it in the list of keys, so that you can revoke it later.',
    makeKey: 'Make the key',
    makeHook: 'Make the address',
    once: 'The secret is in the text below. It is shown only now, so copy it before you leave.',
    snippet: (name: string, number: number) => `${name}, ${number}`,
    groups: {
      services: 'Services and automation',
      agents: 'AI agents, over MCP',
      code: 'Your own programs',
    } satisfies Record<ProgramGroup, string>,
    programs: PROGRAMS as Record<ProgramId, ProgramTexts>,
  },
  yourName: { label: 'Your name', hint: 'This is how others see you, in organizations and shares.' },
  firstUse: {
    waiting: 'Waiting for the first request',
    hint: 'This changes by itself as soon as the program has used the key.',
    arrived: 'The first request has arrived.',
  },
  // What the snippets send.
  samples: {
    hello: { title: 'Hello', body: 'It works.' },
    washing: { title: 'Washing machine', body: 'It is done.' },
    failure: { title: 'Backup failed', body: 'See the log.' },
    workflow: 'Tell me',
    inject: 'Try it',
  },
  demo: {
    text: 'Rather look first? The demo plays for a minute on all your devices.',
    button: 'Play the demo',
    playing: 'The demo is playing. What it creates disappears when it ends.',
  },
  settings: {
    text: 'The list that leads from an empty inbox to a phone and a program.',
    button: 'Show the first steps',
  },
}

export const FIRST_RUN_TEXTS = inLanguage({ en: ENGLISH, de: FIRST_RUN })
