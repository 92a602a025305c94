// heliograph signin
import { Command } from 'commander'
import { Problem } from '../contract/problems.ts'
import { allUsers, createSignInCode, requireUserByName } from '../operations/accounts/accounts.ts'
import { signInUrl } from '../operations/accounts/sessions.ts'
import type { Context } from '../operations/context.ts'
import { publicUrlOf } from '../runtime/settings.ts'
import { administer, type OpenContext } from './administration.ts'
import { withExample } from './help-text.ts'
import { print } from './output.ts'
import { DATABASE_SETTINGS, withSettings } from './settings-options.ts'

export function signInCommand(open: OpenContext): Command {
  const command = new Command('signin')
    .description('print a new one-time sign-in link, valid for ten minutes')
    .option('--user <name>', 'whose link (default: the first account)')
    .option('--json', 'print one JSON object')
  withExample(
    withSettings(command, [...DATABASE_SETTINGS, 'publicUrl', 'host', 'port']),
    'heliograph signin --user ada',
  )
  return command.action((options: { user?: string; json?: boolean }) =>
    administer(open, command, async (ctx) => {
      const user = options.user ? await requireUserByName(ctx, options.user) : (await allUsers(ctx))[0]
      if (!user) throw new Problem('user.not_found', 'There is no account yet; start the server or add one first.')
      const link = await signInLink(ctx, user.id, publicUrlOf(ctx.config))
      print(options.json, { url: link }, link)
    }),
  )
}

export async function signInLink(
  ctx: Context,
  userId: Parameters<typeof createSignInCode>[1],
  publicUrl: string,
): Promise<string> {
  return signInUrl(publicUrl, await createSignInCode(ctx, userId))
}
