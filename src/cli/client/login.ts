// heliograph login, logout and profiles: which servers this person uses, and with which token.
import { Command } from 'commander'
import type { AccountView } from '../../contract/accounts/account.ts'
import { StartError } from '../../domain/errors.ts'
import { type Profile, type Profiles, readProfiles, writeProfiles } from '../../runtime/client-settings.ts'
import { profileName, profilesFile } from '../../runtime/config.ts'
import { bearerToken, serverUrl } from '../../runtime/setting-values.ts'
import { columns, print, printableLine, withExample } from '../output.ts'
import { optionParser } from '../settings-options.ts'
import { apiOf, callServer } from './api.ts'
import { JSON_OPTION } from './arguments/options.ts'
import { readSecret } from './arguments/secret-input.ts'
import { ClientError, EXIT_CODES } from './errors.ts'

// The link of a QR code leads to another page of the console than the inbox.
const LINK = /^(.+?)\/app(?:\/[^#]*)?#signin=([^&]+)$/

type Options = { profile?: string; json?: boolean }

export function loginCommand(): Command {
  const command = new Command('login')
    .description('store a server and a token, so that other commands need neither')
    .summary('store a server and a token for other commands')
    .argument('<url>', 'address of the server, or a one-time sign-in link', optionParser(parseAddress))
    .option('--profile <name>', 'name to store them under (default: "default")')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nA sign-in link, as "heliograph signin" prints it, creates a token. With an\naddress the token is read from standard input, or asked for on a terminal.',
    )
  withExample(command, 'heliograph login https://helio.example < token.txt')
  return command.action(async ({ url, code }: Address, options: Options) => {
    const name = profileName(options)
    const stored = openProfiles()
    // A one-time code must not be used up for a token that cannot be stored.
    stored.save(stored.profiles)
    const token = code === undefined ? await readToken() : await tokenFor(url, code)
    const { body: account } = await apiOf({ url, token })<AccountView>('GET', '/auth/me')
    stored.save({ ...stored.profiles, [name]: { url, token } })
    const text = `logged in to ${url} as ${accountInWords(account)}; stored as profile ${name}`
    print(options.json, { profile: name, url, user_id: account.id, file: stored.file }, text)
  })
}

export function logoutCommand(): Command {
  const command = new Command('logout')
    .description('forget a stored server and token')
    .option('--profile <name>', 'the profile to forget (default: "default")')
    .option('--revoke', 'also make the token invalid; only a full-access token (hla_…)')
    .option(...JSON_OPTION)
  withExample(command, 'heliograph logout --profile work')
  return command.action(async (options: Options & { revoke?: boolean }) => {
    const name = profileName(options)
    const { profiles, save } = openProfiles()
    const { [name]: profile, ...others } = profiles
    if (!profile || !Object.hasOwn(profiles, name))
      throw new ClientError(EXIT_CODES.notFound, `there is no profile ${name}`)
    if (options.revoke) await apiOf(profile)('DELETE', '/auth/token')
    save(others)
    print(options.json, { profile: name, revoked: options.revoke === true }, `removed profile ${name}`)
  })
}

export function profilesCommand(): Command {
  const command = new Command('profiles').description('list the stored servers').option(...JSON_OPTION)
  withExample(command, 'heliograph profiles')
  return command.action((options: Options) => {
    const { profiles, file } = openProfiles()
    const current = profileName({})
    const items = Object.entries(profiles).map(([name, { url }]) => ({ name, url, current: name === current }))
    const rows = items.map((item) => [item.current ? '*' : ' ', item.name, printableLine(item.url)])
    print(options.json, { items, file }, columns(rows) || 'no profiles; "heliograph login URL" stores one')
  })
}

type Address = { url: string; code?: string }

function parseAddress(text: string): Address {
  const [, url = text, code] = LINK.exec(text) ?? []
  return { url: serverUrl(url), code }
}

async function readToken(): Promise<string> {
  const text = await readSecret('Token (hla_… or hlk_…): ')
  try {
    return bearerToken(text).reveal()
  } catch (error) {
    throw new ClientError(EXIT_CODES.usage, `standard input must be ${error instanceof Error ? error.message : error}`)
  }
}

async function tokenFor(url: string, code: string): Promise<string> {
  const { body } = await callServer<{ token: string }>(url, '/auth/link', { method: 'POST', headers: {} }, { code })
  return body.token
}

function accountInWords({ nickname, id, integration_key: key }: AccountView): string {
  const account = printableLine(nickname ?? id)
  return key ? `${account}, with the key ${printableLine(key.name)}` : account
}

type StoredProfiles = { file: string; profiles: Profiles; save(profiles: Profiles): void }

function openProfiles(): StoredProfiles {
  const file = profilesFile()
  if (!file) throw new StartError('there is no folder for profiles; set HOME or XDG_CONFIG_HOME')
  return {
    file,
    profiles: readProfiles(file),
    save: (profiles: Record<string, Profile>) => writeProfiles(file, profiles),
  }
}
