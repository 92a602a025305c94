// heliograph key alias create | list | rm: tokens of a key in the form that senders of another service expect.
import { Argument, Command } from 'commander'
import { ALIAS_DOORS, type AliasDoor } from '../../../contract/keys/doors.ts'
import type { AliasView, AliasWithToken } from '../../../contract/keys/keys.ts'
import { columns, commandGroup, print } from '../../output.ts'
import { apiFor } from '../api.ts'
import { asClient } from '../arguments/options.ts'
import { EXAMPLE_ID, showing } from '../common-commands.ts'

export const keyAliasCommand = (): Command =>
  commandGroup(
    'alias',
    'make tokens for programs that send to ntfy, Gotify or Pushover and check the form of a token',
    `heliograph key alias create ${EXAMPLE_ID} gotify`,
    [createCommand(), listCommand(), removeCommand()],
  ).summary('make tokens for programs of ntfy, Gotify and Pushover')

const KEY_ID = ['<key>', 'id of the key, as "heliograph key list" prints it'] as const
const pathOf = (keyId: string) => `/integrations/keys/${encodeURIComponent(keyId)}/aliases`

function createCommand(): Command {
  const command = new Command('create')
    .description('make an alias of a key; its token is printed once. It ends when the key is rolled or deleted')
    .argument(...KEY_ID)
    .addArgument(new Argument('<door>', 'the service whose programs use it').choices(ALIAS_DOORS))
  asClient(command, `heliograph key alias create ${EXAMPLE_ID} gotify`)
  return command.action(async (keyId: string, door: AliasDoor, options: { json?: boolean }) => {
    const { body } = await apiFor(command)<AliasWithToken>('POST', pathOf(keyId), { door })
    print(options.json, body, `${body.token}\nIt is shown only now.`)
  })
}

const listCommand = (): Command => {
  const command = new Command('list').description('list the aliases of a key, without their tokens').argument(...KEY_ID)
  const row = ({ id, door, created_at }: AliasView) => [id, door, `made ${created_at}`]
  const inWords = ({ items }: { items: AliasView[] }) => columns(items.map(row)) || 'no aliases yet'
  return showing(command, `heliograph key alias list ${EXAMPLE_ID}`, pathOf, inWords)
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
