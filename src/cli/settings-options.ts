// Settings as command-line options, and configuration read from them.
import { type Command, Option } from 'commander'
import { type Flags, loadConfig } from '../runtime/config.ts'
import {
  type Config,
  environmentName,
  fallbackInWords,
  flagName,
  SETTINGS,
  type SettingName,
} from '../runtime/settings.ts'

export const DATABASE_SETTINGS: SettingName[] = ['dataDir', 'databaseUrl']

export function withSettings(command: Command, names: SettingName[]): Command {
  for (const name of names) {
    const { form, meaning } = SETTINGS[name]
    const description = `${meaning} (default: ${fallbackInWords(name)}; ${environmentName(name)})`
    command.addOption(new Option(`${flagName(name)} <${form}>`, description))
  }
  return command
}

export function configFrom(command: Command): Config {
  return loadConfig(command.optsWithGlobals() as Flags)
}
