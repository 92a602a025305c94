// Single rows, remembered until anything at all is committed. Our own commits empty it before their answers go out; what
// another process commits (the command line, beside a running server) is found by SQLite's own change counter, asked
// once in each turn of the event loop: whatever a turn answers was asked before the turn began.
import type { SqlValue } from './sql.ts'

export type ReadCache = {
  row(text: string, values: readonly SqlValue[], load: () => unknown): unknown
  clear(): void
}

// Far more than one turn reads; a bound on memory, not a tuning knob.
const MOST_ROWS = 1000

export function createReadCache(changeCounter: () => number): ReadCache {
  const statements = new Map<string, Map<SqlValue, unknown>>()
  let rows = 0
  let counter = -1
  let isFresh = false

  function clear() {
    for (const remembered of statements.values()) remembered.clear()
    rows = 0
  }

  function freshen() {
    isFresh = true
    setImmediate(() => (isFresh = false))
    const now = changeCounter()
    if (now !== counter) clear()
    counter = now
  }

  return {
    clear,
    row(text, values, load) {
      if (!isFresh) freshen()
      const remembered = statements.get(text) ?? new Map<SqlValue, unknown>()
      statements.set(text, remembered)
      const key = values.length === 1 ? (values[0] as SqlValue) : JSON.stringify(values)
      const known = remembered.get(key)
      if (known !== undefined) return known
      if (rows >= MOST_ROWS) clear()
      const row = load()
      if (row !== undefined) {
        remembered.set(key, row)
        rows++
      }
      return row
    },
  }
}
