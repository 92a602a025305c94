// heliograph import ntfy | gotify: accounts, tokens and messages of another server.
import { Command } from 'commander'
import type { Context } from '../operations/context.ts'
import type { ImportOptions } from '../operations/imports/import.ts'
import type { ImportReport } from '../operations/imports/report.ts'
import { administration, type OpenContext } from './administration.ts'
import { columns, commandGroup, print, withExample } from './output.ts'
import { DATABASE_SETTINGS, withSettings } from './settings-options.ts'

type Options = { into?: string; plan: string; dryRun?: boolean; json?: boolean }

export const importCommand = (open: OpenContext): Command =>
  commandGroup(
    'import',
    'bring accounts, tokens and messages of another server; sends nothing',
    'heliograph import gotify gotify.db --dry-run',
    [
      importFrom(
        open,
        'ntfy',
        '<files...>',
        'user.db and cache.db',
        'user.db cache.db --dry-run',
        async (ctx, files, options) =>
          (await import('../operations/imports/import.ts')).importFromNtfy(ctx, files as string[], options),
      ),
      importFrom(
        open,
        'gotify',
        '<database>',
        'gotify.db, or postgres://…',
        'gotify.db --dry-run',
        async (ctx, file, options) =>
          (await import('../operations/imports/import.ts')).importFromGotify(ctx, file as string, options),
      ),
    ],
  )

type Bring = (ctx: Context, files: string | string[], options: ImportOptions) => Promise<ImportReport>

function importFrom(
  open: OpenContext,
  service: string,
  argument: string,
  files: string,
  example: string,
  bring: Bring,
): Command {
  const command = new Command(service)
    .description(`bring what a server of ${service} has in its database`)
    .argument(argument, files)
    .option('--into <name>', 'put everything into this account, instead of an account for each user')
    .option('--plan <plan>', 'plan of new accounts', 'paid')
    .option('--dry-run', 'only say what would be brought, and what cannot be')
    .option('--json', 'print one JSON object')
  withExample(withSettings(command, DATABASE_SETTINGS), `heliograph import ${service} ${example}`)
  return administration(open, command, async (ctx, given: string | string[], options: Options) => {
    const isDryRun = options.dryRun ?? false
    const report = await bring(ctx, given, { into: options.into, plan: options.plan, isDryRun })
    const { losses, ...tallies } = report
    print(options.json, { dry_run: isDryRun, ...tallies, not_brought: losses }, inWords(report, isDryRun))
  })
}

function inWords({ losses, ...tallies }: ImportReport, isDryRun: boolean): string {
  const verb = isDryRun ? 'would be brought' : 'brought'
  const counts = Object.entries(tallies).map(([name, { brought, known }]) => [
    name,
    `${brought} ${verb}`,
    known > 0 ? `${known} were there already` : '',
  ])
  const lost = losses.map(({ what, why, count }) => `  ${count} ${what}: ${why}`)
  return [columns(counts), ...(lost.length > 0 ? ['not brought:', ...lost] : [])].join('\n')
}
