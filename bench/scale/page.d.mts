export function withTables(page: string, results: object): string
export function writeTables(): void
export const resultsFile: string
