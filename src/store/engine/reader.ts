// Readers differ in how they read all rows of a query; the rest follows from it.
import type { Reader } from './database.ts'
import type { Sql } from './sql.ts'

// `together`: for the queries that every request makes.
export const readerOf = (all: Reader['all'], together = all): Reader => ({
  all,
  first: async <Row>(query: Sql) => (await all<Row>(query))[0],
  cached: async <Row, Result>(query: Sql, make: (rows: Row[]) => Result) => make(await together<Row>(query)),
})
