// heliograph mute source | thread | key | list | rm: what is stored and not pushed for a while.
import { Command } from 'commander'
import type { MuteInput, MuteView } from '../../../contract/holds.ts'
import { commandGroup, print, printableLine } from '../../output.ts'
import { optionParser } from '../../settings-options.ts'
import { apiFor } from '../api.ts'
import { asClient, UNTIL_HELP, untilTime } from '../arguments/options.ts'
import { EXAMPLE_ID, listCommand, removeById } from '../common-commands.ts'

const MAX_SECONDS = 30 * 86_400

export const muteCommand = (): Command =>
  commandGroup(
    'mute',
    'stop the pushes of a source, a thread or a key for a while; needs a full-access token',
    'heliograph mute source ci 8h',
    [
      targetCommand('source', 'source', 'notifications of a source', 'ci'),
      targetCommand('thread', 'thread_id', 'notifications of a thread', 'deploys'),
      targetCommand('key', 'key_id', 'what a key sends', EXAMPLE_ID),
      listMutes(),
      removeById('mute', 'end a mute', '/mutes', 'ended'),
    ],
  ).summary('stop the pushes of a source, a thread or a key')

type Target = 'source' | 'thread_id' | 'key_id'

function targetCommand(word: string, member: Target, what: string, example: string): Command {
  const command = new Command(word)
    .description(`mute ${what}, or change until when it is muted`)
    .argument(`<${word}>`)
    .argument('<until>', `${UNTIL_HELP}; at most 30 days`, optionParser(untilTime(MAX_SECONDS)))
  asClient(command, `heliograph mute ${word} ${example} 8h`)
  return command.action(async (name: string, until: string, options: { json?: boolean }) => {
    const input: MuteInput = { [member]: name, until }
    const { body } = await apiFor(command)<MuteView>('PUT', '/mutes', input)
    print(options.json, body, `muted ${printableLine(name)} until ${body.until}\n${body.id}`)
  })
}

const listMutes = (): Command =>
  listCommand<MuteView>('mute', 'list what is muted, the first to end first', {
    path: '/mutes',
    row: ({ id, until, ...target }) => [id, ...targetOf(target), `until ${until}`],
    none: 'nothing is muted',
  })

function targetOf({ source, thread_id, key_id }: Omit<MuteView, 'id' | 'until'>): [kind: string, name: string] {
  if (source !== undefined) return ['source', printableLine(source)]
  return thread_id === undefined ? ['key', key_id ?? ''] : ['thread', printableLine(thread_id)]
}
