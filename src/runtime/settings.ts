// Every setting, one row each. The rows drive flags, environment, configuration file, --help and the documentation.

import { DOOR_NAMES, type DoorName } from '../domain/doors/door.ts'
import type { Mailbox } from '../domain/emails/address.ts'
import { CONTRACT_PLANS, type Plans, parsePlans } from '../domain/plans.ts'
import type { LogFormat, LogLevel } from './log.ts'
import type { Secret } from './secret.ts'
import {
  hostName,
  httpsOrLocalUrl,
  httpsUrl,
  httpUrl,
  listFrom,
  listOf,
  mailbox,
  networks,
  nonEmpty,
  oneOf,
  onOff,
  origins,
  postgresUrl,
  smtpUrl,
  wholeNumber,
} from './setting-values.ts'

export type Setting<Value> = {
  meaning: string
  // The placeholder for a value in --help and the documentation.
  form: string
  fallback: Value
  // The default in words, if the value is not clear by itself.
  fallbackText?: string
  // Throws an Error whose message completes "HELIOGRAPH_X must be …".
  parse: (text: string) => Value
  // HELIOGRAPH_X_FILE may name a file that holds the value, as containers get their secrets.
  isSecret?: boolean
}

export type InvitedAccounts = 'organizations' | 'all' | 'off'

