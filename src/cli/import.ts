// heliograph import ntfy | gotify: accounts, tokens and messages of another server.
import { Command } from 'commander'
import type { Context } from '../operations/context.ts'
import type { ImportOptions } from '../operations/imports/import.ts'
import type { ImportReport } from '../operations/imports/report.ts'
import { servingAddress } from '../runtime/serving-address.ts'
import { administration, type OpenContext } from './administration.ts'
import { columns, commandGroup, print, withExample } from './output.ts'
import { DATABASE_SETTINGS, requirePlan, withSettings } from './settings-options.ts'

type Options = { into?: string; plan: string; dryRun?: boolean; json?: boolean }

// `places`: files, or addresses of databases.
type Service = {
  name: 'ntfy' | 'gotify'
  argument: [form: string, meaning: string]
  example: string
  bring(ctx: Context, places: string[], options: ImportOptions): Promise<ImportReport>
}

const loadImports = () => import('../operations/imports/import.ts')

const SERVICES: Service[] = [
  {
    name: 'ntfy',
    argument: ['<database...>', 'user.db and cache.db, or postgres://…'],
    example: 'user.db cache.db --dry-run',
    bring: async (...args) => (await loadImports()).importFromNtfy(...args),
  },
  {
    name: 'gotify',
    argument: ['<database>', 'gotify.db, or postgres://…'],
    example: 'gotify.db --dry-run',
    bring: async (ctx, [place = ''], options) => (await loadImports()).importFromGotify(ctx, place, options),
  },
]

export const importCommand = (open: OpenContext): Command =>
  commandGroup(
    'import',
    'bring accounts, tokens and messages of another server; sends nothing',
    'heliograph import gotify gotify.db --dry-run',
    SERVICES.map((service) => importFrom(open, service)),
  )

function importFrom(open: OpenContext, { name, argument, example, bring }: Service): Command {
  const command = new Command(name)
    .description(`bring what a server of ${name} has in its database`)
    .argument(...argument)
    .option('--into <name>', 'put everything into this account, instead of an account for each user')
    .option('--plan <plan>', 'plan of new accounts', 'paid')
    .option('--dry-run', 'only say what would be brought, and what cannot be')
    .option('--json', 'print one JSON object')
  withExample(withSettings(command, DATABASE_SETTINGS), `heliograph import ${name} ${example}`)
  return administration(open, command, async (ctx, given: string | string[], options: Options) => {
    requirePlan(command, options.plan)
    const isDryRun = options.dryRun ?? false
    const report = await bring(ctx, [given].flat(), { into: options.into, plan: options.plan, isDryRun })
    const { losses, ...tallies } = report
    const text = [
      ...tallyLines(tallies, isDryRun),
      ...lossLines(losses),
      ...(isDryRun ? [] : nextLines(ctx, name, report)),
    ]
    print(options.json, { dry_run: isDryRun, ...tallies, not_brought: losses }, text.join('\n'))
  })
}

function tallyLines(tallies: Omit<ImportReport, 'losses'>, isDryRun: boolean): string[] {
  const verb = isDryRun ? 'would be brought' : 'brought'
  const rows = Object.entries(tallies).map(([name, { brought, known }]) => [
    name,
    `${brought} ${verb}`,
    known > 0 ? `${known} were there already` : '',
  ])
  return [columns(rows)]
}

function lossLines(losses: ImportReport['losses']): string[] {
  if (losses.length === 0) return []
  return ['not brought:', columns(losses.map(({ what, why, count }) => [`  ${what}`, String(count), why]))]
}

function nextLines({ config }: Context, service: Service['name'], { accounts, keys }: ImportReport): string[] {
  const next = []
  if (keys.brought > 0) next.push(`  senders keep their tokens, and send to ${servingAddress(config)}/${service}`)
  if (accounts.brought > 0) next.push('  heliograph signin --user NAME prints a link for the console')
  return next.length > 0 ? ['next:', ...next] : []
}
