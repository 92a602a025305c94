// What "heliograph help TOPIC" prints: texts that concern several commands and are too long for the help of each.
import { Help } from 'commander'
import { CLIENT_SETTINGS } from '../runtime/client-settings.ts'
import {
  environmentName,
  fallbackInWords,
  fileVariableName,
  flagName,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../runtime/settings.ts'
import { EXIT_CODES } from './client/errors.ts'
import { SETTING_GROUPS } from './setting-groups.ts'

export const HELP_TOPICS = { clients, settings }
export type HelpTopic = keyof typeof HELP_TOPICS

const WIDTH = 80

function clients(): string {
  return `Commands for senders are clients of a server and run on any machine.

The server and the token are taken from the first of these that has them:
  1. the flags --url and --profile
  2. the variables ${environmentName('url')} and ${environmentName('token')};
     ${fileVariableName('token')} names a file that holds the token
  3. the profile that ${environmentName('profile')} names, or the one named "${CLIENT_SETTINGS.profile.fallback}"
  4. for the address alone: ${CLIENT_SETTINGS.url.fallback}

"heliograph login" stores profiles in $XDG_CONFIG_HOME/heliograph/profiles.json,
or ~/.config/heliograph/profiles.json. The token of a profile is sent to the
server of that profile only. A token has no flag: other users of the machine can
read flags. An integration key (hlk_…) suffices for most commands; share, key,
device, and inbox --follow need a full-access token (hla_…).

--json prints the response of the server as one JSON object. Colours are used
on a terminal only, and not if NO_COLOR is set.

Exit codes:
  0  done
  1  failed on this machine, such as a file that cannot be written
  ${EXIT_CODES.usage}  wrong usage, or content that the server does not accept
  ${EXIT_CODES.refused}  refused by the server: token, permission, plan or conflict
  ${EXIT_CODES.notFound}  not found, or no longer valid
  ${EXIT_CODES.limited}  too many requests, or quota used up
  ${EXIT_CODES.unavailable}  server not reachable, or failed
  ${EXIT_CODES.unanswered}  nobody has answered or acknowledged

Example:
  HELIOGRAPH_URL=https://helio.example HELIOGRAPH_TOKEN=hlk_… heliograph me`
}

function settings(): string {
  return `A flag overrides the variable, which overrides the configuration file: the one
that --config names, or "heliograph.config.json" in the working folder. Other
users of the machine can read flags, so give addresses that hold a password by
variable or file. A secret can also be in a file of its own, which a variable
names: ${SECRETS.map(fileVariableName).join(', ')}.

${SETTING_GROUPS.map(describeGroup).join('\n\n')}

Example:
  HELIOGRAPH_PUBLIC_URL=https://helio.example heliograph serve --port 9000`
}

const SECRETS = SETTING_NAMES.filter((name) => SETTINGS[name].isSecret)

const describeGroup = ([heading, names]: [string, SettingName[]]): string =>
  [heading, ...names.map(describeSetting)].join('\n')

function describeSetting(name: SettingName): string {
  const { form, meaning } = SETTINGS[name]
  const text = `${meaning} (default: ${fallbackInWords(name)}; ${environmentName(name)})`
  const wrapped = new Help().boxWrap(text, WIDTH - 6)
  return [`  ${flagName(name)} <${form}>`, ...wrapped.split('\n').map((line) => `      ${line}`)].join('\n')
}
