// A backup made while programs send, restored elsewhere by the commands of docs/backup.md, and a restore that is killed.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { contentOf } from '../support/database/backups.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { eventually } from '../support/eventually.ts'
import { emptyFolder, MAIN, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { SLOW_FAULT_DATABASES } from '../support/nightly.ts'
import { measured } from '../support/reliability/measured.ts'

const SENDERS = 8
const QUIET: Environment = { HELIOGRAPH_PORT: '0', HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0' }

type Kind = 'sqlite' | 'postgres'
type Sender = { name: string; key: string; accepted: number }

async function newEnvironment(kind: Kind, state?: 'empty'): Promise<Environment> {
  const database = await createTestDatabase(kind, state)
  onTestFinished(() => database.drop())
  return { ...QUIET, ...database.environment }
}

async function run(environment: Environment, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHeliograph(args, { environment })
  expect([code, stderr], args.join(' ')).toEqual([0, ''])
  return stdout
}

async function addSenders(environment: Environment): Promise<Sender[]> {
  const lines = await run(environment, 'user', 'add', '--count', String(SENDERS), '--plan', 'paid', '--json')
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { name, default_key: key } = JSON.parse(line)
      return { name, key, accepted: 0 }
    })
}

async function sendUntilStopped(sender: Sender, api: TestClient, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const { status } = await api.post('/notifications', { title: String(sender.accepted), body: 'B' }, sender.key)
    expect(status).toBe(201)
    sender.accepted += 1
  }
}

// The titles are 0, 1, 2 …: a gap would be a lost write, and a repetition a write that was carried out twice.
async function countRestored({ key }: Sender, api: TestClient): Promise<number> {
  const titles: number[] = []
  let cursor = ''
  do {
    const { body } = await api.get(`/notifications?limit=100${cursor}`, key)
    titles.push(...body.items.map(({ title }: { title: string }) => Number(title)))
    cursor = body.next_cursor ? `&cursor=${encodeURIComponent(body.next_cursor)}` : ''
  } while (cursor)
  titles.reverse()
  expect(titles).toEqual(titles.map((_, index) => index))
  return titles.length
}

// The commands of the last block of docs/backup.md, with another database for PostgreSQL as the text below it says.
function drillCommands(target: Environment): string[] {
  const blocks = [...readFileSync('docs/backup.md', 'utf8').matchAll(/```sh\n(.*?)```/gs)]
  const url = target.HELIOGRAPH_DATABASE_URL
  const commands = String(blocks.at(-1)?.[1]).trimEnd().split('\n')
  return url ? commands.map((line) => line.replace('--data-dir ./drill', `--database-url ${url}`)) : commands
}

async function runInShell(commands: string[], environment: Environment, cwd: string): Promise<string> {
  const script = [`heliograph() { "${process.execPath}" "${MAIN}" "$@"; }`, ...commands].join('\n')
  const env = { PATH: process.env.PATH, ...environment }
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { env, cwd })
  return stdout
}

describe.each(SLOW_FAULT_DATABASES)('on %s', (kind) => {
  test('a backup under load holds every send that was answered before it began', async () => {
    const environment = await newEnvironment(kind)
    const folder = emptyFolder()
    const server = await startHeliograph(['serve'], { environment })
    const senders = await addSenders(environment)
    let isStopped = false
    const sending = senders.map((sender) => sendUntilStopped(sender, createClient(server.url), () => isStopped))
    await eventually(() => expect(senders.every(({ accepted }) => accepted > 5)).toBe(true))
    const acceptedBefore = senders.map(({ accepted }) => accepted)

    const target = await newEnvironment(kind, 'empty')
    const [backUp, check, restore, list] = drillCommands(target) as [string, string, string, string]
    await runInShell([backUp], environment, folder)
    expect(statSync(join(folder, 'drill.backup')).mode & 0o777).toBe(0o600)
    isStopped = true
    await Promise.all(sending)
    const printed = await runInShell([check, restore, list], environment, folder)
    expect(printed).toMatch(/^verified \d+ rows.*^restored \d+ rows.*user-1 /ms)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })

    if (kind === 'sqlite') target.HELIOGRAPH_DATA_DIR = join(folder, 'drill')
    const restored = createClient((await startHeliograph(['serve'], { environment: target })).url)
    for (const [index, sender] of senders.entries()) {
      const count = await countRestored(sender, restored)
      expect(count).toBeGreaterThanOrEqual(acceptedBefore[index] as number)
      expect(count).toBeLessThanOrEqual(sender.accepted)
    }
    const before = acceptedBefore.reduce((sum, accepted) => sum + accepted)
    measured('R12', kind, `a backup under load holds all ${before} sends answered before it began`)
  })

  test('a restore that is killed leaves no server behind, and can be repeated', async () => {
    const environment = await newEnvironment(kind)
    const file = join(emptyFolder(), 'backup')
    await addSenders(environment)
    await run(environment, 'backup', file)
    const backup = readFileSync(file)

    const target = await newEnvironment(kind, 'empty')
    await killInTheMiddle(target, backup)
    await run(target, 'restore', file)
    await run(target, 'backup', `${file}.again`)
    expect(contentOf(readFileSync(`${file}.again`))).toEqual(contentOf(backup))
    const repeated = await runHeliograph(['restore', file], { environment: target })
    expect([repeated.code, repeated.stderr]).toEqual([1, expect.stringMatching(/exists already|is not empty/)])
  })
})

// Sends one half of the backup, waits until it is being restored, and kills the process.
async function killInTheMiddle(environment: Environment, backup: Buffer): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'restore', '-'], {
    env: environment,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const exit = once(child, 'exit')
  child.stdin.write(backup.subarray(0, backup.length / 2))
  await eventually(async () => expect(await isRestoring(environment)).toBe(true))
  child.kill('SIGKILL')
  expect(await exit).toEqual([null, 'SIGKILL'])
}

// Whether a restore has begun to write, which others cannot see otherwise.
async function isRestoring({
  HELIOGRAPH_DATA_DIR: folder,
  HELIOGRAPH_DATABASE_URL: url,
}: Environment): Promise<boolean> {
  if (!url) return existsSync(join(String(folder), 'heliograph.db.restoring'))
  const client = new pg.Client(url)
  await client.connect()
  const { rowCount } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and backend_xid is not null`,
  )
  await client.end()
  return rowCount === 1
}