export const SETTINGS = {
  host: setting({ meaning: 'Address to listen on', form: 'ADDRESS', fallback: '127.0.0.1', parse: nonEmpty }),
  port: setting({
    meaning: 'Port to listen on; 0 picks a free one',
    form: 'NUMBER',
    fallback: 8080,
    parse: wholeNumber(0, 65_535),
  }),
  dataDir: setting({
    meaning: 'Folder for the SQLite file, generated secrets and uploads',
    form: 'FOLDER',
    fallback: './data',
    parse: nonEmpty,
  }),
  databaseUrl: setting<Secret | undefined>({
    meaning: 'PostgreSQL to use instead of the embedded SQLite file',
    form: 'postgres://…',
    fallback: undefined,
    fallbackText: 'SQLite in the data folder',
    parse: postgresUrl,
    isSecret: true,
  }),
  databaseConnections: setting({
    meaning:
      'Connections of this process to PostgreSQL at most, besides the one by which processes tell each other of changes',
    form: 'NUMBER',
    fallback: 10,
    parse: wholeNumber(1, 1000),
  }),
  publicUrl: setting<string | undefined>({
    meaning: 'Base of the links that people get, such as the sign-in link',
    form: 'URL',
    fallback: undefined,
    fallbackText: 'http://HOST:PORT',
    parse: httpUrl,
  }),
  trustProxy: setting<string[]>({
    meaning: 'Proxies whose X-Forwarded-For is believed',
    form: 'ADDRESS|CIDR,…',
    fallback: [],
    fallbackText: 'none',
    parse: networks,
  }),
  corsOrigins: setting<string[]>({
    meaning: 'Web origins that may call the API from a browser',
    form: 'ORIGIN,…',
    fallback: [],
    fallbackText: 'none',
    parse: origins,
  }),
  plans: setting<Plans>({
    meaning:
      'Quotas and caps of plans, where they differ from those of the table below, and further plans; the JSON object may also stand in the file as it is',
    form: 'JSON',
    fallback: CONTRACT_PLANS,
    fallbackText: 'free and paid',
    parse: parsePlans,
  }),
  defaultPlan: setting({
    meaning: 'Plan of people who sign themselves in, or come by an invitation',
    form: 'PLAN',
    fallback: 'free',
    parse: nonEmpty,
  }),
  invitedAccounts: setting<InvitedAccounts>({
    meaning:
      'Whose invitations make an account for a person who has none: those of organizations, share codes too (all), or nobody’s (off)',
    form: 'organizations|all|off',
    fallback: 'organizations',
    parse: oneOf('organizations', 'all', 'off'),
  }),
  maxInvitedAccounts: setting({
    meaning:
      'Accounts that the invitations of one person may make, together with those of the people who came by them; they have the default plan',
    form: 'NUMBER',
    fallback: 50,
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitPerMinute: setting({
    meaning: 'Requests a minute from one client address; 0 switches this limit off',
    form: 'NUMBER',
    fallback: 200,
    parse: wholeNumber(0, 1_000_000),
  }),
  agentWaits: setting({
    meaning: 'Tool calls of agents that may wait for a person in one account at a time',
    form: 'NUMBER',
    fallback: 32,
    parse: wholeNumber(1, 10_000),
  }),
  agentWaitsPerKey: setting({
    meaning: 'How many of them may be calls with one key',
    form: 'NUMBER',
    fallback: 8,
    parse: wholeNumber(1, 10_000),
  }),
  maxConnections: setting({
    meaning: 'Open client connections at most; more are closed at once and counted in the log',
    form: 'NUMBER',
    fallback: 10_000,
    parse: wholeNumber(1, 1_000_000),
  }),
  maxConnectionsPerAddress: setting({
    meaning:
      'Open connections of one client address at most; 0 switches this limit off. This machine and trusted proxies are not limited',
    form: 'NUMBER',
    fallback: 1000,
    parse: wholeNumber(0, 1_000_000),
  }),
  drainSeconds: setting({
    meaning:
      'Seconds after SIGTERM in which requests are still accepted while GET /ready is 503, so that a load balancer turns to other nodes',
    form: 'NUMBER',
    fallback: 0,
    parse: wholeNumber(0, 300),
  }),
  metricsPort: setting<number | undefined>({
    meaning:
      'Port for GET /metrics, in the format of Prometheus, and for GET /health and /ready, which a probe of “heliograph work” asks; 0 picks a free one',
    form: 'NUMBER',
    fallback: undefined,
    fallbackText: 'no metrics',
    parse: wholeNumber(0, 65_535),
  }),
  metricsHost: setting({
    meaning: 'Address on which that port listens. Metrics have no access control: open it to your network only',
    form: 'ADDRESS',
    fallback: '127.0.0.1',
    parse: nonEmpty,
  }),
  apnsKeyFile: setting<string | undefined>({
    meaning: 'Signing key for Apple devices, a .p8 file; needs the next three too',
    form: 'FILE',
    fallback: undefined,
    fallbackText: 'no pushes to Apple devices',
    parse: nonEmpty,
  }),
  apnsKeyId: setting<string | undefined>({
    meaning: 'Id of that key',
    form: 'ID',
    fallback: undefined,
    fallbackText: 'none',
    parse: nonEmpty,
  }),
  apnsTeamId: setting<string | undefined>({
    meaning: 'Apple developer team of that key',
    form: 'ID',
    fallback: undefined,
    fallbackText: 'none',
    parse: nonEmpty,
  }),
  apnsTopic: setting<string | undefined>({
    meaning: 'Bundle id of the app',
    form: 'BUNDLE-ID',
    fallback: undefined,
    fallbackText: 'none',
    parse: nonEmpty,
  }),
  apnsUrl: setting({
    meaning: 'Where Apple’s production push service is',
    form: 'URL',
    fallback: 'https://api.push.apple.com',
    parse: httpsUrl,
  }),
  apnsSandboxUrl: setting({
    meaning: 'Where Apple’s sandbox push service is',
    form: 'URL',
    fallback: 'https://api.sandbox.push.apple.com',
    parse: httpsUrl,
  }),
  barkKeyFile: setting<string | undefined>({
    meaning: 'Signing key for the Bark app, a .p8 file that you supply; needs the next two too',
    form: 'FILE',
    fallback: undefined,
    fallbackText: 'the Bark app is reached through a bark-server only',
    parse: nonEmpty,
  }),
  barkKeyId: setting<string | undefined>({
    meaning: 'Id of that key',
    form: 'ID',
    fallback: undefined,
    fallbackText: 'none',
    parse: nonEmpty,
  }),
  barkTeamId: setting<string | undefined>({
    meaning: 'Apple developer team of that key',
    form: 'ID',
    fallback: undefined,
    fallbackText: 'none',
    parse: nonEmpty,
  }),
  barkTopic: setting({
    meaning: 'Bundle id of the Bark app',
    form: 'BUNDLE-ID',
    fallback: 'me.fin.bark',
    parse: nonEmpty,
  }),
  appleAudience: setting<string[]>({
    meaning: 'Bundle ids whose users may sign in with Apple',
    form: 'BUNDLE-ID,…',
    fallback: [],
    fallbackText: 'no Sign in with Apple',
    parse: listOf,
  }),
  appleKeysUrl: setting({
    meaning: 'Where the keys are that Apple signs identity tokens with',
    form: 'URL',
    fallback: 'https://appleid.apple.com/auth/keys',
    parse: httpsOrLocalUrl,
  }),
  smtpUrl: setting<Secret | undefined>({
    meaning:
      'Mail server; needs the next one too. A password is sent over TLS only, unless the server is on this machine',
    form: 'smtp[s]://USER:PASSWORD@HOST:PORT',
    fallback: undefined,
    fallbackText: 'no e-mail',
    parse: smtpUrl,
    isSecret: true,
  }),
  mailFrom: setting<Mailbox | undefined>({
    meaning: 'Sender of every e-mail, an address alone or after a name: Heliograph <heliograph@example.org>',
    form: 'ADDRESS',
    fallback: undefined,
    fallbackText: 'none',
    parse: mailbox,
  }),
  outboundAllow: setting<string[]>({
    meaning: 'Private networks that Web Push and callbacks may reach all the same',
    form: 'ADDRESS|CIDR,…',
    fallback: [],
    fallbackText: 'none',
    parse: networks,
  }),
  answers: setting({
    meaning: 'Whether answers to notifications are recorded',
    form: 'on|off',
    fallback: true,
    fallbackText: 'on',
    parse: onOff,
  }),
  acknowledge: setting({
    meaning: 'Whether notifications may ask to be acknowledged; needs answers',
    form: 'on|off',
    fallback: true,
    fallbackText: 'on',
    parse: onOff,
  }),
  pictures: setting({
    meaning: 'Whether the server draws pictures of widgets and activities; their texts stay if not',
    form: 'on|off',
    fallback: true,
    fallbackText: 'on',
    parse: onOff,
  }),
  pictureProcesses: setting({
    meaning:
      'Processes that draw pictures, 0 for no pictures; each takes up to 300 MB while it draws, and ends a minute later',
    form: 'NUMBER',
    fallback: 1,
    parse: wholeNumber(0, 4),
  }),
  pictureCacheMb: setting({
    meaning: 'Megabytes of memory for finished pictures',
    form: 'NUMBER',
    fallback: 32,
    parse: wholeNumber(1, 4096),
  }),
  fontsDir: setting({
    meaning: 'Folder with fonts (.ttf, .otf, .woff) for pictures with letters of further scripts, such as Chinese',
    form: 'FOLDER',
    fallback: '',
    fallbackText: 'none',
    parse: (text: string) => text,
  }),
  screenLinks: setting({
    meaning: 'Whether links show widgets and activities without signing in; if not, those that exist answer 404',
    form: 'on|off',
    fallback: true,
    fallbackText: 'on',
    parse: onOff,
  }),
  doors: setting<DoorName[]>({
    meaning:
      'Services whose senders this server understands: ntfy at /ntfy, Gotify at /gotify, Pushover at /pushover, Bark at /bark, webhooks at /hooks; and TRMNL displays at /trmnl',
    form: `${DOOR_NAMES.join(',')}|none`,
    fallback: [...DOOR_NAMES],
    fallbackText: 'all',
    parse: listFrom(DOOR_NAMES),
  }),
  ntfyHost: setting<string | undefined>({
    meaning: 'Host name at whose root the server speaks like ntfy, for senders that take no path',
    form: 'HOST',
    fallback: undefined,
    fallbackText: 'none',
    parse: hostName,
  }),
  ntfyUpstream: setting<string | undefined>({
    meaning:
      'Server of ntfy that wakes the ntfy app on iPhones; it learns the hash of a topic’s address and the id of a message',
    form: 'URL',
    fallback: undefined,
    fallbackText: 'none',
    parse: httpsUrl,
  }),
  unifiedpush: setting<boolean | undefined>({
    meaning: 'Whether other apps on phones with the ntfy app get their pushes through this server (UnifiedPush)',
    form: 'on|off',
    fallback: undefined,
    fallbackText: 'on with a host for ntfy, else off',
    parse: onOff,
  }),
  gotifyHost: setting<string | undefined>({
    meaning: 'Host name at whose root the server speaks like Gotify',
    form: 'HOST',
    fallback: undefined,
    fallbackText: 'none',
    parse: hostName,
  }),
  barkHost: setting<string | undefined>({
    meaning: 'Host name at whose root the server speaks like bark-server, for senders that take no path',
    form: 'HOST',
    fallback: undefined,
    fallbackText: 'none',
    parse: hostName,
  }),
  attachmentMb: setting({
    meaning: 'Megabytes that an uploaded file may have. 0 switches uploads off',
    form: 'NUMBER',
    fallback: 15,
    parse: wholeNumber(0, 1024),
  }),
  attachmentDays: setting({
    meaning: 'Days for which senders may have a file kept; one that came through a door is kept for one',
    form: 'NUMBER',
    fallback: 7,
    parse: wholeNumber(1, 365),
  }),
  readRetentionDays: setting({
    meaning: 'Days until a read notification is deleted',
    form: 'NUMBER',
    fallback: 90,
    parse: wholeNumber(1, 36_500),
  }),
  unreadRetentionDays: setting({
    meaning: 'Days until an unread notification is deleted',
    form: 'NUMBER',
    fallback: 365,
    parse: wholeNumber(1, 36_500),
  }),
  inboxMegabytes: setting({
    meaning: 'Megabytes an inbox may have before its oldest notifications are deleted; 0: no bound',
    form: 'NUMBER',
    fallback: 1024,
    parse: wholeNumber(0, 1_000_000),
  }),
  logLevel: setting<LogLevel>({
    meaning: 'How much to log',
    form: 'trace|debug|info|warn|error|silent',
    fallback: 'info',
    parse: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  }),
  logFormat: setting<LogFormat | undefined>({
    meaning: 'One readable line or one JSON object per event',
    form: 'pretty|json',
    fallback: undefined,
    fallbackText: 'pretty on a terminal, else json',
    parse: oneOf('pretty', 'json'),
  }),
} as const

export type SettingName = keyof typeof SETTINGS
export type Config = { readonly [Name in SettingName]: (typeof SETTINGS)[Name]['fallback'] }

// dataDir is HELIOGRAPH_DATA_DIR, --data-dir and "data_dir".
const words = (name: string, joint: string) => name.replace(/[A-Z]/g, (letter) => joint + letter.toLowerCase())
export const environmentName = (name: string) => `HELIOGRAPH_${words(name, '_').toUpperCase()}`
// The variable that names a file with the value of a secret setting.
export const fileVariableName = (name: string) => `${environmentName(name)}_FILE`
export const flagName = (name: string) => `--${words(name, '-')}`
export const fileName = (name: SettingName) => words(name, '_')
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

export const publicUrlOf = ({ publicUrl, host, port }: Config): string => publicUrl ?? `http://${host}:${port}`

export const fallbackInWords = (name: SettingName): string => {
  const row: Setting<unknown> = SETTINGS[name]
  return row.fallbackText ?? String(row.fallback)
}

// A value of the type Secret must be marked as one.
function setting<Value>(row: Setting<Value> & (Secret extends Value ? { isSecret: true } : unknown)): Setting<Value> {
  return row
}
