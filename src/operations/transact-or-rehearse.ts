// How a change is carried out: for good, or rehearsed and rolled back for ?dry_run=true.
import type { Writer } from '../store/engine/database.ts'
import type { Context } from './context.ts'

export type Commitment = 'commit' | 'rehearse'

export function carryOut<Result>(
  ctx: Context,
  how: Commitment,
  work: (tx: Writer) => Promise<Result>,
): Promise<Result> {
  return how === 'commit' ? ctx.db.transact(work) : ctx.db.rehearse(work)
}
