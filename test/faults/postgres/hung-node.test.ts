// R17: a node that hangs inside a transaction holds its row locks no longer than a lease, and cannot commit afterwards.
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../../src/store/engine/database.ts'
import { openPostgres } from '../../../src/store/engine/postgres/postgres.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { createTestDatabase } from '../../support/database/database.ts'
import { measured } from '../../support/reliability/measured.ts'

test('R17 the rows that a hung node has locked can be changed by others within 17 seconds', async () => {
  const [hung, other] = await openTwoNodes()
  await other.transact(async (tx) => {
    await tx.execute(sql`create table accounts (id bigint primary key, balance bigint not null)`)
    await tx.execute(sql`insert into accounts (id, balance) values (1, 0)`)
  })
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: tellLocked } = Promise.withResolvers<void>()
  const late = hung.transact(async (tx) => {
    await tx.execute(sql`update accounts set balance = balance + 100 where id = 1`)
    tellLocked()
    await resumed
  })
  await isLocked
  // Leave the callback of the transaction: nothing else may use the database inside it.
  await new Promise(setImmediate)

  const startedMs = performance.now()
  const change = () => other.transact((tx) => tx.execute(sql`update accounts set balance = balance + 1 where id = 1`))
  await vi.waitFor(change, { timeout: 30_000, interval: 100 })
  const heldSeconds = (performance.now() - startedMs) / 1000
  resume()
  await expect(late).rejects.toMatchObject({ code: 'service.unavailable' })
  expect(await other.read.all(sql`select balance from accounts`)).toEqual([{ balance: 1 }])
  expect(heldSeconds).toBeLessThan(17)
  measured(
    'R17',
    'postgres',
    `locks of a node that hung inside a transaction were free after ${heldSeconds.toFixed(1)} s`,
  )
})

async function openTwoNodes(): Promise<[Database, Database]> {
  const database = await createTestDatabase('postgres')
  onTestFinished(() => database.drop())
  const url = database.environment.HELIOGRAPH_DATABASE_URL as string
  const nodes: [Database, Database] = [await openPostgres(url), await openPostgres(url)]
  onTestFinished(() => Promise.all(nodes.map((node) => node.close())).then(() => undefined))
  return nodes
}
