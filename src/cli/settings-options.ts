// Settings as command-line options, configuration read from them, and their parsers for other options.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { CONFIG_FILE, type Flags, loadConfig } from '../runtime/config.ts'
import {
  type Config,
  environmentName,
  fallbackInWords,
  flagName,
  SETTINGS,
  type SettingName,
} from '../runtime/settings.ts'
import { groupOf } from './setting-groups.ts'

export const DATABASE_SETTINGS: SettingName[] = ['dataDir', 'databaseUrl']
// Those that most servers set.
export const SHOWN_SETTINGS: SettingName[] = ['host', 'port', 'publicUrl', 'trustProxy', 'dataDir', 'databaseUrl']

// The help shows the options of `shown`; all are in "heliograph help settings".
export function withSettings(command: Command, names: SettingName[], shown = names): Command {
  command.option('--config <file>', `configuration file (default: ${CONFIG_FILE} in the working folder)`)
  for (const name of names) {
    const { form, meaning } = SETTINGS[name]
    const description = `${meaning} (default: ${fallbackInWords(name)}; ${environmentName(name)})`
    const option = new Option(`${flagName(name)} <${form}>`, description).helpGroup(groupOf(name))
    command.addOption(option.hideHelp(!shown.includes(name)))
  }
  if (shown.length < names.length) command.addHelpText('after', '\nAll settings: heliograph help settings')
  return command
}

// The names of plans are settings, so commander cannot have them as choices.
export function requirePlan(command: Command, plan: string): void {
  const { names } = configFrom(command).plans
  if (!names.includes(plan))
    command.error(`error: there is no plan "${plan}"; this server has ${names.join(', ')} (HELIOGRAPH_PLANS adds more)`)
}

export function configFrom(command: Command): Config {
  return loadConfig(command.optsWithGlobals() as Flags)
}

// Makes the parser of a setting one of an option.
export function optionParser<Value>(parse: (text: string) => Value) {
  return (text: string): Value => {
    try {
      return parse(text)
    } catch (error) {
      throw new InvalidArgumentError(`It must be ${error instanceof Error ? error.message : error}.`)
    }
  }
}
