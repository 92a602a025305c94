// The server's own secrets survive restarts and are never replaced silently. They are files with SQLite, rows with
// PostgreSQL.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openContext } from '../../../src/boot/context.ts'
import { loadSecrets } from '../../../src/boot/secrets.ts'
import { StartError } from '../../../src/domain/errors.ts'
import { loadConfig } from '../../../src/runtime/config.ts'
import { createLog } from '../../../src/runtime/log.ts'
import type { Reader } from '../../../src/store/engine/database.ts'
import { startTestApp } from '../../support/app.ts'
import { createTestDatabase, isPostgres, type TestDatabase } from '../../support/database/database.ts'
import { createMemoryLog } from '../../support/fakes/memory-log.ts'

const SILENT = { log: createLog('silent', 'json') }

type SecretName = 'signing.key' | 'vapid-keys.json'

const fileOf = (database: TestDatabase, name: SecretName) =>
  join(database.environment.HELIOGRAPH_DATA_DIR as string, name)

async function onServer(database: TestDatabase, statement: string, ...values: string[]): Promise<{ value: string }[]> {
  const client = new pg.Client(database.environment.HELIOGRAPH_DATABASE_URL)
  await client.connect()
  const { rows } = await client.query(statement, values)
  await client.end()
  return rows
}

async function readSecret(database: TestDatabase, name: SecretName): Promise<string> {
  if (!isPostgres()) return readFileSync(fileOf(database, name), 'utf8')
  const [row] = await onServer(database, 'select value from server_secrets where name = $1', name)
  return row?.value as string
}

async function writeSecret(database: TestDatabase, name: SecretName, text: string): Promise<void> {
  if (!isPostgres()) return writeFileSync(fileOf(database, name), text)
  await onServer(database, 'update server_secrets set value = $2 where name = $1', name, text)
}

async function removeSecret(database: TestDatabase, name: SecretName): Promise<void> {
  if (!isPostgres()) return rmSync(fileOf(database, name))
  await onServer(database, 'delete from server_secrets where name = $1', name)
}

// A database that was used by a server before, with one account.
async function usedDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const app = await startTestApp({}, database)
  await app.addUser()
  await app.stop()
  return database
}

// Warnings about secrets; others may be about the machine.
async function warningsOfStart(database: TestDatabase): Promise<{ secret: string; msg: string }[]> {
  const { log, lines } = createMemoryLog()
  const app = await startTestApp({}, database, { log })
  await app.stop()
  return lines.map((line) => JSON.parse(line)).filter(({ level, secret }) => level === 40 && secret)
}

// A refused start stops the app itself.
const refusalOf = (database: TestDatabase) =>
  startTestApp({}, database).then(
    async (app) => {
      await app.stop()
      throw new Error('it started')
    },
    (error: unknown) => error,
  )

const otherPair = JSON.stringify({
  publicKey: `BA${'A'.repeat(85)}`,
  privateKey: Buffer.alloc(32, 7).toString('base64url'),
})

describe('a damaged secret refuses the start in one line that says what to do, and is kept', () => {
  test.each<[SecretName, string, string]>([
    ['signing.key', 'empty', ''],
    ['signing.key', 'of 31 bytes', Buffer.alloc(31, 1).toString('base64')],
    ['signing.key', 'of 33 bytes', Buffer.alloc(33, 1).toString('base64')],
    ['signing.key', 'no base64', `${Buffer.alloc(32, 1).toString('base64')}!`],
    ['vapid-keys.json', 'empty', ''],
    ['vapid-keys.json', 'cut off', '{"publicKey":"BCanary'],
    ['vapid-keys.json', 'no object', 'null'],
    ['vapid-keys.json', 'without keys', '{}'],
    ['vapid-keys.json', 'with keys that do not belong together', otherPair],
  ])('%s %s', async (name, _, text) => {
    const database = await usedDatabase()
    await writeSecret(database, name, text)
    const refusal = await refusalOf(database)
    expect(refusal).toBeInstanceOf(StartError)
    const { message } = refusal as StartError
    expect(message).toMatch(
      name === 'signing.key'
        ? /is damaged: it must hold 32 bytes in base64; restore .* or delete it to get a new one, which ends every/
        : /is damaged: it must hold a P-256 key pair .*; restore .* or delete it .* ends every Web Push subscription/,
    )
    expect(message).toContain(isPostgres() ? `'${name}' of the table server_secrets` : fileOf(database, name))
    expect(message).not.toMatch(/\n|Canary/)
    expect(await readSecret(database, name)).toBe(text)
  })
})

