// R45: the form of tokens, and that a mistyped one is refused without a database query.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashToken, makeToken, RANDOM_CHARS, readToken, type TokenKind, toBase62 } from '../../src/domain/token.ts'
import { newToken } from '../../src/runtime/ids.ts'
import { isNightly } from '../support/nightly.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const kind = fc.constantFrom<TokenKind>('hla', 'hlk', 'hlw')
const randomChars = fc.string({
  unit: fc.constantFrom(...ALPHABET),
  minLength: RANDOM_CHARS,
  maxLength: RANDOM_CHARS,
})
const token = fc.tuple(kind, randomChars).map(([kind, chars]) => makeToken(kind, chars))

describe('R45: tokens', () => {
  test('10,000 of them have the documented form and none occurs twice', () => {
    const seen = new Set<string>()
    let wellFormed = 0
    for (let i = 0; i < 10_000; i++) {
      const fresh = newToken('hlk')
      if (/^hlk_[0-9A-Za-z]{32}$/.test(fresh)) wellFormed++
      seen.add(fresh)
    }
    expect(wellFormed).toBe(10_000)
    expect(seen.size).toBe(10_000)
  })

  test('have at least 128 random bits', () => {
    expect(RANDOM_CHARS * Math.log2(ALPHABET.length)).toBeGreaterThanOrEqual(128)
  })

  test('every character is equally likely: bytes that would favour some are skipped', () => {
    const used = Array.from({ length: 256 }, (_, byte) => toBase62(Uint8Array.of(byte), 1))
    const counts = [...ALPHABET].map((character) => used.filter((other) => other === character).length)
    expect(new Set(counts)).toEqual(new Set([4]))
    expect(used.slice(248)).toEqual(Array(8).fill(undefined))
  })

  test('too few usable bytes return undefined rather than a shorter text', () => {
    expect(toBase62(Uint8Array.of(0, 1, 255), 3)).toBeUndefined()
    expect(toBase62(Uint8Array.of(0, 255, 61), 2)).toBe('0z')
  })

  test('the last six characters are the CRC-32 of the rest, in base 62', () => {
    // CRC-32 (IEEE) of this head is 614 626 917 according to zlib.
    expect(makeToken('hlk', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')).toBe('hlk_ABCDEFGHIJKLMNOPQRSTUVWXYZ0fauXN')
  })
})

describe('readToken', () => {
  test('returns the kind of every valid token', () => {
    fc.assert(
      fc.property(token, (text) => {
        expect(readToken(text)).toEqual({ token: text, kind: text.slice(0, 3) })
      }),
    )
  })

  test('R45: refuses a token with any one character mistyped', () => {
    const position = fc.integer({ min: 0, max: 35 })
    fc.assert(
      fc.property(token, position, fc.constantFrom(...ALPHABET), (text, at, typed) => {
        fc.pre(text[at] !== typed)
        expect(readToken(text.slice(0, at) + typed + text.slice(at + 1))).toBeUndefined()
      }),
      { numRuns: isNightly ? 2000 : 500 },
    )
  })

  test('R45: refuses a token with two adjacent random characters swapped', () => {
    const position = fc.integer({ min: 4, max: 4 + RANDOM_CHARS - 2 })
    fc.assert(
      fc.property(token, position, (text, at) => {
        fc.pre(text[at] !== text[at + 1])
        const swapped = `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`
        expect(readToken(swapped)).toBeUndefined()
      }),
    )
  })

  test('refuses a valid token with another prefix, and every text of another form', () => {
    const known = makeToken('hlk', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
    for (const text of [
      known.replace('hlk_', 'hla_'),
      known.replace('hlk_', 'hlx_'),
      known.toUpperCase(),
      known.slice(0, -1),
      `${known}0`,
      ` ${known}`,
      `${known}\n`,
      '',
    ]) {
      expect(readToken(text), JSON.stringify(text)).toBeUndefined()
    }
  })
})

test('a token is stored as the SHA-256 of its whole text', () => {
  const known = makeToken('hla', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  expect(hashToken(known)).toBe(createHash('sha256').update(known).digest('hex'))
})
