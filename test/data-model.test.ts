// The generator of docs/data-model.md: no table without a description, keys and references in the diagram, writers found
// in the SQL. That the document is current is held by test/generated-documents.test.ts.
import { describe, expect, test } from 'vitest'
import { descriptionFaults, toMarkdown } from '../scripts/data-model/document.mjs'
import { writesTo } from '../scripts/data-model/writers.mjs'

const column = (name: string, more = {}) => ({
  name,
  type: 'text',
  isNumbered: false,
  isNullable: false,
  keyPosition: 0,
  ...more,
})
const users = { columns: [column('id', { keyPosition: 1 })], foreignKeys: [], indexes: [] }
const notes = {
  columns: [column('id', { keyPosition: 1 }), column('user_id'), column('key_id', { isNullable: true })],
  foreignKeys: [{ columns: ['user_id'], target: 'users' }],
  indexes: [{ name: 'notes_open', columns: ['user_id'], isUnique: true, where: 'key_id is null' }],
}

describe('descriptions of the data model', () => {
  test('a table without a description is a fault', () => {
    const areas = [{ title: 'All', tables: { users: { is: 'An account.' } } }]
    expect(descriptionFaults({ users, notes }, areas)).toEqual(['table notes has no description'])
  })

  test('a description of a table or column that does not exist is a fault', () => {
    const tables = { users: { is: 'An account.', columns: { age: 'Years.' } }, gone: { is: 'Dropped.' } }
    expect(descriptionFaults({ users }, [{ title: 'All', tables }])).toEqual([
      'users.age is described but does not exist',
      'gone is described but does not exist',
    ])
  })
})

describe('the document', () => {
  const tables = {
    users: { is: 'An account.' },
    notes: { is: 'A note.', columns: { key_id: 'The key that wrote it.' }, refersTo: { key_id: 'keys' } },
  }
  const text = toMarkdown({ users, notes }, [{ title: 'All', tables }], { users: ['a.ts'], notes: ['b.ts', 'c.ts'] })

  test('draws foreign keys solid and references without one dotted', () => {
    expect(text).toContain('users ||--o{ notes : "user_id"')
    expect(text).toContain('keys |o..o{ notes : "key_id"')
  })

  test('lists writers, the meaning of columns and indexes with their conditions', () => {
    expect(text).toContain('Written by `b.ts`, `c.ts`.')
    expect(text).toContain('| `key_id` | text or null | ⇢ keys | The key that wrote it. |')
    expect(text).toContain('`notes_open` unique (user_id) where `key_id is null`')
  })
})

describe('writers of a table', () => {
  test.each([
    ['an insert', 'insert into notes (id) values (1)', true],
    ['an update', 'update notes set text = null', true],
    ['a delete', 'delete from notes where id = 1', true],
    ['a read', 'select id from notes', false],
    ['another table whose name begins alike', 'delete from notes_archive', false],
    ['an interpolated name that the file lists', `['notes'].map((name) => sql\`delete from \${name}\`)`, true],
    ['an interpolated name that the file does not list', `['users'].map((name) => sql\`delete from \${name}\`)`, false],
  ])('%s', (_case, text, expected) => {
    expect(writesTo(text, 'notes')).toBe(expected)
  })
})
