// A change with ?dry_run=true runs the same transaction, which is then rolled back.
import type { TransactOptions, Work } from '../store/engine/database.ts'
import type { Context } from './context.ts'

export type ChangeMode = 'commit' | 'dry_run'

export function transactOrRehearse<Result>(
  ctx: Context,
  mode: ChangeMode,
  work: Work<Result>,
  options?: TransactOptions,
): Promise<Result> {
  return mode === 'commit' ? ctx.db.transact(work, options) : ctx.db.rehearse(work)
}
