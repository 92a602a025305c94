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

// Values for `in (…)`.
export function list(values: readonly SqlValue[]): Sql {
  const commas = Array.from({ length: values.length - 1 }, () => ', ')
  return { strings: Object.assign(['', ...commas, ''], { raw: [] }), values }
}

type Template = { text: string; fragments: readonly (readonly [index: number, fragment: Fragment])[] }
const TEMPLATES: Record<Dialect, WeakMap<TemplateStringsArray, Template>> = {
  sqlite: new WeakMap(),
  postgres: new WeakMap(),
}

export function compile(query: Sql, dialect: Dialect): Compiled {
  const known = TEMPLATES[dialect].get(query.strings)
  if (known?.fragments.every(([index, fragment]) => query.values[index] === fragment)) {
    return {
      text: known.text,
      values: known.fragments.length === 0 ? (query.values as SqlValue[]) : query.values.filter(isValue),
    }
  }
  const compiled = write(query, dialect, [])
  if (!query.values.some(isSql)) {
    const fragments = [...query.values.entries()].filter((entry): entry is [number, Fragment] => isFragment(entry[1]))
    TEMPLATES[dialect].set(query.strings, { text: compiled.text, fragments })
  }
  return compiled
}

function write(query: Sql, dialect: Dialect, values: SqlValue[]): Compiled {
  let text = query.strings[0] ?? ''
  query.values.forEach((value, index) => {
    if (isValue(value)) {
      values.push(value)
      text += dialect === 'postgres' ? `$${values.length}` : '?'
    } else if (isSql(value)) {
      text += write(value, dialect, values).text
    } else {
      text += value.text[dialect]
    }
    text += query.strings[index + 1]
  })
  return { text, values }
}

const isValue = (value: SqlValue | Fragment | Sql): value is SqlValue => value === null || typeof value !== 'object'
const isSql = (value: SqlValue | Fragment | Sql): value is Sql => !isValue(value) && 'strings' in value
const isFragment = (value: SqlValue | Fragment | Sql): value is Fragment => !isValue(value) && 'text' in value
