// Codes by which people join: easy to read out, and read back in any spelling.
import { describe, expect, test } from 'vitest'
import { makeJoinCode, readJoinCode } from '../../src/domain/join-code.ts'

describe('join codes', () => {
  test('have 8 characters, none of which is mistaken for another', () => {
    const everyByte = Array.from({ length: 32 }, (_, at) => Uint8Array.from({ length: 16 }, (_, i) => at * 8 + (i % 8)))
    for (const bytes of everyByte) expect(makeJoinCode(bytes)).toMatch(/^[2-9A-HJ-NP-Z]{8}$/)
  })

  test.each(['K7QW2MXD', 'k7qw2mxd', 'K7QW-2MXD', ' k7qw 2mxd ', 'K7-QW-2M-XD'])('%j is read as K7QW2MXD', (text) => {
    expect(readJoinCode(text)).toBe('K7QW2MXD')
  })

  test.each(['', 'K7QW2MX', 'K7QW2MXDD', 'K7QW2MX0', 'K7QW2MXI', 'K7QW_2MXD'])('%j is no code', (text) => {
    expect(readJoinCode(text)).toBeUndefined()
  })
})
