import { expect, test } from 'vitest'
import { flag, json, nested, optional, rowsOf, stored, unlessNull } from '../../src/store/engine/rows.ts'

type Part = { name: string; size?: number }
type Thing = { id: string; isNew: boolean; note?: string; tags: string[] | null; length: number; part?: Part }

const THINGS = rowsOf<Thing>('things t', {
  id: 't.id',
  isNew: flag('t.is_new'),
  note: optional('t.note'),
  tags: json('t.tags'),
  length: stored('octet_length(t.text) as bytes', (bytes: number) => bytes * 8),
  part: unlessNull('part_name', nested<Part>({ name: 'p.name as part_name', size: optional('p.size') })),
})

test('statements name every column once', () => {
  const columns = 't.id, t.is_new, t.note, t.tags, octet_length(t.text) as bytes, p.name as part_name, p.size'
  expect(THINGS.columns.text.sqlite).toBe(columns)
})

test('a row becomes its members: flags, JSON, absent ones, and parts with columns of their own', () => {
  const row = { id: 'a', is_new: 1, note: 'n', tags: '["x"]', bytes: 2, part_name: 'p', size: null }
  expect(THINGS.make(row)).toEqual({
    id: 'a',
    isNew: true,
    note: 'n',
    tags: ['x'],
    length: 16,
    part: { name: 'p', size: undefined },
  })
  const empty = { id: 'a', is_new: 0, note: null, tags: null, bytes: 0, part_name: null, size: null }
  expect(THINGS.make(empty)).toStrictEqual({
    id: 'a',
    isNew: false,
    note: undefined,
    tags: null,
    length: 0,
    part: undefined,
  })
  expect(THINGS.as(({ id }) => id.toUpperCase()).make(row)).toBe('A')
})
