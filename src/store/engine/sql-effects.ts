// Which rows a writing statement may change, found in its text. Errs on the side of too many: statements name every column
// they use, there are no triggers, and tables stand one by one after `from`, `join`, `into` or `update`.

export type Effect = { kind: 'none' | 'write' | 'delete' | 'schema'; tables: string[]; columns?: string[] }

export function effectOf(text: string): Effect {
  if (/\b(create|alter|drop)\b/i.test(text)) return { kind: 'schema', tables: [] }
  if (/\bdelete\s+from\b/i.test(text)) return { kind: 'delete', tables: tablesIn(text) }
  if (/\b(insert|update)\b/i.test(text)) return { kind: 'write', tables: tablesIn(text), columns: columnsSetBy(text) }
  return { kind: 'none', tables: [] }
}

// An update of columns that a read does not mention leaves its rows as they are.
export function mayChange({ tables, columns }: Effect, readText: string): boolean {
  const isSameTable = tablesIn(readText).some((table) => tables.includes(table))
  if (!isSameTable || !columns) return isSameTable
  const words = new Set(readText.match(/\w+/g))
  return columns.some((column) => words.has(column))
}

const tablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b(?:from|join|into|update)\s+([a-z_]+)/gi)].map(([, table]) => table as string)),
]

// Undefined: all of them, as for an insert, or for an update that is too complex to tell.
function columnsSetBy(text: string): string[] | undefined {
  const [, assignments] = /^\s*update\s+[a-z_]+\s+set\s+(.*?)(?:\s(?:where|from|returning)\s|$)/is.exec(text) ?? []
  if (!assignments || /\bselect\b/i.test(text) || /(?:^|,)\s*\(/.test(assignments)) return undefined
  return [...assignments.matchAll(/(\w+)\s*=/g)].map(([, column]) => column as string)
}
