// Which test files may be left out on PostgreSQL by `npm test`.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SQLITE_SUFFICES } from './support/database/database-matrix.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

// A question which database this is, a second node.
const DEPENDS_ON_DATABASE = /isPostgres|inject\(|support\/nodes/

test.each(SQLITE_SUFFICES)('%s does the same on every database', (file) => {
  expect(readFileSync(ROOT + file, 'utf8')).not.toMatch(DEPENDS_ON_DATABASE)
})
