// heliograph signin
import { Command } from 'commander'
import { Problem } from '../contract/problems.ts'
import { allUsers, createSignInCode, requireUserByName } from '../operations/accounts/accounts.ts'
import { signInUrl } from '../operations/accounts/sessions.ts'
import type { Context } from '../operations/context.ts'
import { servingAddress } from '../runtime/serving-address.ts'
import { administration, type OpenContext } from './administration.ts'
import { print, withExample } from './output.ts'
import { DATABASE_SETTINGS, withSettings } from './settings-options.ts'
import { isPhoneReachable } from './welcome.ts'

export function signInCommand(open: OpenContext): Command {
  const command = new Command('signin')
    .description('print a new one-time sign-in link, valid for ten minutes')
    .option('--user <name>', 'whose link (default: the first account)')
    .option('--qr', 'also print it as a QR code, for the camera of a phone')
    .option('--json', 'print one JSON object')
  withExample(
    withSettings(command, [...DATABASE_SETTINGS, 'publicUrl', 'host', 'port']),
    'heliograph signin --user ada',
  )
  return administration(open, command, async (ctx, options: { user?: string; qr?: boolean; json?: boolean }) => {
    const user = options.user ? await requireUserByName(ctx, options.user) : (await allUsers(ctx))[0]
    if (!user) throw new Problem('user.not_found', 'There is no account yet; start the server or add one first.')
    const publicUrl = servingAddress(ctx.config)
    const link = await signInLink(ctx, user.id, publicUrl)
    print(options.json, { url: link }, options.qr ? `${link}\n\n${await qrOf(link, publicUrl)}` : link)
  })
}

async function qrOf(link: string, publicUrl: string): Promise<string> {
  const { qrForTerminal } = await import('./terminal-qr.ts')
  const hint = isPhoneReachable(publicUrl) ? '' : `\nA phone cannot reach ${publicUrl}: set HELIOGRAPH_PUBLIC_URL.`
  return `${qrForTerminal(link)}${hint}`
}

export async function signInLink(
  ctx: Context,
  userId: Parameters<typeof createSignInCode>[1],
  publicUrl: string,
): Promise<string> {
  return signInUrl(withName(publicUrl), await createSignInCode(ctx, userId))
}

// Browsers offer passkeys at the name of this machine, not at an address of numbers.
const withName = (url: string): string => url.replace(/^http:\/\/127\.0\.0\.1(?=[:/]|$)/, 'http://localhost')