test('both secrets are kept over a restart without a warning, even with a trailing line break', async () => {
  const database = await usedDatabase()
  const before = [await readSecret(database, 'signing.key'), await readSecret(database, 'vapid-keys.json')]
  await writeSecret(database, 'signing.key', `${before[0]}\n`)
  expect(await warningsOfStart(database)).toEqual([])
  expect([(await readSecret(database, 'signing.key')).trim(), await readSecret(database, 'vapid-keys.json')]).toEqual(
    before,
  )
})

test('the first start warns of nothing; a secret missing although there are accounts is replaced with a warning', async () => {
  const fresh = await createTestDatabase()
  onTestFinished(() => fresh.drop())
  expect(await warningsOfStart(fresh)).toEqual([])

  const database = await usedDatabase()
  await removeSecret(database, 'signing.key')
  await removeSecret(database, 'vapid-keys.json')
  const warnings = await warningsOfStart(database)
  expect(warnings.map(({ msg }) => msg)).toEqual([
    'a secret is missing although there are accounts; the new one ends every Web Push subscription',
    'a secret is missing although there are accounts; the new one ends every answer ticket and every link in an e-mail',
  ])
  expect(warnings.map(({ secret }) => secret)).toEqual([
    expect.stringContaining('vapid-keys.json'),
    expect.stringContaining('signing.key'),
  ])
  expect(await warningsOfStart(database)).toEqual([])
})

test('a start does not miss secrets that another process makes, with the first account, before its own query', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { ctx, stop } = await openContext(loadConfig({}, database.environment, 'no-such-file.json'), SILENT)
  onTestFinished(stop)
  await removeSecret(database, 'signing.key')
  await removeSecret(database, 'vapid-keys.json')

  let isStarted = false
  const first: Reader['first'] = async (query) => {
    if (!isStarted) {
      isStarted = true
      const other = await startTestApp({}, database)
      await other.addUser()
      await other.stop()
    }
    return ctx.db.read.first(query)
  }
  const { log, lines } = createMemoryLog()
  const secrets = await loadSecrets(ctx.config, { ...ctx.db, read: { ...ctx.db.read, first } }, log)
  expect(lines).toEqual([])
  expect(secrets.signingKey.toString('base64')).toBe(await readSecret(database, 'signing.key'))
})

describe.skipIf(isPostgres())('a secret file that cannot be read refuses the start and is not replaced', () => {
  // Not by its mode: root can read every file.
  test.each<[string, (file: string) => void]>([
    ['ELOOP', (file) => symlinkSync(file, file)],
    ['EISDIR', (file) => mkdirSync(file)],
  ])('%s', async (code, obstruct) => {
    const database = await usedDatabase()
    const folder = database.environment.HELIOGRAPH_DATA_DIR as string
    for (const name of ['signing.key', 'vapid-keys.json'] as const) {
      const file = fileOf(database, name)
      const kept = readFileSync(file)
      rmSync(file)
      obstruct(file)
      const before = readdirSync(folder)
      const refusal = await refusalOf(database)
      expect(refusal).toBeInstanceOf(StartError)
      expect((refusal as StartError).message).toMatch(
        `the secret ${file} cannot be read (${code}); let the user that runs Heliograph read it, or restore it`,
      )
      expect(readdirSync(folder)).toEqual(before)
      rmSync(file, { recursive: true })
      writeFileSync(file, kept)
    }
  })
})
