// SQLite from Node itself where Node has it, otherwise from the package with the same interface.
import { createRequire } from 'node:module'
import type { SqlValue } from '../sql.ts'

export type SqliteConnection = { exec(text: string): void; prepare(text: string): SqliteStatement; close(): void }
export type SqliteStatement = {
  columns(): { name: string }[]
  // Rows as arrays instead of objects.
  setReturnArrays(asArrays: boolean): void
  all(...values: SqlValue[]): unknown[]
  get(...values: SqlValue[]): unknown
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
}
type SqliteModule = { DatabaseSync: new (file: string) => SqliteConnection }

const require = createRequire(import.meta.url)

export function loadSqlite(): SqliteModule {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isBuiltIn = major > 22 || (major === 22 && minor >= 16)
  if (!isBuiltIn) return require('@photostructure/sqlite')
  return withoutExperimentalWarning(() => require('node:sqlite'))
}

// Node 22 warns that its SQLite is experimental each time it is loaded; that one warning is not for our users.
function withoutExperimentalWarning<Result>(load: () => Result): Result {
  const emitWarning = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite')) emitWarning.call(process, warning, ...rest)
  }) as typeof process.emitWarning
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
