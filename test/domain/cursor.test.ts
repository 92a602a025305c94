// Cursors encode an id; everything else is refused.
import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from '../../src/domain/cursor.ts'

const base64url = (text: string) => Buffer.from(text).toString('base64url')

test('every positive id is decoded to itself', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
      expect(decodeCursor(encodeCursor(id))).toBe(id)
      expect(encodeCursor(id)).toMatch(/^[A-Za-z0-9_-]+$/)
    }),
  )
})

test('a text is decoded only if it is exactly an encoded cursor', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string().map(base64url),
    fc.string().map((end) => encodeCursor(7) + end),
  )
  fc.assert(
    fc.property(text, (cursor) => {
      const id = decodeCursor(cursor)
      expect(id === undefined || encodeCursor(id) === cursor).toBe(true)
    }),
  )
})

test.each([
  ['nothing', ''],
  ['a bare id', base64url('42')],
  ['another version', base64url('v2:42')],
  ['zero', base64url('v1:0')],
  ['a negative id', base64url('v1:-1')],
  ['a fraction', base64url('v1:1.5')],
  ['an exponent', base64url('v1:1e3')],
  ['leading zeros', base64url('v1:042')],
  ['an id beyond what numbers hold exactly', base64url('v1:9007199254740993')],
  ['a trailing character', base64url('v1:42;')],
  ['a trailing line break', base64url('v1:42\n')],
  ['padding', `${base64url('v1:42')}=`],
  ['foreign characters', `${encodeCursor(42)}!`],
  ['plain text', 'v1:42'],
])('%s is not a cursor', (_what, cursor) => {
  expect(decodeCursor(cursor)).toBeUndefined()
})
