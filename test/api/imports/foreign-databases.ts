// Databases of ntfy 2 and of Gotify 2 and 3, made here with the tables and columns that an import reads, and rows of our own.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { createTestDatabase } from '../../support/database/database.ts'

type Row = Record<string, SQLInputValue>

// Returns the path of a new file with these tables. Columns have no types: SQLite keeps values as they are.
function databaseWith(name: string, tables: Record<string, Row[]>): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-foreign-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, name)
  const db = new DatabaseSync(path)
  for (const [table, rows] of Object.entries(tables)) {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].map((column) => `"${column}"`)
    db.exec(`create table "${table}" (${columns.join(', ')})`)
    for (const row of rows) {
      const names = Object.keys(row).map((column) => `"${column}"`)
      const marks = names.map(() => '?').join(', ')
      db.prepare(`insert into "${table}" (${names.join(', ')}) values (${marks})`).run(...Object.values(row))
    }
  }
  db.close()
  return path
}

// The first row of each table only names its columns; nobody can have its values.
export const ntfyUsers = (users: Row[], tokens: Row[], access: Row[] = []): string =>
  databaseWith('user.db', {
    user: [
      { id: 'u_everyone', user: '*', pass: '', role: 'anonymous', created: 1, deleted: null },
      ...users.map((row) => ({ pass: '$2a$10$hash', role: 'user', created: 2, deleted: null, ...row })),
    ],
    user_token: [{ user_id: '', token: '', label: '', last_access: 0, expires: 1 }, ...tokens],
    user_access: [{ user_id: '', topic: '', read: 0, write: 0 }, ...access],
  })

const MESSAGE = {
  ...{
    sequence_id: '',
    event: 'message',
    expires: 0,
    title: '',
    priority: 0,
    tags: '',
    click: '',
    icon: '',
    actions: '',
  },
  ...{ attachment_name: '', attachment_type: '', attachment_size: 0, attachment_expires: 0, attachment_url: '' },
  ...{ user: '', content_type: '', encoding: '', published: 1 },
}

export const ntfyCache = (messages: Row[]): string =>
  databaseWith('cache.db', { messages: messages.map((row, index) => ({ id: index + 1, ...MESSAGE, ...row })) })

export const gotifyDatabase = (tables: {
  users: Row[]
  applications: Row[]
  clients: Row[]
  messages: Row[]
}): string => databaseWith('gotify.db', tables)

// The same in PostgreSQL, with the types that Gotify and ntfy give their columns. Return the address.
export const gotifyOnPostgres = (file: string): Promise<string> => onPostgres([file], GOTIFY_TYPES)

export const ntfyOnPostgres = (users: string, cache: string): Promise<string> =>
  onPostgres([users, cache], NTFY_TYPES, {
    messages: { table: 'message', columns: { user: 'user_id' } },
    user: { table: 'user', columns: { user: 'user_name' } },
  })

type Names = Record<string, { table: string; columns: Record<string, string> }>

async function onPostgres(files: string[], types: Record<string, string>, names: Names = {}): Promise<string> {
  const database = await createTestDatabase('postgres', 'empty')
  onTestFinished(() => database.drop())
  const url = String(database.environment.HELIOGRAPH_DATABASE_URL)
  const client = new pg.Client(url)
  await client.connect()
  for (const path of files) {
    const file = new DatabaseSync(path, { readOnly: true })
    for (const { name } of file.prepare(`select name from sqlite_master where type = 'table'`).all()) {
      const rows = file.prepare(`select * from "${name}"`).all()
      await createTable(client, rows, types, names[String(name)] ?? { table: String(name), columns: {} })
    }
    file.close()
  }
  await client.end()
  return url
}

async function createTable(client: pg.Client, rows: Row[], types: Record<string, string>, names: Names[string]) {
  const columns = Object.keys(rows[0] ?? {}).map((column) => names.columns[column] ?? column)
  const typed = columns.map((column) => `"${column}" ${types[column] ?? 'text'}`).join(', ')
  await client.query(`create table "${names.table}" (${typed})`)
  const marks = columns.map((_, index) => `$${index + 1}`).join(', ')
  for (const row of rows) await client.query(`insert into "${names.table}" values (${marks})`, Object.values(row))
}

const GOTIFY_TYPES: Record<string, string> = {
  ...{ id: 'bigint', user_id: 'bigint', application_id: 'bigint', priority: 'bigint', default_priority: 'bigint' },
  ...{ admin: 'boolean', pass: 'bytea', extras: 'bytea', date: 'timestamptz', last_used: 'timestamptz' },
}

const NTFY_TYPES: Record<string, string> = {
  ...{ created: 'bigint', deleted: 'bigint', last_access: 'bigint', expires: 'bigint', time: 'bigint' },
  ...{ read: 'boolean', write: 'boolean', published: 'boolean' },
  ...{ priority: 'int', attachment_size: 'bigint', attachment_expires: 'bigint' },
}

// A token of Gotify 3 (the seed of a key), and what its database has of it (the public key).
export function version3Token(kind: 'a' | 'c'): { token: string; stored: string } {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { token: `gtfy${kind}.${d}`, stored: `gtfy${kind}.${x}` }
}
