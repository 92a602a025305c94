// heliograph token create
import { Command } from 'commander'
import { createToken, requireUserByName } from '../operations/accounts/accounts.ts'
import { administer, type OpenContext } from './administration.ts'
import { print, withExample } from './output.ts'
import { DATABASE_SETTINGS, withSettings } from './settings-options.ts'

export function tokenCommand(open: OpenContext): Command {
  const command = new Command('token').description('make tokens for accounts').addCommand(createCommand(open))
  return withExample(command, 'heliograph token create --user ada')
}

function createCommand(open: OpenContext): Command {
  const command = new Command('create')
    .description('make a full-access token (hla_…) for an account')
    .requiredOption('--user <name>', 'whose token')
    .option('--widget', 'make a token that only reads widgets (hlw_…)')
    .option('--json', 'print one JSON object')
  withExample(withSettings(command, DATABASE_SETTINGS), 'heliograph token create --user ada')
  return command.action((options: { user: string; widget?: boolean; json?: boolean }) =>
    administer(open, command, async (ctx) => {
      const user = await requireUserByName(ctx, options.user)
      const token = await createToken(ctx, user.id, options.widget ? 'hlw' : 'hla')
      print(options.json, { token }, token)
    }),
  )
}
