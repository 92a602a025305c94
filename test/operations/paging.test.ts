// Pages of a list: how many entries they have, and where the next one begins.
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/contract/problems.ts'
import { readCursor, readPage } from '../../src/operations/paging.ts'

const KILOBYTE = 1000

// A list of the numbers from 1 to `length`, each of the given size.
const numbers = (length: number, bytes = 0, { resumeAt }: { resumeAt?: string } = {}) => ({
  find: async (count: number) => ({
    entries: Array.from({ length }, (_, index) => index + 1).slice(0, count),
    resumeAt,
  }),
  bytesOf: () => bytes,
  load: async (entries: number[]) => entries,
  cursorAfter: String,
})

describe('a page', () => {
  test.each([
    ['fewer than the limit, without a cursor', 2, { items: [1, 2], nextCursor: undefined }],
    ['exactly the limit, without a cursor', 3, { items: [1, 2, 3], nextCursor: undefined }],
    ['the limit and a cursor if there are more', 4, { items: [1, 2, 3], nextCursor: '3' }],
  ])('has %s', async (_what, length, page) => {
    expect(await readPage(3, numbers(length))).toEqual(page)
  })

  test('ends before a megabyte, and has at least one item', async () => {
    expect(await readPage(10, numbers(5, 400 * KILOBYTE))).toEqual({ items: [1, 2], nextCursor: '2' })
    expect(await readPage(10, numbers(5, 4000 * KILOBYTE))).toEqual({ items: [1], nextCursor: '1' })
  })

  test('of a search that stopped early goes on where it stopped', async () => {
    expect(await readPage(3, numbers(0, 0, { resumeAt: 'later' }))).toEqual({ items: [], nextCursor: 'later' })
    expect(await readPage(3, numbers(4, 0, { resumeAt: 'later' }))).toMatchObject({ nextCursor: '3' })
  })

  test('whose entries are deleted before they are loaded still has a cursor', async () => {
    const deleted = { ...numbers(4), load: async () => [] }
    expect(await readPage(3, deleted)).toEqual({ items: [], nextCursor: '3' })
  })
})

test('a cursor that the list did not give out is cursor.invalid', () => {
  const decode = (text: string) => (text === 'known' ? 7 : undefined)
  expect([readCursor(undefined, decode), readCursor('known', decode)]).toEqual([undefined, 7])
  expect(() => readCursor('foreign', decode)).toThrow(Problem)
})
