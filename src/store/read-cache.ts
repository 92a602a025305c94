// Single rows and short lists, remembered until a table they come from changes. Our own commits say which statements they
// ran before their answers go out; what another process commits (the command line, beside a running server) is found by
// SQLite's own change counter, asked once in each turn of the event loop: whatever a turn answers was asked before it
// began.
import type { SqlValue } from './sql.ts'

export type ReadCache = {
  // Whatever `load` returns, unless that is nothing.
  remember<Read>(text: string, values: readonly SqlValue[], load: () => Read): Read
  // After a commit of ours, with the statements it ran.
  committed(statements: Iterable<string>): void
}

// What only the database knows.
export type Outside = {
  // Moves when another process commits, and not when we do.
  changeCounter(): number
  // Tables whose rows take rows of other tables with them when they are deleted.
  parentTables(): Set<string>
}

// A bound on memory, not a tuning knob.
const MOST_READS = 10_000

type Remembered = Map<SqlValue, unknown>

export function createReadCache({ changeCounter, parentTables }: Outside): ReadCache {
  const statements = new Map<string, Remembered>()
  const byTable = new Map<string, Remembered[]>()
  const effects = new Map<string, Effect>()
  let parents: Set<string> | undefined
  let reads = 0
  let counter = -1
  let isFresh = false

  function forget(some: Iterable<Remembered>) {
    for (const remembered of some) {
      reads -= remembered.size
      remembered.clear()
    }
  }

  function freshen() {
    isFresh = true
    setImmediate(() => (isFresh = false))
    const now = changeCounter()
    if (now !== counter) forget(statements.values())
    counter = now
  }

  function begin(text: string): Remembered {
    const remembered: Remembered = new Map()
    statements.set(text, remembered)
    for (const table of tablesIn(text)) byTable.set(table, [...(byTable.get(table) ?? []), remembered])
    return remembered
  }

  function mayTakeOthersAlong({ kind, tables }: Effect): boolean {
    if (kind !== 'delete') return false
    parents ??= parentTables()
    const known = parents
    return tables.some((table) => known.has(table))
  }

  function apply(text: string) {
    const effect = effects.get(text) ?? effectOf(text)
    effects.set(text, effect)
    if (effect.kind === 'schema') parents = undefined
    if (effect.kind === 'schema' || mayTakeOthersAlong(effect)) forget(statements.values())
    else for (const table of effect.tables) forget(byTable.get(table) ?? [])
  }

  return {
    remember<Read>(text: string, values: readonly SqlValue[], load: () => Read) {
      if (!isFresh) freshen()
      const remembered = statements.get(text) ?? begin(text)
      const key = values.length === 1 ? (values[0] as SqlValue) : JSON.stringify(values)
      const known = remembered.get(key)
      if (known !== undefined) return known as Read
      if (reads >= MOST_READS) forget(statements.values())
      const read = load()
      if (read !== undefined) {
        remembered.set(key, read)
        reads++
      }
      return read
    },
    committed(ran) {
      for (const text of ran) apply(text)
    },
  }
}

type Effect = { kind: 'read' | 'write' | 'delete' | 'schema'; tables: string[] }

// Every table that a writing statement names counts as written: too many rather than too few. Tables are named one by
// one, after `from`, `join`, `into` or `update`; statements here do not use the comma.
function effectOf(text: string): Effect {
  if (/\b(create|alter|drop)\b/i.test(text)) return { kind: 'schema', tables: [] }
  if (/\bdelete\s+from\b/i.test(text)) return { kind: 'delete', tables: tablesIn(text) }
  if (/\b(insert|update)\b/i.test(text)) return { kind: 'write', tables: tablesIn(text) }
  return { kind: 'read', tables: [] }
}

const tablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b(?:from|join|into|update)\s+([a-z_]+)/gi)].map(([, table]) => table as string)),
]
