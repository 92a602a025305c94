// SQL as tagged templates. A template is compiled once per dialect; its values always travel as parameters.

export type Dialect = 'sqlite' | 'postgres'
export type SqlValue = string | number | null

// A piece of text that differs between the two databases, or is shared by statements (a column list).
export type Fragment = { readonly text: Readonly<Record<Dialect, string>> }
export type Sql = { readonly strings: TemplateStringsArray; readonly values: readonly (SqlValue | Fragment | Sql)[] }
export type Compiled = { readonly text: string; readonly values: readonly SqlValue[] }

export function sql(strings: TemplateStringsArray, ...values: (SqlValue | Fragment | Sql)[]): Sql {
  return { strings, values }
}

export const fragment = (text: string): Fragment => ({ text: { sqlite: text, postgres: text } })

// SQLite has one writer at a time, so rows need no lock of their own there.
export const FOR_UPDATE: Fragment = { text: { sqlite: '', postgres: 'for no key update' } }
export const IDENTITY: Fragment = {
  text: { sqlite: 'integer primary key autoincrement', postgres: 'bigint generated always as identity primary key' },
}
// Text in the order of its bytes, on a PostgreSQL that sorts like a dictionary too.
export const IN_BYTE_ORDER: Fragment = { text: { sqlite: 'collate binary', postgres: 'collate "C"' } }
export const SKIP_LOCKED: Fragment = { text: { sqlite: '', postgres: 'for update skip locked' } }

// Values for `in (…)`. Lists of one length share their text, so that statements with them are compiled once too.
export function list(values: readonly SqlValue[]): Sql {
  const strings = COMMAS.get(values.length) ?? commas(values.length)
  COMMAS.set(values.length, strings)
  return { strings, values }
}

const COMMAS = new Map<number, TemplateStringsArray>()

function commas(length: number): TemplateStringsArray {
  return Object.assign(['', ...Array.from({ length: length - 1 }, () => ', '), ''], { raw: [] })
}

// What was compiled, found by the parts a statement is made of: its text, and what stands in each hole of it.
type Node = { next: Map<object, Node>; text?: string }
const COMPILED: Record<Dialect, Node> = { sqlite: { next: new Map() }, postgres: { next: new Map() } }
const VALUE = {}

export function compile(query: Sql, dialect: Dialect): Compiled {
  // Most statements have values and nothing else in their holes: their template says it all.
  if (query.values.every(isValue)) {
    const node = step(COMPILED[dialect], query.strings)
    node.text ??= write(query, dialect, { values: 0 })
    return { text: node.text, values: query.values as readonly SqlValue[] }
  }
  const values: SqlValue[] = []
  const node = find(COMPILED[dialect], query, values)
  node.text ??= write(query, dialect, { values: 0 })
  return { text: node.text, values }
}

function find(from: Node, { strings, values: parts }: Sql, values: SqlValue[]): Node {
  let node = step(from, strings)
  for (const part of parts) {
    if (isValue(part)) {
      values.push(part)
      node = step(node, VALUE)
    } else {
      node = isSql(part) ? find(node, part, values) : step(node, part)
    }
  }
  return node
}

function step(node: Node, part: object): Node {
  const known = node.next.get(part)
  if (known) return known
  const next: Node = { next: new Map() }
  node.next.set(part, next)
  return next
}

function write(query: Sql, dialect: Dialect, count: { values: number }): string {
  let text = query.strings[0] ?? ''
  query.values.forEach((part, index) => {
    if (isValue(part)) text += dialect === 'postgres' ? `$${++count.values}` : '?'
    else text += isSql(part) ? write(part, dialect, count) : part.text[dialect]
    text += query.strings[index + 1]
  })
  return text
}

const isValue = (value: SqlValue | Fragment | Sql): value is SqlValue => value === null || typeof value !== 'object'
const isSql = (value: Fragment | Sql): value is Sql => 'strings' in value
