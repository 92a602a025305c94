// R18: a standby takes over while clients send. With synchronous replication nothing accepted is lost, and a commit whose
// outcome nobody knows is never answered as carried out.
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPostgres } from '../../../src/store/engine/postgres/postgres.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { eventually } from '../../support/eventually.ts'
import { openFaultyLink } from '../../support/fakes/faulty-link.ts'
import { type OwnServer, startOwnServer } from '../../support/postgres-faults/own-server.ts'
import { surviveFault } from '../../support/postgres-faults/survive-fault.ts'
import { measuredFault } from '../../support/reliability/measured.ts'

// The message that ends a transaction and commits it.
const SYNC = 'S\0\0\0\x04'

let primary: OwnServer
let standby: OwnServer
beforeEach(async () => {
  primary = await startOwnServer()
  standby = await primary.startStandby()
})
afterEach(async () => {
  await primary.remove()
  await standby.remove()
})

test('R18 a failover under load: nothing is lost or doubled, and service resumes', async () => {
  const fault = await surviveFault('failover to a synchronous standby', primary, async (link) => {
    // From here on a commit is answered when the standby has it.
    await primary.configure({ synchronous_standby_names: '*' })
    await delay(1000)
    await primary.crash()
    await delay(1000)
    // Nodes reach the standby before it is promoted, as under a name that is switched too early.
    link.leadTo(standby.port)
    await delay(1000)
    await standby.run('select pg_promote()')
    return standby
  })
  measuredFault('R18', 'postgres', fault)
})

describe('R18 a commit that the standby never received is not taken for another transaction with its number', () => {
  // `forget`: after the link leads to the new primary, which has other transactions with the numbers of the old one.
  async function loseCommit(forget: () => Promise<unknown>) {
    const link = await openFaultyLink(primary.port)
    const db = await openPostgres(primary.url.replace(`:${primary.port}/`, `:${link.port}/`))
    await db.transact((tx) => tx.execute(sql`create table changes (name text primary key)`))
    await eventually(() => standby.run('select name from changes'))
    await standby.run('select pg_promote()')
    for (let change = 0; change < 50; change++) await standby.run(`insert into changes values ('other ${change}')`)
    link.leadTo(standby.port)
    await forget()
    const lost = db.transact(async (tx) => {
      await tx.execute(sql`insert into changes (name) values ('ours')`)
      link.cutAt(SYNC, 'before the server gets it')
    })
    const failure = await lost.catch((error) => error)
    expect(await standby.run(`select name from changes where name = 'ours'`)).toEqual([])
    await db.close()
    return failure
  }

  test('while a session with the old primary knows that it was not stored', async () => {
    const failure = await loseCommit(async () => {})
    expect(failure).toMatchObject({ code: 'service.unavailable', message: expect.stringMatching(/cannot be reached/) })
  })

  test('when no session is left that knows', async () => {
    const endListener = `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'`
    const failure = await loseCommit(() => primary.run(endListener))
    expect(failure).toMatchObject({
      code: 'service.unavailable',
      message: expect.stringMatching(/may have been carried out/),
    })
  })
})
