// heliograph hook list | storm: the addresses at which other services report.
import type { Command } from 'commander'
import type { HookView } from '../../../contract/hooks.ts'
import { commandGroup, printableLine } from '../../output.ts'
import { listCommand } from '../common-commands.ts'
import { stormCommand } from './storm.ts'

const PATH = '/integrations/hooks'

export const hookCommand = (): Command =>
  commandGroup(
    'hook',
    'list webhooks and limit their pushes; needs a full-access token or the default key',
    'heliograph hook list',
    [listHooks(), stormCommand('hook', PATH)],
  ).summary('list webhooks and limit their pushes')

const listHooks = (): Command =>
  listCommand<HookView>('hook', 'list the webhooks, without their addresses', {
    path: PATH,
    row: ({ id, name, kind, storm, last_received_at }) => [
      id,
      printableLine(name),
      kind,
      storm ? `${storm.pushes_per_minute} pushes a minute` : 'no limit',
      `received ${last_received_at ?? 'never'}`,
    ],
    none: 'no webhooks yet',
  })
