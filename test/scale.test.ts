// docs/scale.md: its tables are what the benchmark writes from docs/scale.json, and its list of statements is that of the source.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withTables } from '../bench/scale/page.mjs'
import { findCrossAccount } from './support/database/cross-account.ts'

const page = readFileSync('docs/scale.md', 'utf8')

test('the measured tables are current; "npm run bench -- --redraw" writes them without measuring', () => {
  expect(page).toBe(withTables(page, JSON.parse(readFileSync('docs/scale.json', 'utf8'))))
})

test('every statement that names no account has a reason, and the page has a row for each reason', () => {
  const { unknown = [], ...places } = findCrossAccount()
  expect(unknown).toEqual([])
  for (const reason of Object.keys(places)) expect(page).toContain(`\n| ${reason} | `)
})
