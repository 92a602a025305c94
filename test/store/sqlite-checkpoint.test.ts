// How long the log of SQLite becomes until a commit checkpoints it.
import { statSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../src/store/engine/sql.ts'
import { openSqlite } from '../../src/store/engine/sqlite/sqlite.ts'
import { isPostgres } from '../support/database/database.ts'
import { createEmptyDatabase, fileOf } from '../support/database/open-database.ts'

const PAGE_BYTES = 4096

describe.skipIf(isPostgres())('the log of SQLite', () => {
  test('is checkpointed by a command before it is so long that a server on the same file would do it', async () => {
    const file = fileOf(await createEmptyDatabase())
    const monotonicMs = () => performance.now()
    const [server, command] = [
      openSqlite(file, { monotonicMs }),
      openSqlite(file, { monotonicMs, checkpointPages: 16 }),
    ]
    onTestFinished(() => server.close())
    onTestFinished(() => command.close())
    await server.transact((tx) => tx.execute(sql`create table notes (id bigint primary key, text text not null)`))
    for (let id = 1; id <= 50; id++) {
      const add = sql`insert into notes (id, text) values (${id}, ${'x'.repeat(PAGE_BYTES)})`
      await (id % 2 === 0 ? server : command).transact((tx) => tx.execute(add))
    }
    expect(statSync(`${file}-wal`).size).toBeLessThan(40 * PAGE_BYTES)
  })
})
