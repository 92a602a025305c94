// Reads and writes members of content by their path, such as `flow.storage.rate`.

export type Content = Record<string, unknown>

export function valueAt(content: Content, path: string): unknown {
  const [member = '', ...rest] = path.split('.')
  const value = content[member]
  if (rest.length === 0) return value
  return isObject(value) ? valueAt(value, rest.join('.')) : undefined
}

// An unset value removes its member, and the objects that become empty by that.
export function withValueAt(content: Content, path: string, value: unknown): Content {
  const [member = '', ...rest] = path.split('.')
  const before = content[member]
  const after = rest.length === 0 ? value : withValueAt(isObject(before) ? before : {}, rest.join('.'), value)
  if (!isUnset(after)) return { ...content, [member]: after }
  const { [member]: _, ...others } = content
  return others
}

const isUnset = (value: unknown): boolean =>
  value === undefined || value === '' || (isObject(value) && Object.keys(value).length === 0)

export const isObject = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
