// The tables of the database as the database itself describes them.
import type { Reader } from './database.ts'
import { flag, nested, type Row } from './rows.ts'
import { fragment, sql } from './sql.ts'

export type Column = {
  name: string
  isText: boolean
  // Numbered by the database.
  isIdentity: boolean
  // The place in the primary key, from 1; 0 for columns that are not part of it.
  keyPosition: number
}
export type Table = { name: string; columns: Column[] }

// Tables that others refer to come before them; otherwise in the order of their names.
export async function listTables(db: Reader): Promise<Table[]> {
  const columns = Map.groupBy(await db.all<Row>(sql`${COLUMNS}`), (row) => String(row.table_name))
  const tables = [...columns].map(([name, rows]) => ({ name, columns: rows.map(COLUMN.read) }))
  return inReferenceOrder(tables, await db.all<ReferenceRow>(sql`${REFERENCES}`))
}

// The last number that each identity column has given, 0 if none.
export async function listLastNumbers(db: Reader): Promise<Map<string, number>> {
  const rows = await db.all<{ table_name: string; last_number: number }>(sql`${LAST_NUMBERS}`)
  return new Map(rows.map((row) => [row.table_name, row.last_number]))
}

type ReferenceRow = { table_name: string; referenced: string }

function inReferenceOrder(tables: Table[], references: ReferenceRow[]): Table[] {
  const ordered: Table[] = []
  const waiting = new Set(tables)
  const isReady = ({ name }: Table) =>
    references.every((row) => row.table_name !== name || ordered.some((table) => table.name === row.referenced))
  while (waiting.size > 0) {
    const next = [...waiting].find(isReady)
    if (!next) throw new Error('Tables refer to each other in a circle, so that none can be filled first.')
    waiting.delete(next)
    ordered.push(next)
  }
  return ordered
}

const COLUMN = nested<Column>({
  name: 'column_name',
  isText: flag('is_text'),
  isIdentity: flag('is_identity'),
  keyPosition: 'key_position',
})
const COLUMNS = fragment({
  sqlite: `select t.name as table_name, c.name as column_name, c.type = 'text' collate nocase as is_text,
        t.sql like '%autoincrement%' and c.pk = 1 as is_identity, c.pk as key_position
      from sqlite_schema t, pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'
      order by t.name, c.cid`,
  postgres: `select t.relname as table_name, c.attname as column_name, (c.atttypid = 'text'::regtype)::int as is_text,
        (c.attidentity <> '')::int as is_identity,
        coalesce(array_position(k.indkey::int2[], c.attnum) + 1, 0) as key_position
      from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
      left join pg_index k on k.indrelid = t.oid and k.indisprimary
      where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace
      order by t.relname, c.attnum`,
})

const REFERENCES = fragment({
  sqlite: `select t.name as table_name, r."table" as referenced
      from sqlite_schema t, pragma_foreign_key_list(t.name) r where t.type = 'table'`,
  postgres: `select t.relname as table_name, r.relname as referenced
      from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class r on r.oid = f.confrelid
      where f.contype = 'f' and t.relnamespace = current_schema()::regnamespace`,
})

const LAST_NUMBERS = fragment({
  sqlite: 'select name as table_name, seq as last_number from sqlite_sequence',
  postgres: `select t.relname as table_name,
        coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(t.relname), c.attname)::regclass), 0)
          as last_number
      from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attidentity <> ''
      where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace`,
})
