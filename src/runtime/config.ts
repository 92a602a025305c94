// Reads the settings: flags override the environment, which overrides heliograph.config.json. The only reader of the
// environment.

import { readFileSync } from 'node:fs'
import { errorCode } from '../domain/error-code.ts'
import { StartError } from '../domain/start-error.ts'
import {
  type Config,
  environmentName,
  fileName,
  flagName,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
} from './settings.ts'

export type Flags = Partial<Record<SettingName, string>>
export type Environment = Record<string, string | undefined>

const CONFIG_FILE = 'heliograph.config.json'

export function loadConfig(flags: Flags = {}, environment: Environment = process.env, file = CONFIG_FILE): Config {
  const fromFile = readConfigFile(file)
  const mistakes = unknownSettings(fromFile).map((name) => `"${name}" in ${file} is no setting`)
  const config: Partial<Record<SettingName, unknown>> = {}
  for (const name of SETTING_NAMES) {
    const row: Setting<unknown> = SETTINGS[name]
    const source = [
      [flagName(name), flags[name]],
      [environmentName(name), environment[environmentName(name)] || undefined],
      [`"${fileName(name)}" in ${file}`, fromFile[fileName(name)]],
    ].find(([, text]) => text !== undefined)
    try {
      config[name] = source ? row.parse(String(source[1])) : row.fallback
    } catch (error) {
      mistakes.push(`${source?.[0]} must be ${error instanceof Error ? error.message : error}`)
    }
  }
  if (mistakes.length > 0) throw new StartError(mistakes.join('; '))
  return Object.freeze(config) as Config
}

// Lists may be written as JSON arrays; numbers as numbers.
function readConfigFile(file: string): Record<string, string | undefined> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const reason = errorCode(error) ?? error
    if (reason === 'ENOENT' || reason === 'ENOTDIR') return {}
    throw new StartError(`${file} cannot be read (${reason})`)
  }
  const entries = Object.entries(parseObject(text, file))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  )
}

function unknownSettings(fromFile: Record<string, unknown>): string[] {
  const known = new Set(SETTING_NAMES.map(fileName))
  return Object.keys(fromFile).filter((name) => !known.has(name))
}

function parseObject(text: string, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Reported below, like any other value that is not an object.
  }
  throw new StartError(`${file} must hold one JSON object`)
}
