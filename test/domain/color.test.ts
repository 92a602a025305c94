// Which texts are colours, and their hex values.
import { describe, expect, test } from 'vitest'
import { COLOR_NAMES, colorHex, colorViolations } from '../../src/domain/color.ts'

describe('colorHex', () => {
  test.each([
    ['red', '#FF3B30'],
    ['Orange', '#FF9500'],
    ['YELLOW', '#FFCC00'],
    ['green', '#34C759'],
    ['blue', '#007AFF'],
    ['purple', '#AF52DE'],
    ['pink', '#FF2D55'],
    ['indigo', '#5856D6'],
    ['teal', '#5AC8FA'],
    ['cyan', '#32ADE6'],
    ['mint', '#00C7BE'],
    ['bRoWn', '#A2845E'],
    ['#8e8e93', '#8E8E93'],
    ['8E8E93', '#8E8E93'],
    ['#8E8E9380', '#8E8E9380'],
    ['8e8e9380', '#8E8E9380'],
  ])('%s is %s', (color, hex) => {
    expect(colorHex(color)).toBe(hex)
  })

  test('there are twelve names', () => {
    expect(COLOR_NAMES).toHaveLength(12)
  })
})

describe('colorViolations', () => {
  test.each([
    'chartreuse',
    '#fff',
    'fff',
    '#12345',
    '#1234567',
    '#123456789',
    '##123456',
    '#12345g',
    ' red',
    '#123456\n',
    'constructor',
    '__proto__',
    'r'.repeat(100_000),
  ])('refuses %j', (color) => {
    expect(colorViolations('body.color', color)).toEqual([
      { location: 'body.color', message: expect.stringContaining('one of red, orange') },
    ])
  })

  test.each(['teal', '#123456', '12345678', '', undefined])('accepts %j', (color) => {
    expect(colorViolations('body.color', color)).toEqual([])
  })
})
