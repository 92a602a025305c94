// SQL as tagged templates. Values always travel as parameters, never as text.

export type Dialect = 'sqlite' | 'postgres'
export type SqlValue = string | number | null

type Part = SqlValue | Fragment | Sql

// Statements and fragments are recognized by their class and not by their members, because JSON of a sender can have any
// members. Only this file makes them.
class Sql {
  readonly strings: readonly string[]
  readonly parts: readonly Part[]
  // Keeps an object with the same members from passing as one.
  declare protected readonly of: 'statement'
  constructor(strings: readonly string[], parts: readonly Part[]) {
    this.strings = strings
    this.parts = parts
  }
}

class Fragment {
  readonly text: Readonly<Record<Dialect, string>>
  declare protected readonly of: 'fragment'
  constructor(text: Record<Dialect, string>) {
    this.text = text
  }
}

export type { Fragment, Sql }

export const sql = (strings: TemplateStringsArray, ...parts: Part[]): Sql => new Sql(strings, parts)

// For statements whose number of parameters is not known before: `strings` has one text more than there are parts.
export const joined = (strings: readonly string[], parts: readonly Part[]): Sql => new Sql(strings, parts)

// A piece of text that differs between the two databases, or is shared by statements (a column list).
export const fragment = (text: string | Record<Dialect, string>): Fragment =>
  new Fragment(typeof text === 'string' ? { sqlite: text, postgres: text } : text)

// Also in the parts of its parts.
export const includes = ({ parts }: Sql, piece: Fragment): boolean =>
  parts.some((part) => part === piece || (part instanceof Sql && includes(part, piece)))

// SQLite has one writer at a time, so its rows need no locks.
export const FOR_UPDATE = fragment({ sqlite: '', postgres: 'for no key update' })
export const SKIP_LOCKED = fragment({ sqlite: '', postgres: 'for update skip locked' })
export const IDENTITY = fragment({
  sqlite: 'integer primary key autoincrement',
  postgres: 'bigint generated always as identity primary key',
})
// For a table whose rows are updated often: into the room that PostgreSQL leaves in each page, without a change of an index.
export const ROOM_TO_UPDATE = fragment({ sqlite: '', postgres: 'with (fillfactor = 50)' })
// For an insert that gives the id of a row itself.
export const GIVEN_ID = fragment({ sqlite: '', postgres: 'overriding system value' })
// Sorts text by its bytes. PostgreSQL would else use the collation of the database.
export const IN_BYTE_ORDER = fragment({ sqlite: 'collate binary', postgres: 'collate "C"' })

const EACH_TEXT = fragment({ sqlite: 'json_each(', postgres: 'json_array_elements_text(' })
const END_OF_EACH_TEXT = fragment({ sqlite: ')', postgres: '::json) as each_text (value)' })

// The texts of a JSON array as rows with the column `value`, for `from`. One parameter however many texts there are.
export const eachText = (json: string | Fragment): Sql => sql`${EACH_TEXT}${json}${END_OF_EACH_TEXT}`

// The objects of a JSON array as rows, for `from`. One statement and one parameter however many there are, where a list of values
// would be another statement for each number of rows, which PostgreSQL has to parse.
export function eachObject(columns: Record<string, 'text' | 'bigint'>): (json: string) => Sql {
  const members = Object.keys(columns).map((name) => `value ->> '${name}' as ${name}`)
  const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  const before = fragment({ sqlite: `(select ${members.join(', ')} from json_each(`, postgres: 'json_to_recordset(' })
  const after = fragment({ sqlite: ')) as given', postgres: `::json) as given (${types.join(', ')})` })
  return (json) => sql`${before}${json}${after}`
}

// Values for `in (…)`.
export function list(values: readonly SqlValue[]): Sql {
  const commas = Array.from({ length: values.length - 1 }, () => ', ')
  return joined(['', ...commas, ''], values)
}

export type Compiled = { readonly text: string; readonly values: readonly SqlValue[] }
export type Compile = (query: Sql) => Compiled

// Compiled texts, found by the `strings` of a template, which JavaScript passes as the same array every time, and by what is
// in each gap. A text is written once and stays the same string, so it is hashed once too: 2 % of a send with a push.
type Node = { text?: string; readonly next: WeakMap<object, Node> }
const VALUE = {}

export function createCompile(dialect: Dialect): Compile {
  const root: Node = { next: new WeakMap() }
  return (query) => {
    const { strings, parts } = query
    // Most templates have values alone in their gaps.
    const isPlain = parts.every(isValue)
    const values: SqlValue[] = []
    const node = isPlain ? step(root, strings) : descend(root, query, values)
    node.text ??= textOf(query, dialect, [])
    return { text: node.text, values: isPlain ? parts : values }
  }
}

// Adds the values of the query to `values`.
function descend(from: Node, { strings, parts }: Sql, values: SqlValue[]): Node {
  let node = step(from, strings)
  for (const part of parts) {
    if (isValue(part)) {
      values.push(part)
      node = step(node, VALUE)
    } else {
      node = part instanceof Sql ? descend(node, part, values) : step(node, requireFragment(part))
    }
  }
  return node
}

function step(node: Node, key: object): Node {
  const next = node.next.get(key) ?? { next: new WeakMap() }
  node.next.set(key, next)
  return next
}

// Adds the values of the query to `values`; PostgreSQL numbers its parameters by them.
function textOf({ strings, parts }: Sql, dialect: Dialect, values: SqlValue[]): string {
  let text = strings[0] ?? ''
  for (const [index, part] of parts.entries()) {
    if (isValue(part)) {
      values.push(part)
      text += dialect === 'postgres' ? `$${values.length}` : '?'
    } else {
      text += part instanceof Sql ? textOf(part, dialect, values) : requireFragment(part).text[dialect]
    }
    text += strings[index + 1]
  }
  return text
}

const isValue = (part: Part): part is SqlValue => typeof part === 'string' || typeof part === 'number' || part === null

// The types rule out everything else. A look-up by a word of a sender can still return what no type foresaw, such as
// `Object.prototype`.
function requireFragment(part: Fragment): Fragment {
  if (part instanceof Fragment) return part
  throw new TypeError(`A parameter of a statement is a string, a number or null, not ${typeof part}`)
}
