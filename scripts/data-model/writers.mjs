// Which files of src/store write a table, found in their SQL.
import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = 'src/store'

export function findWriters(tables) {
  const sources = readdirSync(FOLDER, { recursive: true })
    .filter((path) => path.endsWith('.ts') && !path.includes('migrations/'))
    .map((path) => ({ path: `${FOLDER}/${path}`, text: readFileSync(`${FOLDER}/${path}`, 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return Object.fromEntries(
    tables.map((table) => [table, sources.filter(({ text }) => writesTo(text, table)).map(({ path }) => path)]),
  )
}

const WRITE = String.raw`\b(?:insert\s+into|update|delete\s+from)\s+`
const WRITE_TO_INTERPOLATED_NAME = new RegExp(`${WRITE}\\$\\{`, 'i')

// A file that interpolates the table name into a statement counts as a writer of every table that it names in quotes.
export function writesTo(text, table) {
  if (new RegExp(`${WRITE}${table}\\b`, 'i').test(text)) return true
  return WRITE_TO_INTERPOLATED_NAME.test(text) && text.includes(`'${table}'`)
}
