// What the steps of an import share.
import type { UserId } from '../../domain/caller.ts'
import type { ForeignServer } from '../../domain/imports/foreign.ts'
import type { IntegrationKey } from '../../domain/keys.ts'
import type { Plan } from '../../domain/plans.ts'
import type { Context } from '../context.ts'
import type { Reporting } from './report.ts'

// `isDryRun`: counts, and writes nothing.
export type Importing = { ctx: Context; server: ForeignServer; report: Reporting; isDryRun: boolean }

// By the id of the user there; null: the sender is unknown.
export type AccountOf = (foreignUserId: string | null) => Account | undefined

// `userId` is undefined in a dry run that would create the account. `keys`: by the id of their sender.
export type Account = {
  userId: UserId | undefined
  plan: Plan
  newKeys: number
  newApps: number
  keys: Map<string, IntegrationKey>
}
