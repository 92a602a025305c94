// Finds out by the id of its transaction whether a COMMIT that was sent and not answered took effect.
import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../../contract/problems.ts'
import { sql } from '../sql.ts'
import type { Ask } from './writer.ts'

export type CommitStatus = 'committed' | 'aborted' | 'unknown'

// Bounded, because callers of the API wait for it.
const PATIENCE_MS = 3000
const ASK_EVERY_MS = 100

export function findCommitStatus(read: Ask, xid: string | undefined): Promise<CommitStatus> {
  if (xid === undefined) return Promise.resolve('unknown')
  const giveUp = new AbortController()
  const timeout = delay(PATIENCE_MS, 'unknown' as const, { ref: false })
  return Promise.race([ask(read, xid, giveUp.signal), timeout]).finally(() => giveUp.abort())
}

async function ask(read: Ask, xid: string, giveUp: AbortSignal): Promise<CommitStatus> {
  while (!giveUp.aborted) {
    try {
      const { rows } = await read(sql`select pg_xact_status(cast(${xid} as xid8)) as status`)
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
