// A new file for the embedded database, filled in one transaction.
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import type { NewDatabase } from '../new-database.ts'
import { createCompile, sql } from '../sql.ts'
import { loadSqlite } from './module.ts'
import { prepareOnce } from './statements.ts'
import { openWriter } from './writer.ts'

export function createSqlite(file: string): NewDatabase {
  const { DatabaseSync } = loadSqlite()
  closeSync(openSync(file, 'wx', 0o600))
  const connection = new DatabaseSync(file)
  // No journal: a file that could not be filled is deleted, never rolled back.
  connection.exec('pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory')
  connection.exec('pragma foreign_keys = on; begin')
  const parts = { compile: createCompile('sqlite'), prepare: prepareOnce(connection) }
  const { tx } = openWriter({ ...parts, topics: new Set(), changedTables: new Set() })
  return {
    tx,
    async continueNumbering(table, lastNumber) {
      await tx.execute(sql`delete from sqlite_sequence where name = ${table}`)
      await tx.execute(sql`insert into sqlite_sequence (name, seq) values (${table}, ${lastNumber})`)
    },
    async commit() {
      connection.exec('commit')
      connection.close()
      sync(file)
    },
    async abandon() {
      if (connection.isOpen) connection.close()
      rmSync(file, { force: true })
    },
  }
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
