// Every setting, one row each. The rows drive flags, environment, configuration file, --help and the documentation.
import ipaddr from 'ipaddr.js'
import type { LogFormat, LogLevel } from './log.ts'
import { Secret } from './secret.ts'

export type Setting<Value> = {
  meaning: string
  // What --help and the documentation show in place of a value.
  form: string
  fallback: Value
  // The default in words, where the value itself does not say it.
  fallbackText?: string
  // Throws an Error whose message completes "HELIOGRAPH_X must be …".
  parse: (text: string) => Value
}

export const SETTINGS = {
  host: setting({ meaning: 'Address to listen on', form: 'ADDRESS', fallback: '127.0.0.1', parse: nonEmpty }),
  port: setting({
    meaning: 'Port to listen on; 0 picks a free one',
    form: 'NUMBER',
    fallback: 8080,
    parse: wholeNumber(0, 65_535),
  }),
  dataDir: setting({
    meaning: 'Folder for the SQLite file and generated secrets',
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
  rateLimitPerMinute: setting({
    meaning: 'Requests a minute from one client address; 0 switches this limit off',
    form: 'NUMBER',
    fallback: 200,
    parse: wholeNumber(0, 1_000_000),
  }),
  maxConnections: setting({
    meaning: 'Open client connections at most; more are closed at once',
    form: 'NUMBER',
    fallback: 10_000,
    parse: wholeNumber(1, 1_000_000),
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
const words = (name: SettingName, joint: string) => name.replace(/[A-Z]/g, (letter) => joint + letter.toLowerCase())
export const environmentName = (name: SettingName) => `HELIOGRAPH_${words(name, '_').toUpperCase()}`
export const flagName = (name: SettingName) => `--${words(name, '-')}`
export const fileName = (name: SettingName) => words(name, '_')
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

export const fallbackInWords = (name: SettingName): string => {
  const row: Setting<unknown> = SETTINGS[name]
  return row.fallbackText ?? String(row.fallback)
}

function setting<Value>(row: Setting<Value>): Setting<Value> {
  return row
}

function nonEmpty(text: string): string {
  if (text.trim() === '') throw new Error('a value, not empty')
  return text
}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) throw new Error(`a whole number from ${min} to ${max}`)
    return value
  }
}

function oneOf<const Value extends string>(...values: Value[]) {
  return (text: string): Value => {
    const found = values.find((value) => value === text)
    if (!found) throw new Error(`one of ${values.join(', ')}`)
    return found
  }
}

function httpUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('an http:// or https:// address')
  return text.replace(/\/+$/, '')
}

function httpsUrl(text: string): string {
  if (URL.parse(text)?.protocol !== 'https:') throw new Error('an https:// address')
  return text.replace(/\/+$/, '')
}

function onOff(text: string): boolean {
  return oneOf('on', 'off')(text) === 'on'
}

function postgresUrl(text: string): Secret {
  const url = URL.parse(text)
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw new Error('an address that begins with postgres://')
  if (!isDecodable(text))
    throw new Error('an address in which every % that is part of a name or password is written %25')
  return new Secret(text)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const parts = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function networks(text: string): string[] {
  for (const part of parts(text)) {
    if (!ipaddr.isValid(part) && !ipaddr.isValidCIDR(part))
      throw new Error(`IP addresses or CIDRs joined by commas; "${part}" is neither`)
  }
  return parts(text)
}

function origins(text: string): string[] {
  for (const part of parts(text)) {
    if (URL.parse(part)?.origin !== part)
      throw new Error(`origins such as https://example.org joined by commas; "${part}" is none`)
  }
  return parts(text)
}
