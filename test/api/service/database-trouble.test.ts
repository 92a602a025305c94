// What clients and probes see while the database cannot store changes: 503 with the reason, /ready likewise, and both well
// again without a restart.
import { renameSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { isPostgres } from '../../support/database/database.ts'
import { fileOf, urlOf } from '../../support/database/open-database.ts'
import { holdWriteLock } from '../../support/database/sqlite-lock.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createMemoryLog, type MemoryLog } from '../../support/fakes/memory-log.ts'

let app: TestApp
let user: TestUser
let log: MemoryLog
beforeAll(async () => {
  log = createMemoryLog()
  app = await startTestApp({}, undefined, { log: log.log })
  user = await app.addUser()
})
afterAll(() => app.stop())

const addWidget = (slug: string) =>
  app.post('/widgets', { slug, name: 'W', content: { template: 'value' } }, user.token)

async function expectNotReady(reason: RegExp) {
  const answer = await app.get('/ready')
  expectProblem(answer, 503, 'service.unavailable')
  expect(answer.body.detail).toMatch(reason)
}

// /ready tries a change of its own at most once a second.
async function expectReadyAgain() {
  app.advanceSeconds(1)
  expect((await app.get('/ready')).status).toBe(200)
}

describe.skipIf(isPostgres())('on SQLite', () => {
  test('F10 while another process holds the write lock, health and reads answer and a change waits', async () => {
    const release = holdWriteLock(fileOf(app.database))
    const added = addWidget('locked')
    expect((await app.get('/health')).status).toBe(200)
    expect((await app.get('/ready')).status).toBe(200)
    expect((await app.get('/widgets/locked', user.token)).status).toBe(404)
    expect((await app.get('/widgets', user.token)).status).toBe(200)
    release()
    expect((await added).status).toBe(201)
  })

  test('F19 a removed file: 503 everywhere until it is back', async () => {
    const file = fileOf(app.database)
    renameSync(file, `${file}.away`)
    await eventually(() => expectNotReady(/removed or replaced; the operator must restart/))
    const refused = await addWidget('nowhere')
    expectProblem(refused, 503, 'service.unavailable')
    expect(refused.body.detail).toMatch(/removed or replaced/)
    expect((await app.get('/health')).status).toBe(200)
    renameSync(`${file}.away`, file)
    await expectReadyAgain()
    expect((await addWidget('somewhere')).status).toBe(201)
    expect(log.lines.filter((line) => line.includes('"trouble":"moved"'))).toHaveLength(1)
  })
})

describe.skipIf(!isPostgres())('on PostgreSQL', () => {
  test('F11 a server that has become read-only: reads answer, changes and /ready say why, until it can be written', async () => {
    await makeReadOnly(true)
    await eventually(async () => expectProblem(await addWidget('refused'), 503, 'service.unavailable'))
    await eventually(() => expectNotReady(/it is read-only/))
    expect((await app.get('/widgets', user.token)).status).toBe(200)
    await makeReadOnly(false)
    await eventually(expectReadyAgain)
    expect((await addWidget('stored')).status).toBe(201)
  })
})

// For every session that begins from now on, and no session is older.
async function makeReadOnly(isReadOnly: boolean) {
  const url = new URL(urlOf(app.database) as string)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const client = new pg.Client(url.href)
  await client.connect()
  await client.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await client.end()
}
