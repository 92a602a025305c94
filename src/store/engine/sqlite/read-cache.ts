// Keeps the results of `Reader.cached` in memory until a table that the query reads is written to.
// Our own commits report the tables they wrote before their answers go out. Commits of another process (the command line
// beside a running server) are noticed by SQLite's change counter. It is read once per event-loop turn, which is enough:
// a request that is handled in a turn was sent before that turn began.
import type { Compiled, SqlValue } from '../sql.ts'
import { SCHEMA_TABLE } from './statement-tables.ts'

export type ReadCache = {
  // Returns the cached result, or what `make` makes of the rows that `load` returns. `undefined` is not cached.
  get<Row, Result>(query: Compiled, load: (query: Compiled) => Row[], make: (rows: Row[]) => Result): Result
  // Called after each of our commits with the tables it wrote.
  tablesChanged(tables: Iterable<string>): void
  // An estimate of the memory that all entries take.
  bytes(): number
}

export type CacheSources = {
  // Changes when another process commits, and not when we do.
  changeCounter(): number
  tablesReadBy(text: string): readonly string[]
}

// Enough for the callers and addresses of some ten thousand active keys.
export const MOST_BYTES = 16 * 1024 * 1024
const LARGEST_ENTRY_BYTES = 64 * 1024
// An object, its entry in the map and its share of the map.
const OBJECT_BYTES = 200

// A result is valid while its statement has the version that it was read with.
type Statement = { number: number; version: number }
type Entry = { version: number; result: unknown; bytes: number }
type Generation = { entries: Map<string, Entry>; bytes: number }

const createGeneration = (): Generation => ({ entries: new Map(), bytes: 0 })

export function createReadCache({ changeCounter, tablesReadBy }: CacheSources): ReadCache {
  const statements = new Map<string, Statement>()
  const statementsByTable = new Map<string, Statement[]>()
  // A hit in the old generation adds the entry to the young one. When the young one fills half of the bound, the old one is
  // dropped. Entries in use therefore survive any number of entries that are read once.
  let young = createGeneration()
  let old = createGeneration()
  let counter = -1
  let isFresh = false

  function invalidate(some: Iterable<Statement>) {
    for (const statement of some) statement.version += 1
  }

  function invalidateIfOthersCommitted() {
    isFresh = true
    setImmediate(() => (isFresh = false))
    const now = changeCounter()
    if (now !== counter) invalidate(statements.values())
    counter = now
  }

  function addStatement(text: string): Statement {
    const statement = { number: statements.size, version: 0 }
    statements.set(text, statement)
    for (const table of tablesReadBy(text)) {
      statementsByTable.set(table, [...(statementsByTable.get(table) ?? []), statement])
    }
    return statement
  }

  function add(key: string, entry: Entry) {
    if (young.bytes + entry.bytes > MOST_BYTES / 2) {
      old = young
      young = createGeneration()
    }
    young.bytes += entry.bytes - (young.entries.get(key)?.bytes ?? 0)
    young.entries.set(key, entry)
  }

  function find(key: string, version: number): Entry | undefined {
    const inYoung = young.entries.get(key)
    const entry = inYoung ?? old.entries.get(key)
    if (entry?.version !== version) return undefined
    if (!inYoung) add(key, entry)
    return entry
  }

  return {
    get(query, load, make) {
      if (!isFresh) invalidateIfOthersCommitted()
      const { number, version } = statements.get(query.text) ?? addStatement(query.text)
      const key = keyOf(number, query.values)
      const known = find(key, version)
      if (known) return known.result as ReturnType<typeof make>
      const rows = load(query)
      const result = deepFreeze(make(rows))
      const bytes = sizeOf(rows) + key.length
      if (result !== undefined && bytes <= LARGEST_ENTRY_BYTES) add(key, { version, result, bytes })
      return result
    },
    tablesChanged(tables) {
      for (const table of tables) {
        invalidate(table === SCHEMA_TABLE ? statements.values() : (statementsByTable.get(table) ?? []))
      }
    },
    bytes: () => young.bytes + old.bytes,
  }
}

// Most statements have one value, a text. JSON tells others apart, such as null and 'null'.
const keyOf = (number: number, values: readonly SqlValue[]): string =>
  values.length === 1 && typeof values[0] === 'string'
    ? `${number} ${values[0]}`
    : `${number}:${JSON.stringify(values)}`

// Requests share a result: one that changed it would change it for the others.
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}

function sizeOf(rows: unknown[]): number {
  let bytes = OBJECT_BYTES
  for (const row of rows) {
    bytes += OBJECT_BYTES
    for (const cell of Object.values(row as object)) bytes += typeof cell === 'string' ? cell.length : 0
  }
  return bytes
}
