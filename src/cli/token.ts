// heliograph token create
import { Command } from 'commander'
import { createToken, requireUserByName } from '../operations/accounts/accounts.ts'
import { administration, type OpenContext } from './administration.ts'
import { commandGroup, print, withExample } from './output.ts'
import { DATABASE_SETTINGS, withSettings } from './settings-options.ts'

export const tokenCommand = (open: OpenContext): Command =>
  commandGroup('token', 'make tokens for accounts', 'heliograph token create --user ada', [createCommand(open)])

function createCommand(open: OpenContext): Command {
  const command = new Command('create')
    .description('make a full-access token (hla_…) for an account')
    .requiredOption('--user <name>', 'whose token')
    .option('--widget', 'make a token that only reads widgets (hlw_…)')
    .option('--json', 'print one JSON object')
  withExample(withSettings(command, DATABASE_SETTINGS), 'heliograph token create --user ada')
  return administration(open, command, async (ctx, options: { user: string; widget?: boolean; json?: boolean }) => {
    const user = await requireUserByName(ctx, options.user)
    const token = await createToken(ctx, user.id, options.widget ? 'hlw' : 'hla')
    print(options.json, { token }, token)
  })
}
