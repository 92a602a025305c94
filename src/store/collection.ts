// The statements that all resources of an account share: find by slug or id, list, count, delete. What is particular to a
// noun, such as inserts and updates, is in its own file.
import type { UserId } from '../domain/caller.ts'
import type { Reader, Writer } from './engine/database.ts'
import { FOR_UPDATE, type Fragment, fragment, IN_BYTE_ORDER, type Sql, sql } from './engine/sql.ts'

export type Collection<Item, Name extends string> = {
  find(db: Reader, account: UserId, name: Name): Promise<Item | undefined>
  // Locks the row until the transaction ends.
  findForUpdate(tx: Writer, account: UserId, name: Name): Promise<Item | undefined>
  list(db: Reader, account: UserId): Promise<Item[]>
  // Right until the commit only under the lock of the account.
  count(db: Reader, account: UserId): Promise<number>
  // Returns false if there is none.
  remove(tx: Writer, account: UserId, name: Name): Promise<boolean>
  // The statement of `find`, for reads that are cached.
  select(account: UserId, name: Name): Sql
}

export type CollectionTable = {
  table: string
  columns: Fragment
  // The column that names a row within its account.
  name: string
  // The column of the account.
  account?: string
  order: Sql
}

export const NEWEST_FIRST = sql`created_at desc, id desc`
export const OLDEST_FIRST = sql`created_at, id`
export const BY_NAME = sql`name ${IN_BYTE_ORDER}`

export function collection<Row, Item, Name extends string = string>(
  { columns, order, ...names }: CollectionTable,
  make: (row: Row) => Item,
): Collection<Item, Name> {
  const table = fragment(names.table)
  const account = fragment(names.account ?? 'user_id')
  const name = fragment(names.name)
  const select = (userId: UserId, value: Name) =>
    sql`select ${columns} from ${table} where ${account} = ${userId} and ${name} = ${value}`

  async function first(row: Promise<Row | undefined>): Promise<Item | undefined> {
    const found = await row
    return found && make(found)
  }

  return {
    find: (db, userId, value) => first(db.first<Row>(select(userId, value))),
    findForUpdate: (tx, userId, value) => first(tx.first<Row>(sql`${select(userId, value)} ${FOR_UPDATE}`)),
    async list(db, userId) {
      const rows = await db.all<Row>(
        sql`select ${columns} from ${table} where ${account} = ${userId} order by ${order}`,
      )
      return rows.map(make)
    },
    async count(db, userId) {
      const row = await db.first<{ count: number }>(
        sql`select count(*) as count from ${table} where ${account} = ${userId}`,
      )
      return row?.count ?? 0
    },
    async remove(tx, userId, value) {
      return (await tx.execute(sql`delete from ${table} where ${account} = ${userId} and ${name} = ${value}`)) === 1
    },
    select,
  }
}
