// The lists of content as rows of a table: how rows are read from content, written back, and named by violations.
import { type Content, isObject, valueAt, withValueAt } from './document.ts'

export type Row = Content

export type RowSource = {
  read: (content: Content) => Row[]
  write: (content: Content, rows: Row[]) => Content
  // The place in content of a member of a row.
  placeOf: (row: Row, index: number, member: string) => string
}

// A list of objects.
export const objectsAt = (path: string): RowSource => ({
  read: (content) => listAt(content, path).filter(isObject),
  write: (content, rows) => withValueAt(content, path, rows.length === 0 ? undefined : rows),
  placeOf: (_, index, member) => `${path}[${index}].${member}`,
})

// A list of numbers or texts. The only member of a row is `value`.
export const valuesAt = (path: string): RowSource => ({
  read: (content) => listAt(content, path).map((value) => ({ value })),
  write: (content, rows) => withValueAt(content, path, rows.length === 0 ? undefined : rows.map(({ value }) => value)),
  placeOf: (_, index) => `${path}[${index}]`,
})

// Parallel lists, one per member, and a member with their length. A list whose rows are all empty is not written.
export function columns(count: string, placeholders: Record<string, unknown>): RowSource {
  const members = Object.keys(placeholders)
  const read = (content: Content): Row[] => {
    const length = content[count]
    return Array.from({ length: typeof length === 'number' ? length : 0 }, (_, index) => {
      const cells = members.map((member) => [member, listAt(content, member)[index]] as const)
      return Object.fromEntries(cells.filter(([member, cell]) => cell !== undefined && cell !== placeholders[member]))
    })
  }
  const write = (content: Content, rows: Row[]): Content => {
    let written = withValueAt(content, count, rows.length === 0 ? undefined : rows.length)
    for (const member of members) {
      const cells = rows.map((row) => row[member] ?? placeholders[member])
      const isUsed = rows.some((row) => row[member] !== undefined)
      written = withValueAt(written, member, isUsed ? cells : undefined)
    }
    return written
  }
  return { read, write, placeOf: (_, index, member) => `${member}[${index}]` }
}

// The series of a timeline: their values, and their units in a second object.
export const series: RowSource = {
  read: ({ value, units }) =>
    Object.entries(isObject(value) ? value : {}).map(([name, current]) => {
      const unit = isObject(units) ? units[name] : undefined
      return { name, value: current, ...(unit !== undefined && { unit }) }
    }),
  write: (content, rows) => {
    const value = Object.fromEntries(rows.map((row) => [nameOf(row.name), row.value ?? null]))
    const units = rows.flatMap(({ name, unit }) => (unit === undefined ? [] : [[nameOf(name), unit] as const]))
    return withValueAt(withValueAt(content, 'value', value), 'units', Object.fromEntries(units))
  },
  placeOf: ({ name }, _, member) => `${member === 'unit' ? 'units' : 'value'}.${nameOf(name)}`,
}

// The buttons of a player: an object with an action per button. `extra` is a list of its own.
export const controls: RowSource = {
  read: ({ controls: all }) =>
    Object.entries(isObject(all) ? all : {})
      .filter(([name]) => name !== 'extra')
      .map(([control, action]) => ({ control, ...(isObject(action) && action) })),
  write: (content, rows) => {
    const extra = valueAt(content, 'controls.extra')
    const named = rows.map(({ control, ...action }) => [nameOf(control), action])
    return withValueAt(content, 'controls', { ...Object.fromEntries(named), ...(extra !== undefined && { extra }) })
  },
  placeOf: ({ control }, _, member) =>
    member === 'control' ? `controls.${nameOf(control)}` : `controls.${nameOf(control)}.${member}`,
}

const listAt = (content: Content, path: string): unknown[] => {
  const value = valueAt(content, path)
  return Array.isArray(value) ? value : []
}

const nameOf = (value: unknown): string => (typeof value === 'string' ? value : '')
