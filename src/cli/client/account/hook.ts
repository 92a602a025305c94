// heliograph hook list | storm: the addresses at which other services report.
import { Command } from 'commander'
import type { HookView } from '../../../contract/hooks.ts'
import { columns, print, printableLine, withExample } from '../../output.ts'
import { apiFor } from '../api.ts'
import { asClient } from '../arguments/options.ts'
import { stormCommand } from './storm.ts'

const PATH = '/integrations/hooks'

export function hookCommand(): Command {
  const command = new Command('hook')
    .description('list webhooks and limit their pushes; needs a full-access token or the default key')
    .summary('list webhooks and limit their pushes')
    .addCommand(listCommand())
    .addCommand(stormCommand('hook', PATH))
  return withExample(command, 'heliograph hook list')
}

function listCommand(): Command {
  const command = new Command('list').description('list the webhooks, without their addresses')
  return asClient(command, 'heliograph hook list').action(async (options: { json?: boolean }) => {
    const { body } = await apiFor(command)<{ items: HookView[] }>('GET', PATH)
    const rows = body.items.map(({ id, name, kind, storm, last_received_at }) => [
      id,
      printableLine(name),
      kind,
      storm ? `${storm.pushes_per_minute} pushes a minute` : 'no limit',
      `received ${last_received_at ?? 'never'}`,
    ])
    print(options.json, body, columns(rows) || 'no webhooks yet')
  })
}
