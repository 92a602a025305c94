// Text in header values, as Node reads them: one character per byte.
import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeHeaderText } from '../../../../src/domain/doors/ntfy/header-text.ts'

const asNodeReads = (text: string) => Buffer.from(text).toString('latin1')

test.each([
  ['plain', 'plain'],
  [asNodeReads('Grüße 🎉'), 'Grüße 🎉'],
  // Latin-1 that is not UTF-8.
  ['caf\u00e9', 'café'],
  ['=?UTF-8?B?8J+HqfCfh6o=?=', '🇩🇪'],
  ['=?utf-8?b?8J+HqfCfh6o=?= Title', '🇩🇪 Title'],
  ['=?UTF-8?Q?Gr=C3=BC=C3=9Fe_an_alle?=', 'Grüße an alle'],
  ['=?utf-8?q?a?=  =?utf-8?q?b?= c', 'ab c'],
  ['=?ISO-8859-1?Q?caf=E9?=', 'café'],
  ['=?koi8-r?B?8A==?=', '=?koi8-r?B?8A==?='],
  ['=?UTF-8?X?abc?=', '=?UTF-8?X?abc?='],
  ['=?UTF-8?B?', '=?UTF-8?B?'],
])('%s is read as %s', (value, text) => {
  expect(decodeHeaderText(value)).toBe(text)
})

test('text in UTF-8 and in encoded words is read back', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((drawn) => !drawn.includes('=?'))
  fc.assert(
    fc.property(text, (drawn) => {
      expect(decodeHeaderText(asNodeReads(drawn))).toBe(drawn.toWellFormed())
      expect(decodeHeaderText(`=?UTF-8?B?${Buffer.from(drawn).toString('base64')}?=`)).toBe(drawn.toWellFormed())
    }),
  )
})

test('no value makes it fail', () => {
  const parts = fc.constantFrom('=?', '?=', '?', 'UTF-8', 'B', 'Q', '=', '=C', '=ZZ', ' ', '\u00ff', 'w6Q')
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 60 }), (some) => {
      expect(typeof decodeHeaderText(some.join(''))).toBe('string')
    }),
    { numRuns: 2000 },
  )
})

test('16 KB of beginnings of encoded words take time in proportion', () => {
  expect(decodeHeaderText('=?UTF-8?B?'.repeat(1600))).toHaveLength(16_000)
  expect(decodeHeaderText('=?a?q??= '.repeat(1700)).length).toBeGreaterThan(0)
})
