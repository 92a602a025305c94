// heliograph key alias create | list | rm: tokens of a key in the form that senders of another service expect.
import { Argument, Command } from 'commander'
import { ALIAS_DOORS, type AliasDoor } from '../../../contract/keys/doors.ts'
import type { AliasView, AliasWithToken } from '../../../contract/keys/keys.ts'
import { columns, print, withExample } from '../../output.ts'
import { apiFor } from '../api.ts'
import { asClient } from '../arguments/options.ts'

export function keyAliasCommand(): Command {
  const command = new Command('alias')
    .description('make tokens for programs that send to ntfy, Gotify or Pushover and check the form of a token')
    .summary('make tokens for programs of ntfy, Gotify and Pushover')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand())
  return withExample(command, `heliograph key alias create ${EXAMPLE_KEY} gotify`)
}

const EXAMPLE_KEY = '0b9c3f0e-2f6b-4c1e-9c38-6d3f8f2f6a11'
const KEY_ID = ['<key>', 'id of the key, as "heliograph key list" prints it'] as const
const pathOf = (keyId: string) => `/integrations/keys/${encodeURIComponent(keyId)}/aliases`

function createCommand(): Command {
  const command = new Command('create')
    .description('make an alias of a key; its token is printed once. It ends when the key is rolled or deleted')
    .argument(...KEY_ID)
    .addArgument(new Argument('<door>', 'the service whose programs use it').choices(ALIAS_DOORS))
  asClient(command, `heliograph key alias create ${EXAMPLE_KEY} gotify`)
  return command.action(async (keyId: string, door: AliasDoor, options: { json?: boolean }) => {
    const { body } = await apiFor(command)<AliasWithToken>('POST', pathOf(keyId), { door })
    print(options.json, body, `${body.token}\nIt is shown only now.`)
  })
}

function listCommand(): Command {
  const command = new Command('list').description('list the aliases of a key, without their tokens').argument(...KEY_ID)
  asClient(command, `heliograph key alias list ${EXAMPLE_KEY}`)
  return command.action(async (keyId: string, options: { json?: boolean }) => {
    const { body } = await apiFor(command)<{ items: AliasView[] }>('GET', pathOf(keyId))
    const rows = body.items.map(({ id, door, created_at }) => [id, door, `made ${created_at}`])
    print(options.json, body, columns(rows) || 'no aliases yet')
  })
}

function removeCommand(): Command {
  const command = new Command('rm')
    .description('end an alias; it stops working at once')
    .argument(...KEY_ID)
    .argument('<id>', 'id of the alias, as "heliograph key alias list" prints it')
  asClient(command, 'heliograph key alias rm "$KEY_ID" "$ALIAS_ID"')
  return command.action(async (keyId: string, id: string, options: { json?: boolean }) => {
    await apiFor(command)('DELETE', `${pathOf(keyId)}/${encodeURIComponent(id)}`)
    print(options.json, { id, deleted: true }, `ended alias ${id}`)
  })
}
