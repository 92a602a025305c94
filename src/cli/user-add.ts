// heliograph user add: one account, or many at once for tests and migrations.
import { Command, InvalidArgumentError, Option } from 'commander'
import { LIMITS } from '../contract/limits.ts'
import { addUser, type NewAccount } from '../operations/accounts/accounts.ts'
import type { Context } from '../operations/context.ts'
import { putMember, requireOrganization } from '../operations/organizations/operate.ts'
import { administer, type OpenContext } from './administration.ts'
import { print, withExample } from './output.ts'
import { DATABASE_SETTINGS, requirePlan, withSettings } from './settings-options.ts'

type Options = {
  plan: string
  operator?: boolean
  count?: number
  prefix: string
  org?: string
  json?: boolean
}

export function userAddCommand(open: OpenContext): Command {
  const command = new Command('add')
    .description('create an account; prints its token and default key, once')
    .argument('[name]', 'left out with --count')
    .option('--plan <plan>', 'quotas of the account: free, paid, or one of HELIOGRAPH_PLANS', 'free')
    .option('--operator', 'let the person see the state of this server in the console')
    .addOption(new Option('--count <number>', 'create this many accounts').argParser(readCount))
    .addOption(new Option('--prefix <text>', 'with --count: names are this and a number').default('user-'))
    .option('--org <org>', 'also add them to this organization, by id or name')
    .option('--json', 'print one JSON object an account')
  withExample(withSettings(command, DATABASE_SETTINGS), 'heliograph user add ada --plan paid')
  return command.action((name: string | undefined, options: Options) => {
    const names = namesOf(command, name, options)
    requirePlan(command, options.plan)
    return administer(open, command, (ctx) => addAll(ctx, names, options), { mayCreate: true })
  })
}

function namesOf(command: Command, name: string | undefined, { count, prefix }: Options): string[] {
  if ((name === undefined) === (count === undefined)) command.error('error: give either a name or --count')
  return name === undefined ? Array.from({ length: count ?? 0 }, (_, index) => `${prefix}${index + 1}`) : [name]
}

function readCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 100_000) return count
  throw new InvalidArgumentError('It must be a number from 1 to 100000.')
}

// On SQLite, transactions that wait together share one fsync.
const AT_ONCE = 50

async function addAll(ctx: Context, names: string[], options: Options): Promise<void> {
  const org = options.org === undefined ? undefined : await requireOrganization(ctx, options.org)
  const addOne = async (name: string): Promise<NewAccount> => {
    const account = await addUser(ctx, name, options.plan, { isOperator: options.operator, nickname: nicknameOf(name) })
    if (org) await putMember(ctx, org, account.user, { role: 'member', groups: [] })
    return account
  }
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const added = await Promise.all(names.slice(start, start + AT_ONCE).map(addOne))
    for (const account of added) printAccount(account, options.json)
  }
}

// Others see the nickname, so the person has one from the start.
const nicknameOf = (name: string): string => [...name].slice(0, LIMITS.account.maxNicknameChars).join('')

function printAccount({ user, token, defaultKey }: NewAccount, asJson: boolean | undefined): void {
  print(
    asJson,
    {
      user_id: user.id,
      name: user.name,
      plan: user.plan,
      ...(user.isOperator && { operator: true }),
      token,
      default_key: defaultKey,
    },
    `added ${user.name} (${user.plan}${user.isOperator ? ', operator' : ''})\n  token        ${token}\n  default key  ${defaultKey}\nBoth are shown only now.`,
  )
}
