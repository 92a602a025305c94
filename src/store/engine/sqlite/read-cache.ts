// Keeps the results of `Reader.cached` in memory until a table that the query reads is written to.
// Our own commits report the tables they wrote before their answers go out. Commits of another process (the command line
// beside a running server) are noticed by SQLite's change counter. It is read once per event-loop turn, which is enough:
// a request that is handled in a turn was sent before that turn began.
import type { SqlValue } from '../sql.ts'
import { SCHEMA_TABLE } from './statement-tables.ts'

export type ReadCache = {
  // Returns the cached result, or what `make` makes of the rows that `load` returns. `undefined` is not cached.
  get<Row, Result>(text: string, values: readonly SqlValue[], load: () => Row[], make: (rows: Row[]) => Result): Result
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

type Entry = { result: unknown; bytes: number }
type Generation = { entries: Map<SqlValue, Entry>; bytes: number }

// The entries of one statement, in two generations. A hit in the old generation moves the entry to the young one. When the
// young generations together fill half of the bound, the old ones are dropped and the young ones become old. Entries in
// use therefore survive any number of entries that are read once.
type StatementEntries = { young: Generation; old: Generation }

export function createReadCache({ changeCounter, tablesReadBy }: CacheSources): ReadCache {
  const statements = new Map<string, StatementEntries>()
  const statementsByTable = new Map<string, StatementEntries[]>()
  let youngBytes = 0
  let oldBytes = 0
  let counter = -1
  let isFresh = false

  function forget(some: Iterable<StatementEntries>) {
    for (const { young, old } of some) {
      youngBytes -= young.bytes
      oldBytes -= old.bytes
      empty(young)
      empty(old)
    }
  }

  function startGeneration() {
    for (const statement of statements.values()) {
      statement.old = statement.young
      statement.young = createGeneration()
    }
    oldBytes = youngBytes
    youngBytes = 0
  }

  function forgetIfOthersCommitted() {
    isFresh = true
    setImmediate(() => (isFresh = false))
    const now = changeCounter()
    if (now !== counter) forget(statements.values())
    counter = now
  }

  function addStatement(text: string): StatementEntries {
    const statement = { young: createGeneration(), old: createGeneration() }
    statements.set(text, statement)
    for (const table of tablesReadBy(text)) {
      statementsByTable.set(table, [...(statementsByTable.get(table) ?? []), statement])
    }
    return statement
  }

  function add(statement: StatementEntries, key: SqlValue, entry: Entry) {
    if (youngBytes + entry.bytes > MOST_BYTES / 2) startGeneration()
    statement.young.entries.set(key, entry)
    statement.young.bytes += entry.bytes
    youngBytes += entry.bytes
  }

  function rejuvenate(statement: StatementEntries, key: SqlValue): Entry | undefined {
    const { old } = statement
    const entry = old.entries.get(key)
    if (!entry) return undefined
    old.entries.delete(key)
    old.bytes -= entry.bytes
    oldBytes -= entry.bytes
    add(statement, key, entry)
    return entry
  }

  return {
    get(text, values, load, make) {
      if (!isFresh) forgetIfOthersCommitted()
      const statement = statements.get(text) ?? addStatement(text)
      const key = values.length === 1 ? (values[0] as SqlValue) : JSON.stringify(values)
      const known = statement.young.entries.get(key) ?? rejuvenate(statement, key)
      if (known) return known.result as ReturnType<typeof make>
      const rows = load()
      const result = deepFreeze(make(rows))
      const bytes = sizeOf(rows) + lengthOf(key)
      if (result !== undefined && bytes <= LARGEST_ENTRY_BYTES) add(statement, key, { result, bytes })
      return result
    },
    tablesChanged(tables) {
      for (const table of tables) {
        forget(table === SCHEMA_TABLE ? statements.values() : (statementsByTable.get(table) ?? []))
      }
    },
    bytes: () => youngBytes + oldBytes,
  }
}

const createGeneration = (): Generation => ({ entries: new Map(), bytes: 0 })

function empty(generation: Generation) {
  if (generation.bytes === 0) return
  generation.entries.clear()
  generation.bytes = 0
}

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
    for (const cell of Object.values(row as object)) bytes += lengthOf(cell)
  }
  return bytes
}

const lengthOf = (cell: unknown): number => (typeof cell === 'string' ? cell.length : 0)
