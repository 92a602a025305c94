// SQL as tagged templates. Values always travel as parameters, never as text.

export type Dialect = 'sqlite' | 'postgres'
export type SqlValue = string | number | null

// A piece of text that differs between the two databases, or is shared by statements (a column list).
export type Fragment = { readonly text: Readonly<Record<Dialect, string>> }
type Part = SqlValue | Fragment | Sql
export type Sql = { readonly strings: readonly string[]; readonly parts: readonly Part[] }

export const sql = (strings: TemplateStringsArray, ...parts: Part[]): Sql => ({ strings, parts })

export const fragment = (text: string): Fragment => ({ text: { sqlite: text, postgres: text } })

// SQLite has one writer at a time, so its rows need no locks.
export const FOR_UPDATE: Fragment = { text: { sqlite: '', postgres: 'for no key update' } }
export const SKIP_LOCKED: Fragment = { text: { sqlite: '', postgres: 'for update skip locked' } }
export const IDENTITY: Fragment = {
  text: { sqlite: 'integer primary key autoincrement', postgres: 'bigint generated always as identity primary key' },
}
// Sorts text by its bytes. PostgreSQL would else use the collation of the database.
export const IN_BYTE_ORDER: Fragment = { text: { sqlite: 'collate binary', postgres: 'collate "C"' } }

// Values for `in (…)`.
export function list(values: readonly SqlValue[]): Sql {
  const commas = Array.from({ length: values.length - 1 }, () => ', ')
  return { strings: ['', ...commas, ''], parts: values }
}

export type Compiled = { readonly text: string; readonly values: readonly SqlValue[] }
export type Compile = (query: Sql) => Compiled

// The text of a template with values alone, which most are, is written once. JavaScript passes the same `strings` array
// for every evaluation of a template.
export function createCompile(dialect: Dialect): Compile {
  const texts = new WeakMap<readonly string[], string>()
  return (query) => {
    const { strings, parts } = query
    if (!parts.every(isValue)) return compile(query, dialect)
    const text = texts.get(strings) ?? compile(query, dialect).text
    texts.set(strings, text)
    return { text, values: parts }
  }
}

function compile(query: Sql, dialect: Dialect): Compiled {
  const values: SqlValue[] = []
  return { text: textOf(query, dialect, values), values }
}

// Adds the values of the query to `values`; PostgreSQL numbers its parameters by them.
function textOf({ strings, parts }: Sql, dialect: Dialect, values: SqlValue[]): string {
  let text = strings[0] ?? ''
  for (const [index, part] of parts.entries()) {
    if (isValue(part)) {
      values.push(part)
      text += dialect === 'postgres' ? `$${values.length}` : '?'
    } else {
      text += isSql(part) ? textOf(part, dialect, values) : part.text[dialect]
    }
    text += strings[index + 1]
  }
  return text
}

const isValue = (part: Part): part is SqlValue => part === null || typeof part !== 'object'
const isSql = (part: Fragment | Sql): part is Sql => 'strings' in part
