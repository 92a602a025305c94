// The schema as the program creates it: runs all migrations on a temporary SQLite database and reads the result.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

// The tables by name, each with its columns, foreign keys, indexes and the statement that created it.
export async function readSchema() {
  const { openSqlite } = await importSource('sqlite')
  const { migrate } = await importSource('migrate')
  const { sql } = await importSource('sql')
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-data-model-'))
  const db = openSqlite(join(folder, 'schema.db'), { monotonicMs: () => 0 })
  try {
    await migrate(db)
    const tables = await db.read.all(
      sql`select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite%' order by name`,
    )
    const entries = []
    for (const table of tables) entries.push([table.name, await readTable(db.read, sql, table)])
    return Object.fromEntries(entries)
  } finally {
    await db.close()
    rmSync(folder, { recursive: true })
  }
}

function importSource(name) {
  const paths = readdirSync('src/store', { recursive: true }).filter((path) => basename(path) === `${name}.ts`)
  if (paths.length !== 1) throw new Error(`expected one ${name}.ts in src/store, found ${paths.length}`)
  return import(new URL(`../../src/store/${paths[0]}`, import.meta.url))
}

async function readTable(db, sql, table) {
  const columns = await db.all(sql`select name, lower(type) as type, "notnull" as is_required, pk
    from pragma_table_info(${table.name}) order by cid`)
  const foreignKeys = await db.all(sql`select id, "from" as column_name, "table" as target, "to" as target_column
    from pragma_foreign_key_list(${table.name}) order by id, seq`)
  const indexes = await db.all(sql`select l.name, l."unique" as is_unique, l.origin, s.sql
    from pragma_index_list(${table.name}) l left join sqlite_schema s on s.name = l.name order by l.name`)
  for (const index of indexes) {
    const names = await db.all(sql`select name from pragma_index_info(${index.name}) order by seqno`)
    index.columns = names.map(({ name }) => name)
  }
  return {
    columns: columns.map(({ name, type, is_required, pk }) => ({
      name,
      // SQLite calls a primary key that it numbers itself "integer"; everywhere else whole numbers are "bigint".
      type: type === 'integer' ? 'bigint' : type,
      isNumbered: type === 'integer' && /autoincrement/i.test(table.sql),
      isNullable: is_required === 0 && pk === 0,
      keyPosition: pk,
    })),
    foreignKeys: [...new Set(foreignKeys.map(({ id }) => id))].map((id) =>
      toForeignKey(foreignKeys.filter((row) => row.id === id)),
    ),
    // Origin "pk" repeats the primary key.
    indexes: indexes.filter(({ origin }) => origin !== 'pk').map(toIndex),
  }
}

const toForeignKey = (rows) => ({
  columns: rows.map((row) => row.column_name),
  target: rows[0].target,
})

// A unique constraint has an index without a statement of its own.
const toIndex = ({ name, columns, is_unique, origin, sql }) => ({
  name: origin === 'u' ? undefined : name,
  columns,
  isUnique: is_unique === 1,
  where: /\bwhere\b\s+(.*)$/is.exec(sql ?? '')?.[1],
})
