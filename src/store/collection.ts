// The statements that all resources of an account share: find by slug or id, list, count, delete. What is particular to a
// noun, such as inserts and updates, is in its own file.
import type { UserId } from '../domain/caller.ts'
import type { Reader, Writer } from './engine/database.ts'
import type { Rows } from './engine/rows.ts'
import { FOR_UPDATE, fragment, IN_BYTE_ORDER, type Sql, sql } from './engine/sql.ts'

export type Collection<Item, Name extends string> = {
  find(db: Reader, account: UserId, name: Name): Promise<Item | undefined>
  // Locks the row until the transaction ends.
  findForUpdate(tx: Writer, account: UserId, name: Name): Promise<Item | undefined>
  list(db: Reader, account: UserId): Promise<Item[]>
  // Right until the commit only under the lock of the account.
  count(db: Reader, account: UserId): Promise<number>
  // Returns false if there is none.
  remove(tx: Writer, account: UserId, name: Name): Promise<boolean>
}

export type CollectionTable = {
  // The column that names a row within its account.
  name: string
  // The column of the account.
  account?: string
  order: Sql
}

export const NEWEST_FIRST = sql`created_at desc, id desc`
export const OLDEST_FIRST = sql`created_at, id`
export const BY_NAME = sql`name ${IN_BYTE_ORDER}`

export function collection<Item, Name extends string = string>(
  rows: Rows<Item>,
  { order, ...names }: CollectionTable,
): Collection<Item, Name> {
  const account = fragment(names.account ?? 'user_id')
  const name = fragment(names.name)
  const named = (userId: UserId, value: Name) => sql`where ${account} = ${userId} and ${name} = ${value}`

  return {
    find: (db, userId, value) => rows.first(db, named(userId, value)),
    findForUpdate: (tx, userId, value) => rows.first(tx, sql`${named(userId, value)} ${FOR_UPDATE}`),
    list: (db, userId) => rows.all(db, sql`where ${account} = ${userId} order by ${order}`),
    count: (db, userId) => rows.count(db, sql`where ${account} = ${userId}`),
    async remove(tx, userId, value) {
      return (await tx.execute(sql`delete from ${rows.table} ${named(userId, value)}`)) === 1
    },
  }
}
