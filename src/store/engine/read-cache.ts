// Remembers single rows and short lists until a column they depend on changes. Our own commits report the statements they
// ran before their answers go out. Commits of another process (the command line beside a running server) are noticed by
// SQLite's change counter, which is read once in each turn of the event loop: a request that is answered in a turn was
// sent before that turn began.
import type { SqlValue } from './sql.ts'
import { type Effect, effectOf, mayChange } from './sql-effects.ts'

export type ReadCache = {
  // Returns what `make` makes of the rows that `load` returns; does not remember that there is no row.
  remember<Rows, Made>(
    text: string,
    values: readonly SqlValue[],
    load: () => Rows | undefined,
    make: (rows: Rows) => Made,
  ): Made | undefined
  // Called after a commit of ours, with the statements it ran.
  committed(statements: Iterable<string>): void
  // The length of all text that is remembered, with an allowance for what holds it.
  bytes(): number
}

export type CacheSources = {
  // Moves when another process commits, and not when we do.
  changeCounter(): number
  // Tables whose rows take rows of other tables with them when they are deleted.
  parentTables(): Set<string>
}

// A bound on memory. It holds the callers of some ten thousand active keys.
export const MOST_BYTES = 16 * 1024 * 1024
// Long rows are content (notifications, activities), which is rarely read twice; callers and addresses are short.
const LARGEST_ROW_BYTES = 2048
const LARGEST_LIST_BYTES = 64 * 1024
// The row object, its entry in the map and its share of the map.
const ENTRY_BYTES = 200

type Entry = { made: unknown; bytes: number }
type Generation = { entries: Map<SqlValue, Entry>; bytes: number }

// What is remembered of one statement, in two generations. A hit in the old generation moves the entry to the young one;
// when the young generations together fill half of the bound, the old ones are dropped and the young ones become old.
// Rows in use therefore survive any number of rows that are read once.
type Remembered = { text: string; young: Generation; old: Generation }

export function createReadCache({ changeCounter, parentTables }: CacheSources): ReadCache {
  const statements = new Map<string, Remembered>()
  // By writing statement, the reads whose rows it may change. Emptied when another read begins to be remembered.
  const readsChangedBy = new Map<string, Remembered[]>()
  let parents: Set<string> | undefined
  let youngBytes = 0
  let oldBytes = 0
  let counter = -1
  let isFresh = false

  function forget(some: Iterable<Remembered>) {
    for (const { young, old } of some) {
      youngBytes -= young.bytes
      oldBytes -= old.bytes
      empty(young)
      empty(old)
    }
  }

  function startGeneration() {
    for (const remembered of statements.values()) {
      remembered.old = remembered.young
      remembered.young = createGeneration()
    }
    oldBytes = youngBytes
    youngBytes = 0
  }

  function freshen() {
    isFresh = true
    setImmediate(() => (isFresh = false))
    const now = changeCounter()
    if (now !== counter) forget(statements.values())
    counter = now
  }

  function begin(text: string): Remembered {
    const remembered: Remembered = { text, young: createGeneration(), old: createGeneration() }
    statements.set(text, remembered)
    readsChangedBy.clear()
    return remembered
  }

  function keep(remembered: Remembered, key: SqlValue, entry: Entry) {
    if (youngBytes + entry.bytes > MOST_BYTES / 2) startGeneration()
    remembered.young.entries.set(key, entry)
    remembered.young.bytes += entry.bytes
    youngBytes += entry.bytes
  }

  function rejuvenate(remembered: Remembered, key: SqlValue): Entry | undefined {
    const { old } = remembered
    const entry = old.entries.get(key)
    if (!entry) return undefined
    old.entries.delete(key)
    old.bytes -= entry.bytes
    oldBytes -= entry.bytes
    keep(remembered, key, entry)
    return entry
  }

  function mayCascade({ kind, tables }: Effect): boolean {
    if (kind !== 'delete') return false
    parents ??= parentTables()
    const known = parents
    return tables.some((table) => known.has(table))
  }

  function findReadsChangedBy(text: string): Remembered[] {
    const effect = effectOf(text)
    const all = [...statements.values()]
    if (effect.kind === 'schema') {
      parents = undefined
      readsChangedBy.clear()
      return all
    }
    const found = mayCascade(effect) ? all : all.filter((read) => mayChange(effect, read.text))
    readsChangedBy.set(text, found)
    return found
  }

  return {
    remember(text, values, load, make) {
      if (!isFresh) freshen()
      const remembered = statements.get(text) ?? begin(text)
      const key = values.length === 1 ? (values[0] as SqlValue) : JSON.stringify(values)
      const known = remembered.young.entries.get(key) ?? rejuvenate(remembered, key)
      if (known) return known.made as ReturnType<typeof make>
      const rows = load()
      if (rows === undefined) return undefined
      const made = make(rows)
      const bytes = sizeOf(rows)
      if (bytes !== undefined) keep(remembered, key, { made, bytes: bytes + lengthOf(key) })
      return made
    },
    committed(ran) {
      for (const text of ran) forget(readsChangedBy.get(text) ?? findReadsChangedBy(text))
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

// Undefined: too much to be remembered.
function sizeOf(rows: unknown): number | undefined {
  let bytes = ENTRY_BYTES
  for (const row of Array.isArray(rows) ? rows : [rows]) {
    const rowBytes = ENTRY_BYTES + textLength(row)
    if (rowBytes > LARGEST_ROW_BYTES) return undefined
    bytes += rowBytes
  }
  return bytes > LARGEST_LIST_BYTES ? undefined : bytes
}

function textLength(row: object): number {
  let length = 0
  for (const cell of Object.values(row)) length += lengthOf(cell)
  return length
}

const lengthOf = (cell: unknown): number => (typeof cell === 'string' ? cell.length : 0)
