// A real PgBouncer between the service and PostgreSQL: refused with one line in transaction mode, usable in session mode.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deployToolEnvironment, findDeployTool } from '../../scripts/deploy-tools.mjs'
import { startTestApp } from '../support/app.ts'
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/fakes/free-port.ts'
import { emptyFolder, runHeliograph } from '../support/heliograph-process.ts'

type Pooling = { mode: 'transaction' | 'session'; isTimeoutIgnored: boolean }

// Returns the settings of a service that connects to the database through PgBouncer.
async function poolConnections({ environment }: TestDatabase, { mode, isTimeoutIgnored }: Pooling) {
  const [folder, port, url] = [emptyFolder(), await freePort(), new URL(environment.HELIOGRAPH_DATABASE_URL as string)]
  // PgBouncer does not run as root.
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'users.txt'), `"${url.username}" "${url.password}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
    * = host=127.0.0.1 port=${url.port}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = plain
    auth_file = ${folder}/users.txt
    pool_mode = ${mode}
    ${isTimeoutIgnored ? 'ignore_startup_parameters = statement_timeout' : ''}
    `.replace(/^ +/gm, ''),
  )
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const program = findDeployTool('pgbouncer') as string
  const child = spawn(program, [...user, join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: deployToolEnvironment(),
  })
  onTestFinished(async () => {
    if (child.kill('SIGKILL')) await once(child, 'exit')
  })
  await eventually(async () => {
    if (child.exitCode !== null) return
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
  })
  expect(child.exitCode).toBe(null)
  url.port = String(port)
  return { ...environment, HELIOGRAPH_DATABASE_URL: url.href }
}

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('postgres')
  onTestFinished(() => database.drop())
  return database
}

test.each([
  [{ mode: 'transaction', isTimeoutIgnored: false }, 'behind a connection pooler that refuses statement_timeout'],
  [{ mode: 'session', isTimeoutIgnored: false }, 'behind a connection pooler that refuses statement_timeout'],
  [{ mode: 'transaction', isTimeoutIgnored: true }, 'behind a connection pooler in transaction mode'],
] as const)('a pooler with %o is refused at the start, in one line', async (pooling, words) => {
  const environment = await poolConnections(await newDatabase(), pooling)
  const { code, stderr } = await runHeliograph(['serve'], { environment: { ...environment, HELIOGRAPH_PORT: '0' } })
  expect(code).not.toBe(0)
  expect(stderr).toContain(words)
  expect(stderr.trim().split('\n')).toHaveLength(1)

  const doctor = await runHeliograph(['doctor'], { environment })
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(words)])
})

test('a pooler in session mode passes statements and the signals between nodes', async () => {
  const database = await newDatabase()
  const environment = await poolConnections(database, { mode: 'session', isTimeoutIgnored: true })
  const [one, other] = [await startTestApp({}, { ...database, environment }), await startTestApp({}, database)]
  onTestFinished(async () => {
    await one.stop()
    await other.stop()
  })
  const user = await one.addUser()
  const sent = await one.post('/notifications', { title: 'Disk full', body: 'now', push: false }, user.token)
  expect(sent.status).toBe(201)
  let isSignaled = false
  one.app.ctx.db.signals.subscribe(`feed:${user.userId}`, () => (isSignaled = true))
  expect((await other.post('/notifications', { title: 'Again', body: 'x', push: false }, user.token)).status).toBe(201)
  await eventually(() => expect(isSignaled).toBe(true))
})
