// While the database cannot store changes, clients and /ready get 503 with the reason; service resumes without a
// restart.
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

// /ready tests a write at most once a second.
async function expectReadyAgain() {
  app.advanceSeconds(1)
  expect((await app.get('/ready')).status).toBe(200)
}

describe.skipIf(isPostgres())('on SQLite', () => {
  test('F10 while another process holds the write lock, health and reads are answered and a write waits', async () => {
    const release = holdWriteLock(fileOf(app.database))
    const added = addWidget('locked')
    expect((await app.get('/health')).status).toBe(200)
    expect((await app.get('/ready')).status).toBe(200)
    expect((await app.get('/widgets/locked', user.token)).status).toBe(404)
    expect((await app.get('/widgets', user.token)).status).toBe(200)
    release()
    expect((await added).status).toBe(201)
  })

  test('F19 with a removed file, writes and /ready are 503 until it is back', async () => {
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
  test('F11 on a read-only server, reads are answered, writes and /ready are 503 with the reason, until it is writable', async () => {
    await makeReadOnly(true)
    await eventually(async () => expectProblem(await addWidget('refused'), 503, 'service.unavailable'))
    await eventually(() => expectNotReady(/it is read-only/))
    expect((await app.get('/widgets', user.token)).status).toBe(200)
    await makeReadOnly(false)
    await eventually(expectReadyAgain)
    expect((await addWidget('stored')).status).toBe(201)
  })
})

// Applies to new sessions, so all existing ones are terminated.
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
