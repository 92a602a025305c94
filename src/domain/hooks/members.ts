// Reads members of documents whose form nothing guarantees: what is missing or of another type is empty.

export type Members = Record<string, unknown>

export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

// What a table has under a word of the sender, which may be a word of the language such as `constructor`.
export const entryOf = <Entry>(table: Record<string, Entry>, word: string): Entry | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined

// Numbers count as text.
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

// The texts that are not empty, each on a line of its own.
export const lines = (...texts: (string | false | undefined)[]): string => texts.filter(Boolean).join('\n')

export const joined = (separator: string, ...texts: (string | false | undefined)[]): string =>
  texts.filter(Boolean).join(separator)

// "ServerUnreachable" and "sync_failed" as words.
export const wordsOf = (name: string): string => {
  const words = name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0]?.trim() ?? ''
