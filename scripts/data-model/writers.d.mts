export function findWriters(tables: string[]): Record<string, string[]>
export function writesTo(text: string, table: string): boolean
