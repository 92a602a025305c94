// How many deadlocks PostgreSQL has ended in a database. It runs the transactions that lost again, so their results do not tell.

import pg from 'pg'
import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import type { TestDatabase } from './database.ts'

// Of connections that have ended: a connection reports its deadlocks at the latest then.
export async function readDeadlocks({ environment }: TestDatabase): Promise<number> {
  const client = new pg.Client(environment.HELIOGRAPH_DATABASE_URL)
  await client.connect()
  try {
    const read = async () =>
      (await client.query('select numbackends, deadlocks from pg_stat_database where datname = current_database()'))
        .rows[0]
    await eventually(async () => expect((await read()).numbackends).toBe(1))
    return Number((await read()).deadlocks)
  } finally {
    await client.end()
  }
}
