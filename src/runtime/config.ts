// Reads the settings: flags override the environment, which overrides the configuration file. The only reader of the
// environment.
import { delimiter, isAbsolute, join } from 'node:path'
import { SettingError } from '../domain/errors.ts'
import {
  CLIENT_SETTINGS,
  type ClientConfig,
  isReadableByOthers,
  type Profile,
  readIfThere,
  readProfiles,
} from './client-settings.ts'
import {
  type Config,
  environmentName,
  fileName,
  fileVariableName,
  flagName,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
} from './settings.ts'

// `config`: the configuration file to read.
export type Flags = Partial<Record<SettingName | 'config', string>>
export type ClientFlags = { url?: string; profile?: string }
export type Environment = Record<string, string | undefined>

// Where a value may come from, and the text found there, if any.
type Source = [place: string, text: string | undefined]

export const CONFIG_FILE = 'heliograph.config.json'

export function loadConfig(
  flags: Flags = {},
  environment: Environment = process.env,
  defaultFile = CONFIG_FILE,
): Config {
  const file = flags.config ?? defaultFile
  const fromFile = readConfigFile(file, flags.config !== undefined)
  const mistakes = unknownSettings(fromFile).map((name) => `"${name}" in ${file} is no setting`)
  const config: Partial<Record<SettingName, unknown>> = {}
  const sourcesOf = (name: SettingName): Source[] => [
    [flagName(name), flags[name]],
    fromEnvironment(name, environment, SETTINGS[name].isSecret),
    [`"${fileName(name)}" in ${file}`, fromFile[fileName(name)]],
  ]
  for (const name of SETTING_NAMES) config[name] = readSetting(SETTINGS[name], mistakes, sourcesOf(name))
  const { plans, defaultPlan = '' } = config as Partial<Config>
  if (plans && !plans.names.includes(defaultPlan)) {
    mistakes.push(`${chosen(sourcesOf('defaultPlan'))?.[0]} must be one of ${plans.names.join(', ')}`)
  }
  failOn(mistakes)
  return Object.freeze(config) as Config
}

// heliograph.config.json is not read: a file in a foreign working folder could send the token to another server.
export function loadClientConfig(flags: ClientFlags = {}, environment: Environment = process.env): ClientConfig {
  const mistakes: string[] = []
  const profile = findProfile(flags, environment)
  const sources = (name: 'url' | 'token'): Source[] => {
    const variable = fromEnvironment(name, environment, CLIENT_SETTINGS[name].isSecret)
    if (!profile) return [variable]
    const stored: Source = [`"${name}" of profile ${profile.name}`, profile[name]]
    return flags.profile === undefined ? [variable, stored] : [stored, variable]
  }
  const url = readSetting(CLIENT_SETTINGS.url, mistakes, [[flagName('url'), flags.url], ...sources('url')])
  // The token of a profile is sent to the server of that profile and to no other.
  const tokens = url === profile?.url ? sources('token') : [fromEnvironment('token', environment, true)]
  const token = readSetting(CLIENT_SETTINGS.token, mistakes, tokens)
  failOn(mistakes)
  return Object.freeze({ url, token, profile: profile?.name, warnings: profile?.warnings ?? [] }) as ClientConfig
}

// Undefined if no folder for it is known.
export function profilesFile(environment: Environment = process.env): string | undefined {
  const { XDG_CONFIG_HOME = '', HOME, USERPROFILE } = environment
  // The XDG specification tells programs to ignore relative paths.
  const home = HOME || USERPROFILE
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : home && join(home, '.config')
  return base ? join(base, 'heliograph', 'profiles.json') : undefined
}

// Where a command keeps what it may lose.
export function cacheFolder(environment: Environment = process.env): string | undefined {
  const { XDG_CACHE_HOME = '', HOME, USERPROFILE } = environment
  const home = HOME || USERPROFILE
  const base = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : home && join(home, '.cache')
  return base ? join(base, 'heliograph') : undefined
}

// The name that flag or environment give, else the default.
export function profileName(flags: ClientFlags, environment: Environment = process.env): string {
  return flags.profile || fromEnvironment('profile', environment)[1] || CLIENT_SETTINGS.profile.fallback
}

type FoundProfile = Profile & { name: string; warnings: string[] }

// Undefined if nobody has asked for a profile by name and there is no default one.
function findProfile(flags: ClientFlags, environment: Environment): FoundProfile | undefined {
  const name = profileName(flags, environment)
  const isNamed = flags.profile !== undefined || fromEnvironment('profile', environment)[1] !== undefined
  const hasUrl = (flags.url ?? fromEnvironment('url', environment)[1]) !== undefined
  // A damaged file must not stop a program that is told address and token.
  const isNeeded = isNamed || !hasUrl || fromEnvironment('token', environment, true)[1] === undefined
  const file = profilesFile(environment)
  const profiles = isNeeded && file ? readProfiles(file) : {}
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (!profile && isNamed) throw new SettingError(noSuchProfile(name, Object.keys(profiles)))
  if (!profile || !file) return undefined
  const warnings = isReadableByOthers(file) ? [`other users can read ${file}; run chmod 600 on it`] : []
  return { ...profile, name, warnings }
}

