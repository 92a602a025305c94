// Runs after all tests on PostgreSQL, and finds the statements of the service that none of them has run there: a syntax
// that only SQLite accepts, or a type that only PostgreSQL checks, would go unnoticed in them.
import { describe, expect, test } from 'vitest'
import { recordedStatements } from '../support/database/statement-log.ts'
import { isRun, listStatementTemplates, templatesIn } from '../support/database/statement-templates.ts'

const recorded = recordedStatements()

// With PostgreSQL, the contents of files are rows, so housekeeping looks for no files whose rows are gone.
const ONLY_ON_SQLITE = ['select id from files where id in (']

test.runIf(recorded.length > 0)('a test runs every statement of the service on PostgreSQL', () => {
  const templates = listStatementTemplates().filter(({ chunks: [first = ''] }) => !ONLY_ON_SQLITE.includes(first))
  const unrun = templates.filter((template) => !recorded.some((text) => isRun(template, text)))
  expect(unrun.map(({ place, chunks }) => `${place} ${chunks.join('…')}`)).toEqual([])
})

describe('a statement counts as run', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code of a template.
  const CODE = 'const find = (id, lock) => sql`select a from t where id = ${id} ${lock ? sql`for update` : sql``}`'
  const [whole, lock, empty] = templatesIn('t.ts', CODE)

  test('if a text has all of its chunks in their order', () => {
    expect(whole).toEqual({ place: 't.ts:1', chunks: ['select a from t where id = ', ' ', ''] })
    expect(isRun(whole!, 'select a from t where id = $1 for update')).toBe(true)
    expect(isRun(whole!, 'select a from t where id in ($1)')).toBe(false)
  })

  test('if it is a part of a text', () => {
    expect([lock, empty].map((part) => isRun(part!, 'select a from t where id = $1 '))).toEqual([false, true])
  })

  test('on its own table, if it is a condition on rows', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code of a template.
    const FIND = "const ROWS = rowsOf<T>('t', {})\nconst find = (db, id) => ROWS.first(db, sql`where id = ${id}`)"
    const [condition] = templatesIn('t.ts', FIND)
    expect(condition?.chunks).toEqual([' from t where id = ', ''])
  })
})
