// The file that tests on SQLite copy: the schema without rows. Each worker makes it once.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../../src/store/engine/migrate.ts'
import { openSqlite } from '../../../src/store/engine/sqlite/sqlite.ts'

let template: Promise<string> | undefined

export async function copySqliteTemplate(dataFolder: string): Promise<void> {
  template ??= createTemplate()
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  copyFileSync(await template, join(dataFolder, 'heliograph.db'))
}

async function createTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'heliograph.db')
  const db = openSqlite(file, { monotonicMs: () => performance.now() })
  await migrate(db)
  await db.close()
  return file
}
