// Brings accounts, keys, apps and messages of a server of ntfy or Gotify. What was brought before is left alone, so the next run
// continues one that was killed. Nothing is pushed, and nothing enters the event stream: the messages are old.
import { LIMITS } from '../../contract/limits.ts'
import type { PlanName } from '../../contract/plans.ts'
import { Problem } from '../../contract/problems.ts'
import type { ForeignServer, ForeignUser } from '../../domain/imports/foreign.ts'
import { findUserByName } from '../../store/accounts/accounts.ts'
import { openGotify } from '../../store/imports/gotify.ts'
import { openNtfy } from '../../store/imports/ntfy.ts'
import { addUser, requireUserByName } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { requirePlan } from '../plans.ts'
import { bringApp, bringKey } from './credentials.ts'
import type { Account, AccountOf, Importing } from './importing.ts'
import { bringMessages } from './messages.ts'
import { type ImportReport, newReport } from './report.ts'

// `into`: the account that gets everything; without it each user gets an account of the same name. `plan`: of new accounts.
export type ImportOptions = { into?: string; plan: PlanName; isDryRun: boolean }

// A place is a SQLite file, or the address of a database of PostgreSQL.
export const importFromNtfy = async (ctx: Context, places: string[], options: ImportOptions): Promise<ImportReport> =>
  importFrom(ctx, await openNtfy(places, ctx.clock.now()), options)

export const importFromGotify = async (ctx: Context, place: string, options: ImportOptions): Promise<ImportReport> =>
  importFrom(ctx, await openGotify(place), options)

async function importFrom(ctx: Context, server: ForeignServer, options: ImportOptions): Promise<ImportReport> {
  const { lose, ...report } = newReport(server.losses)
  const importing = { ctx, server, report: { ...report, lose }, isDryRun: options.isDryRun }
  try {
    requirePlan(ctx, options.plan)
    const accountOf = await bringAccounts(importing, options)
    for (const sender of server.senders) await bringKey(importing, accountOf(sender.userId), sender)
    // Those that were used last come first: there may not be room for all.
    for (const client of server.clients.toSorted((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0))) {
      await bringApp(importing, accountOf(client.userId), client)
    }
    await bringMessages(importing, accountOf)
    return report
  } finally {
    server.close()
  }
}

async function bringAccounts(importing: Importing, options: ImportOptions): Promise<AccountOf> {
  const { ctx, server } = importing
  if (options.into !== undefined) {
    const user = await requireUserByName(ctx, options.into)
    const account = newAccount(ctx, user.plan, user.id)
    return () => account
  }
  const accounts = new Map<string, Account>()
  for (const user of server.users) {
    const account = await bringAccount(importing, user, options.plan)
    if (account) accounts.set(user.id, account)
  }
  return (userId) => (userId === null ? undefined : accounts.get(userId))
}

async function bringAccount(
  { ctx, report, isDryRun }: Importing,
  { name }: ForeignUser,
  plan: PlanName,
): Promise<Account | undefined> {
  const known = await findUserByName(ctx.db.read, name)
  if (known) {
    report.accounts.known++
    return newAccount(ctx, known.plan, known.id)
  }
  try {
    const nickname = [...name].slice(0, LIMITS.account.maxNicknameChars).join('')
    const added = isDryRun ? undefined : await addUser(ctx, name, plan, { nickname })
    report.accounts.brought++
    return newAccount(ctx, plan, added?.user.id)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    report.lose('accounts', `the name is not possible here: ${error.message}`)
    return undefined
  }
}

const newAccount = ({ config }: Context, plan: PlanName, userId: Account['userId']): Account => ({
  userId,
  plan: config.plans.named(plan),
  newKeys: 0,
  newApps: 0,
  keys: new Map(),
})
