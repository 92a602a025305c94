// Request counts per client address and minute, shared by all nodes.
import type { Instant } from '../domain/instant.ts'
import type { Writer } from './engine/database.ts'
import { type Sql, sql } from './engine/sql.ts'

export type Counted = { address: string; count: number }

// Statements have 128, 64, … or 1 rows, so only eight different ones are prepared.
const MOST_ROWS = 128

// Adds to the shared counts and returns the sums. Addresses are unique and sorted, so that two nodes cannot deadlock.
export async function addToRateCounters(tx: Writer, counted: Counted[], windowStart: Instant): Promise<Counted[]> {
  const sums: Counted[] = []
  for (let start = 0, rows = MOST_ROWS; start < counted.length; start += rows) {
    while (rows > counted.length - start) rows /= 2
    sums.push(...(await addRows(tx, counted.slice(start, start + rows), windowStart)))
  }
  return sums
}

function addRows(tx: Writer, counted: Counted[], windowStart: Instant): Promise<Counted[]> {
  const rows = counted.map(({ address, count }) => sql`(${address}, ${windowStart}, ${count})`)
  const values = rows.reduce((all: Sql, row) => sql`${all}, ${row}`)
  return tx.all<Counted>(sql`insert into rate_counters (address, window_start, count) values ${values}
    on conflict (address, window_start) do update set count = rate_counters.count + excluded.count
    returning address, count`)
}

export async function deleteRateCountersBefore(tx: Writer, windowStart: Instant): Promise<number> {
  return tx.run(sql`delete from rate_counters where window_start < ${windowStart}`)
}
