// Deletes many rows in short transactions, so that other changes wait little for the write lock of SQLite, on which a server
// beside this command has to commit too. The size of a batch follows the time that the last one took.
import { setTimeout as pause } from 'node:timers/promises'
import type { Writer } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'

// Without the commit: its fsync takes the same time for any number of rows.
const BATCH_MS = 3
// Fewer would make the deletion slow and no batch noticeably shorter: on a busy machine it is not the rows that take long.
const FEWEST_ROWS = 100

// Others have the database for two thirds of the time, and for longer than a server waits until it tries a lock again.
const PAUSE_PER_BATCH = 2
const SHORTEST_PAUSE_MS = 10

// `deleteSome` deletes up to so many rows and returns whether there may be more.
export async function deleteInBatches(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  mostRows: number,
  deleteSome: (tx: Writer, rows: number) => Promise<boolean>,
): Promise<void> {
  let rows = Math.min(FEWEST_ROWS, mostRows)
  for (;;) {
    let startMs = 0
    let deletedMs = 0
    const hasMore = await db.transact(async (tx) => {
      startMs = clock.monotonicMs()
      const mayHaveMore = await deleteSome(tx, rows)
      deletedMs = clock.monotonicMs() - startMs
      return mayHaveMore
    })
    if (!hasMore) return
    await pause(Math.max(PAUSE_PER_BATCH * (clock.monotonicMs() - startMs), SHORTEST_PAUSE_MS))
    rows = Math.min(nextBatchRows(rows, deletedMs), mostRows)
  }
}

export function nextBatchRows(rows: number, tookMs: number): number {
  if (tookMs > BATCH_MS) return Math.max(Math.floor(rows / 2), FEWEST_ROWS)
  return tookMs < BATCH_MS / 2 ? rows * 2 : rows
}