function noSuchProfile(name: string, names: string[]): string {
  const others = names.length > 0 ? `; there are ${names.join(', ')}` : ''
  return `there is no profile ${name}${others}. "heliograph login URL --profile ${name}" creates it`
}

// What the program itself must know of the variables of OpenTelemetry; its SDK reads them all.
export type TracingVariables = {
  // Undefined if the operator names the service.
  serviceName: string | undefined
  // Whether the operator chooses what is exported about the process.
  hasDetectors: boolean
}

// Undefined if no traces are wanted.
export function loadTracingVariables(environment: Environment = process.env): TracingVariables | undefined {
  const names = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_TRACES_EXPORTER']
  const isOff = environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || environment.OTEL_TRACES_EXPORTER === 'none'
  if (isOff || !names.some((name) => environment[name])) return undefined
  const isNamed = environment.OTEL_SERVICE_NAME || environment.OTEL_RESOURCE_ATTRIBUTES?.includes('service.name=')
  return {
    serviceName: isNamed ? undefined : 'heliograph',
    hasDetectors: Boolean(environment.OTEL_NODE_RESOURCE_DETECTORS),
  }
}

// Variables with our prefix that no setting has, and the setting whose name is nearest, if one is near.
export function unknownVariables(environment: Environment = process.env): { name: string; nearest?: string }[] {
  const prefix = environmentName('')
  const known = Object.entries<Setting<unknown>>({ ...SETTINGS, ...CLIENT_SETTINGS })
    .flatMap(([name, { isSecret }]) => [environmentName(name), ...(isSecret ? [fileVariableName(name)] : [])])
    .map((name) => name.replace(prefix, ''))
  const own = Object.keys(environment).flatMap((name) => (name.startsWith(prefix) ? [name.replace(prefix, '')] : []))
  return own
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, nearest: nearestName(name, known) }))
    .map(({ name, nearest }) => ({ name: prefix + name, nearest: nearest && prefix + nearest }))
}

// Containers set variables to the empty text; that counts as unset.
function fromEnvironment(name: string, environment: Environment, isSecret = false): Source {
  const variable = environmentName(name)
  const text = environment[variable] || undefined
  const file = isSecret ? environment[fileVariableName(name)] || undefined : undefined
  if (file === undefined) return [variable, text]
  if (text !== undefined) throw new SettingError(`set ${variable} or ${fileVariableName(name)}, not both`)
  return [`the content of ${fileVariableName(name)} (${file})`, readNamed(file, fileVariableName(name))]
}

// Editors and "echo" end a file with a line break, which is not part of the value.
const readNamed = (file: string, place: string): string => requireFile(file, place).replace(/\r?\n$/, '')

function requireFile(file: string, place: string): string {
  const text = readIfThere(file)
  if (text === undefined) throw new SettingError(`there is no file ${file}, which ${place} names`)
  return text
}

const chosen = (sources: Source[]): Source | undefined => sources.find(([, text]) => text !== undefined)

// Undefined, and one more mistake, if the value is bad.
function readSetting(setting: Setting<unknown>, mistakes: string[], sources: Source[]): unknown {
  const source = chosen(sources)
  try {
    return source ? setting.parse(String(source[1])) : setting.fallback
  } catch (error) {
    mistakes.push(`${source?.[0]} must be ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

function failOn(mistakes: string[]): void {
  if (mistakes.length > 0) throw new SettingError(mistakes.join('; '))
}

// Lists may be written as JSON arrays; numbers and objects as they are.
function readConfigFile(file: string, isNamed: boolean): Record<string, string | undefined> {
  const text = isNamed ? requireFile(file, '--config') : readIfThere(file)
  if (text === undefined) return {}
  const entries = Object.entries(parseObject(text, file))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : textOf(value)]),
  )
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function unknownSettings(fromFile: Record<string, unknown>): string[] {
  const known = new Set(SETTING_NAMES.map(fileName))
  return Object.keys(fromFile).filter((name) => !known.has(name))
}

function parseObject(text: string, file: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new SettingError(`${file} must hold one JSON object: ${(error as SyntaxError).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new SettingError(`${file} must hold one JSON object`)
}

// Half of a short name: with fewer equal letters the likeness is a coincidence.
const mostEdits = (name: string) => Math.min(3, Math.floor(name.length / 2))

// The known name that a mistyped one probably means.
function nearestName(name: string, known: string[]): string | undefined {
  const distances = known.map((candidate) => ({ candidate, edits: editDistance(name, candidate) }))
  const [nearest] = distances.toSorted((a, b) => a.edits - b.edits)
  return nearest && nearest.edits <= mostEdits(name) ? nearest.candidate : undefined
}

// Levenshtein: the least number of letters to insert, delete or replace. One row of the table at a time.
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

// For a program that this one starts.
export const environmentWith = (added: Environment, environment: Environment = process.env): Environment => ({
  ...environment,
  ...added,
})

// Where the system looks for commands.
export const commandFolders = (environment: Environment = process.env): string[] =>
  (environment.PATH ?? '').split(delimiter)

// systemd names the process that it has started itself; processes below that inherit the variable.
export const isStartedBySystemd = (environment: Environment = process.env): boolean =>
  environment.SYSTEMD_EXEC_PID === String(process.pid)
