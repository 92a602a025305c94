// heliograph mute source | thread | key | list | rm: what is stored and not pushed for a while.
import { Command } from 'commander'
import type { MuteInput, MuteView } from '../../../contract/holds.ts'
import { columns, print, printableLine, withExample } from '../../output.ts'
import { optionParser } from '../../settings-options.ts'
import { apiFor } from '../api.ts'
import { asClient, UNTIL_HELP, untilTime } from '../arguments/options.ts'

const MAX_SECONDS = 30 * 86_400

export function muteCommand(): Command {
  const command = new Command('mute')
    .description('stop the pushes of a source, a thread or a key for a while; needs a full-access token')
    .summary('stop the pushes of a source, a thread or a key')
    .addCommand(targetCommand('source', 'source', 'notifications of a source', 'ci'))
    .addCommand(targetCommand('thread', 'thread_id', 'notifications of a thread', 'deploys'))
    .addCommand(targetCommand('key', 'key_id', 'what a key sends', '0b9c3f0e-2f6b-4c1e-9c38-6d3f8f2f6a11'))
    .addCommand(listCommand())
    .addCommand(removeCommand())
  return withExample(command, 'heliograph mute source ci 8h')
}

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

function listCommand(): Command {
  const command = new Command('list').description('list what is muted, the first to end first')
  return asClient(command, 'heliograph mute list').action(async (options: { json?: boolean }) => {
    const { body } = await apiFor(command)<{ items: MuteView[] }>('GET', '/mutes')
    const rows = body.items.map(({ id, until, ...target }) => [id, ...targetOf(target), `until ${until}`])
    print(options.json, body, columns(rows) || 'nothing is muted')
  })
}

function targetOf({ source, thread_id, key_id }: Omit<MuteView, 'id' | 'until'>): [kind: string, name: string] {
  if (source !== undefined) return ['source', printableLine(source)]
  return thread_id === undefined ? ['key', key_id ?? ''] : ['thread', printableLine(thread_id)]
}

function removeCommand(): Command {
  const command = new Command('rm')
    .description('end a mute')
    .argument('<id>', 'id of the mute, as "heliograph mute list" prints it')
  asClient(command, 'heliograph mute rm 0b9c3f0e-2f6b-4c1e-9c38-6d3f8f2f6a11')
  return command.action(async (id: string, options: { json?: boolean }) => {
    await apiFor(command)('DELETE', `/mutes/${encodeURIComponent(id)}`)
    print(options.json, { id, deleted: true }, `ended mute ${id}`)
  })
}
