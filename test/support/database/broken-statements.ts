// Makes statements of an open database fail: in their place the database gets one that it refuses, so that the error, the
// rollback and what follows are real.
import type { Database, Reader, Work } from '../../../src/store/engine/database.ts'
import { type Sql, sql } from '../../../src/store/engine/sql.ts'

// `nth`: its place in its transaction, from 1; 0 outside of transactions.
export type Statement = { text: string; nth: number }

const BROKEN = sql`select 1 from no_such_table`
const STATEMENTS = ['all', 'first', 'cached', 'execute', 'queue', 'insert', 'lock']

export function breakStatements(db: Database, isBroken: (statement: Statement) => boolean): void {
  const breaking = <Target extends Reader>(target: Target, nthOf: () => number): Target =>
    new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function' || !STATEMENTS.includes(String(name))) return member
        return (query: Sql, ...others: unknown[]) => {
          if (!isBroken({ text: query.strings.join('?'), nth: nthOf() })) return member.call(target, query, ...others)
          // SQLite runs no statement for a lock.
          return name === 'lock' ? target.all(BROKEN) : member.call(target, BROKEN, ...others)
        }
      },
    })
  const { transact } = db
  db.transact = <Result>(work: Work<Result>, options?: Parameters<typeof transact>[1]) =>
    transact<Result>((tx, before) => {
      let nth = 0
      const broken = breaking(tx, () => ++nth)
      return work(broken, before)
    }, options)
  Object.assign(db, { read: breaking(db.read, () => 0) })
}
