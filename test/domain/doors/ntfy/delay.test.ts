// Times of delayed messages for ntfy.
import { describe, expect, test } from 'vitest'
import { parseDelay } from '../../../../src/domain/doors/ntfy/delay.ts'
import { NtfyRefusal } from '../../../../src/domain/doors/ntfy/refusal.ts'
import { fromRfc3339 } from '../../../../src/domain/instant.ts'

// A Wednesday. 12:00 in Berlin.
const NOW = fromRfc3339('2026-03-25T11:00:00Z')

function at(text: string, zone = 'Europe/Berlin'): string | number {
  try {
    return new Date(parseDelay(text, zone, NOW)).toISOString().replace('.000Z', 'Z')
  } catch (error) {
    if (error instanceof NtfyRefusal) return error.ntfy.code
    throw error
  }
}

test.each([
  ['10s', '2026-03-25T11:00:10Z'],
  ['30m', '2026-03-25T11:30:00Z'],
  ['30 mins', '2026-03-25T11:30:00Z'],
  ['3h', '2026-03-25T14:00:00Z'],
  ['1 hour', '2026-03-25T12:00:00Z'],
  ['2 days', '2026-03-27T11:00:00Z'],
  ['2D', '2026-03-27T11:00:00Z'],
  ['in 2 hours', '2026-03-25T13:00:00Z'],
  ['1h30m', '2026-03-25T12:30:00Z'],
  ['1.5h', '2026-03-25T12:30:00Z'],
  ['365d', '2027-03-25T11:00:00Z'],
])('the duration %s', (text, expected) => {
  expect(at(text)).toBe(expected)
})

test.each([
  [String(Date.parse('2026-03-25T12:00:00Z') / 1000), '2026-03-25T12:00:00Z'],
  ['2026-03-26T10:00:00Z', '2026-03-26T10:00:00Z'],
  ['2026-03-26T10:00:00+02:00', '2026-03-26T08:00:00Z'],
  ['2026-03-26 10:00:00Z', '2026-03-26T10:00:00Z'],
])('the time %s', (text, expected) => {
  expect(at(text)).toBe(expected)
})

describe('words, in the time zone of the server', () => {
  test.each([
    ['8:30pm', '2026-03-25T19:30:00Z'],
    ['20:30', '2026-03-25T19:30:00Z'],
    ['at 8pm', '2026-03-25T19:00:00Z'],
    ['12am', '2026-03-25T23:00:00Z'],
    ['9am', '2026-03-26T08:00:00Z'],
    ['tomorrow', '2026-03-26T11:00:00Z'],
    ['tomorrow, 10am', '2026-03-26T09:00:00Z'],
    ['10:15 tomorrow', '2026-03-26T09:15:00Z'],
    ['today 23:00', '2026-03-25T22:00:00Z'],
    ['Friday 7am', '2026-03-27T06:00:00Z'],
    ['next Tuesday, 7am', '2026-03-31T05:00:00Z'],
    ['Wednesday 7am', '2026-04-01T05:00:00Z'],
    ['wednesday 1pm', '2026-03-25T12:00:00Z'],
    // Clocks go forward on Sunday.
    ['Sunday 2:30', '2026-03-29T01:00:00Z'],
  ])('%s', (text, expected) => {
    expect(at(text)).toBe(expected)
  })

  test('of another zone', () => {
    expect(at('8pm', 'America/New_York')).toBe('2026-03-26T00:00:00Z')
  })
})

test.each([
  ['soon', 40004],
  ['25:00', 40004],
  ['13pm', 40004],
  ['10', 40004],
  ['1774436399', 40004],
  ['today 7am', 40004],
  ['someday', 40004],
  ['2026-13-40T10:00:00Z', 40004],
  ['1h '.repeat(100), 40004],
  ['9'.repeat(60), 40006],
  ['5s', 40005],
  ['500ms', 40005],
  ['2026-03-25T11:00:09Z', 40005],
  ['2020-01-01T00:00:00Z', 40005],
  ['366d', 40006],
])('%s is refused with %i', (text, code) => {
  expect(at(text)).toBe(code)
})
