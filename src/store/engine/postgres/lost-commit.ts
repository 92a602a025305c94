// Finds out by the id of its transaction whether a COMMIT that was sent and not answered took effect.
import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../../contract/problems.ts'
import { fragment, sql } from '../sql.ts'
import type { Pipeline, Statement } from './pipeline.ts'
import type { Ask } from './writer.ts'

export type CommitStatus = 'committed' | 'aborted' | 'unknown'

// A standby that was promoted may not have received our transaction, and then gives its number to another one. Each
// promotion begins a new timeline, so that a number together with its timeline is unique.
export type TransactionId = { xid: string; timeline: string }

// The names of the files of the log begin with the timeline.
const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'
const CURRENT_TIMELINE = fragment({ sqlite: 'null', postgres: TIMELINE })

const READ_TRANSACTION_ID: Statement = {
  name: 'transaction id',
  text: `select pg_current_xact_id() as xid, ${TIMELINE} as timeline`,
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
const PATIENCE_AFTER_SILENCE_MS = 500
const ASK_EVERY_MS = 100

export function findCommitStatus(
  read: Ask,
  id: TransactionId | undefined,
  afterSilence: boolean,
): Promise<CommitStatus> {
  if (id === undefined) return Promise.resolve('unknown')
  const giveUp = new AbortController()
  const patienceMs = afterSilence ? PATIENCE_AFTER_SILENCE_MS : PATIENCE_MS
  const timeout = delay(patienceMs, 'unknown' as const, { ref: false })
  return Promise.race([ask(read, id, giveUp.signal), timeout]).finally(() => giveUp.abort())
}

async function ask(read: Ask, { xid, timeline }: TransactionId, giveUp: AbortSignal): Promise<CommitStatus> {
  while (!giveUp.aborted) {
    try {
      const { rows } = await read(
        sql`select case when ${CURRENT_TIMELINE} = ${timeline} then pg_xact_status(cast(${xid} as xid8)) end as status`,
      )
      const status = rows[0]?.status as CommitStatus | 'in progress' | null
      // The server may not have noticed yet that the connection is gone.
      if (status !== 'in progress') return status ?? 'unknown'
    } catch {
      // The next attempt uses another connection.
    }
    await delay(ASK_EVERY_MS, undefined, { ref: false })
  }
  return 'unknown'
}

export const mayHaveBeenStored = (cause: unknown) =>
  new Problem(
    'service.unavailable',
    'The connection to the database was lost while the change was stored; it may have been carried out. Look before you repeat it, or repeat it with the same Idempotency-Key.',
    {},
    cause,
  )
