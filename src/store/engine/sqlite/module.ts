// Loads Node's own SQLite.
import { createRequire } from 'node:module'
import type { DatabaseSync, StatementResultingChanges } from 'node:sqlite'

export type SqliteConnection = DatabaseSync
export type SqliteChanges = StatementResultingChanges

const require = createRequire(import.meta.url)

export function loadSqlite(): typeof import('node:sqlite') {
  return withoutSqliteWarning(() => require('node:sqlite'))
}

// Node 22 warns that its SQLite is experimental each time it is loaded. Users can do nothing about that warning.
function withoutSqliteWarning<Result>(load: () => Result): Result {
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
