// Finds out by the id of its transaction whether a COMMIT that was sent and not answered took effect.
import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../../contract/problems.ts'
import { fragment, sql } from '../sql.ts'
import type { Pipeline, Statement } from './pipeline.ts'
import type { Ask } from './writer.ts'

export type CommitStatus = 'committed' | 'aborted' | 'unknown'

// A number alone does not name a transaction. A standby that was promoted may not have received ours, and then gives its number
// to another one; each promotion begins a new timeline. So may a server that crashed before our transaction was on its disk; a
// crash ends all sessions, so that one which is older than `begunAt` shows that there was none.
export type TransactionId = { xid: string; timeline: string; begunAt: string }

// The names of the files of the log begin with the timeline.
const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'
const CURRENT_TIMELINE = fragment({ sqlite: 'null', postgres: TIMELINE })

const READ_TRANSACTION_ID: Statement = {
  name: 'transaction id',
  text: `select pg_current_xact_id() as xid, ${TIMELINE} as timeline, cast(clock_timestamp() as text) as "begunAt"`,
  values: [],
}

// The statement travels with the first one of the transaction. Resolves with undefined if the connection is lost before.
export const readTransactionId = (pipeline: Pipeline): Promise<TransactionId | undefined> =>
  pipeline.ask(READ_TRANSACTION_ID).then(
    ({ rows }) => rows[0] as TransactionId,
    () => undefined,
  )

// Bounded, because callers of the API wait for it. Those of a silent connection have waited for its timeout already.
const PATIENCE_MS = 3000
const PATIENCE_AFTER_SILENCE_MS = 300
const ASK_EVERY_MS = 100

// `sessions`: ways to ask, of which the first that knows is believed.
export function findCommitStatus(
  sessions: readonly Ask[],
  id: TransactionId | undefined,
  afterSilence: boolean,
): Promise<CommitStatus> {
  if (id === undefined) return Promise.resolve('unknown')
  const giveUp = new AbortController()
  const patienceMs = afterSilence ? PATIENCE_AFTER_SILENCE_MS : PATIENCE_MS
  const timeout = delay(patienceMs, 'unknown' as const, { ref: false })
  return Promise.race([askUntilKnown(sessions, id, giveUp.signal), timeout]).finally(() => giveUp.abort())
}

class CannotKnow extends Error {}

async function askUntilKnown(sessions: readonly Ask[], id: TransactionId, giveUp: AbortSignal): Promise<CommitStatus> {
  while (!giveUp.aborted) {
    try {
      const status = await Promise.any(sessions.map((ask) => statusBy(ask, id)))
      // The server may not have noticed yet that the connection is gone.
      if (status !== 'in progress') return status
    } catch (error) {
      // A session that failed is another one at the next attempt.
      if ((error as AggregateError).errors.every((one) => one instanceof CannotKnow)) return 'unknown'
    }
    await delay(ASK_EVERY_MS, undefined, { ref: false })
  }
  return 'unknown'
}

// Any session is believed that says 'aborted': if the number was given again, our transaction was lost.
async function statusBy(ask: Ask, { xid, timeline, begunAt }: TransactionId): Promise<CommitStatus | 'in progress'> {
  const { rows } = await ask(sql`select status
    from (select pg_xact_status(cast(${xid} as xid8)) as status) as transaction,
      (select backend_start from pg_stat_activity where pid = pg_backend_pid()) as session
    where ${CURRENT_TIMELINE} = ${timeline}
      and (status = 'aborted' or backend_start < cast(${begunAt} as timestamptz))`)
  const status = rows[0]?.status as CommitStatus | 'in progress' | null | undefined
  if (!status) throw new CannotKnow()
  return status
}

export const mayHaveBeenStored = (cause: unknown) =>
  new Problem(
    'service.unavailable',
    'The connection to the database was lost while the change was stored; it may have been carried out. Look before you repeat it, or repeat it with the same Idempotency-Key.',
    {},
    cause,
  )
