// heliograph key create | list | roll | storm | rm | alias: integration keys, one for each program.
import { Command } from 'commander'
import type { KeyInput, KeyView, KeyWithSecret } from '../../../contract/keys/keys.ts'
import { columns, commandGroup, print, printableLine } from '../../output.ts'
import { optionParser } from '../../settings-options.ts'
import { apiFor } from '../api.ts'
import { asClient, numberWithin, repeatable, timestampIn, withDuration } from '../arguments/options.ts'
import { EXAMPLE_ID, removeById } from '../common-commands.ts'
import { keyAliasCommand } from './key-alias.ts'
import { stormCommand } from './storm.ts'

const YEAR_SECONDS = 365 * 86_400

export const keyCommand = (): Command =>
  commandGroup(
    'key',
    'make keys for programs; needs a full-access token or the default key',
    'heliograph key create CI --permission notifications:send',
    [
      createCommand(),
      listCommand(),
      rollCommand(),
      stormCommand('key', '/integrations/keys'),
      removeById('key', 'delete a key; it stops working at once', '/integrations/keys', 'deleted'),
      keyAliasCommand(),
    ],
  ).summary('make keys for programs')

type Permission = [resource: string, level: string]
type CreateOptions = {
  permission?: Permission[]
  activity?: string[]
  widget?: string[]
  expires?: number
  storm?: number
  json?: boolean
}

function createCommand(): Command {
  const command = new Command('create')
    .description('make a key; it is printed once')
    .argument('<name>', 'name of the program')
    .addOption(repeatable('--permission <resource:level>', 'such as widgets:write; repeatable', permission))
    .addOption(repeatable('--activity <slug>', 'only these activities; "deploy-*" for a prefix', (text) => text))
    .addOption(repeatable('--widget <slug>', 'only these widgets; "ci-*" for a prefix', (text) => text))
  withDuration(command, '--expires <duration>', 'how long it is valid, such as 90d', { min: 1, max: 10 * YEAR_SECONDS })
  command.option('--storm <pushes>', 'most pushes a minute, from 1 to 600', optionParser(numberWithin(1, 600)))
  command.addHelpText(
    'after',
    `
Permissions:
  activities      read, update, manage
  notifications   send, schedule
  widgets         read, write
  emails          send
Without --permission the key may update activities and send notifications.`,
  )
  asClient(command, "heliograph key create CI --permission widgets:write --widget 'ci-*'")
  return command.action(async (name: string, options: CreateOptions) => {
    const { body } = await apiFor(command)<KeyWithSecret>('POST', '/integrations/keys', keyFrom(name, options))
    print(options.json, body, `${body.key}\nIt is shown only now.`)
  })
}

// The server checks the names of resources and levels.
function keyFrom(name: string, { permission: permissions, activity, widget, expires, storm }: CreateOptions): KeyInput {
  return {
    name,
    permissions: permissions && Object.fromEntries(permissions),
    activity_slugs: activity,
    widget_slugs: widget,
    expires_at: expires === undefined ? undefined : timestampIn(expires),
    storm: storm === undefined ? undefined : { pushes_per_minute: storm },
  }
}

function permission(text: string): Permission {
  const [, resource, level] = /^([a-z]+):([a-z]+)$/.exec(text) ?? []
  if (!resource || !level) throw new Error('of the form RESOURCE:LEVEL, such as notifications:send')
  return [resource, level]
}

function listCommand(): Command {
  const command = new Command('list').description('list the keys, without their secrets')
  return asClient(command, 'heliograph key list').action(async (options: { json?: boolean }) => {
    const { body } = await apiFor(command)<KeyView[] | { items: KeyView[] }>('GET', '/integrations/keys')
    // A full-access token gets a bare array.
    const items = Array.isArray(body) ? body : body.items
    const rows = items.map((key) => [
      key.id,
      printableLine(key.name),
      permissionsInWords(key),
      `used ${key.last_used_at ?? 'never'}`,
    ])
    print(options.json, { items }, columns(rows) || 'no keys yet')
  })
}

function permissionsInWords({ permissions }: KeyView): string {
  const granted = Object.entries(permissions).filter(([, level]) => level !== 'none')
  return granted.map(([resource, level]) => `${resource}:${level}`).join(',') || 'nothing'
}

function rollCommand(): Command {
  const command = new Command('roll')
    .description('replace the secret of a key; the old one stops working at once')
    .argument('<id>', 'id of the key, as "heliograph key list" prints it')
  asClient(command, `heliograph key roll ${EXAMPLE_ID}`)
  return command.action(async (id: string, options: { json?: boolean }) => {
    const { body } = await apiFor(command)<KeyWithSecret>('POST', `/integrations/keys/${encodeURIComponent(id)}/roll`)
    print(options.json, body, `${body.key}\nIt is shown only now.`)
  })
}
