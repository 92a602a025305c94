// The templates that show values: gauge, timeline, board, log.
import { describe, expect, test } from 'vitest'
import { newLines } from '../../../src/domain/activities/templates/log.ts'
import {
  chars,
  expectBounds,
  NOW_SECONDS as now,
  patched,
  placesOf,
  stored,
  times,
  violationsOf,
} from '../../support/activity-content.ts'

describe('gauge', () => {
  const good = { template: 'gauge', value: 50, min_value: 0, max_value: 100 }

  test('limits', () => {
    expectBounds(good, [
      ['value', [0, 100, 0.1], [-0.1, 100.1, '50', true, Number.POSITIVE_INFINITY]],
      ['unit', [chars(32)], [chars(33)]],
      ['decimals', [0, 10], [-1, 11, 1.5]],
    ])
    expect(placesOf({ template: 'gauge' })).toEqual(['value', 'min_value', 'max_value'])
    expect(violationsOf({ ...good, value: 500 })).toEqual([
      { location: 'value', message: 'must be from min_value 0 to max_value 100' },
    ])
    expect(violationsOf({ ...good, min_value: 100 })).toEqual([
      { location: 'min_value', message: 'must be less than max_value 100' },
    ])
  })

  test.each([
    [0, 0, 100, 0],
    [25, 0, 100, 0.25],
    [-5, -10, 0, 0.5],
    [1e308, -1e308, 1e308, 1],
    [0, -1e308, 1e308, 0.5],
  ])('progress is computed: %d from %d to %d is %d', (value, min_value, max_value, progress) => {
    expect(stored({ template: 'gauge', value, min_value, max_value, progress: 0.123 }).progress).toBe(progress)
  })
})

describe('timeline', () => {
  const good = { template: 'timeline', value: { CPU: 50 } }
  const series = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, index]))

  test('a history as large as it may be is no part of what content may have in all', () => {
    const points = times(300, { timestamp: now, value: 1 })
    const names = Array.from({ length: 10 }, (_, index) => `series ${index}`)
    const value = Object.fromEntries(names.map((name) => [name, 1]))
    const history = Object.fromEntries(names.map((name) => [name, points]))
    expect(placesOf({ template: 'timeline', value, history })).toEqual([])
  })

  test('limits', () => {
    expectBounds(good, [
      [
        'value',
        [series(10), { [chars(32)]: 1 }],
        [50, {}, { '': 1 }, { [chars(33)]: 1 }, { CPU: 'hot' }, series(11), []],
      ],
      ['units', [{}, { CPU: '%' }], [{ DISK: 'GB' }, { toString: 'x' }, { CPU: chars(33) }]],
      ['unit', [chars(32)], [chars(33)]],
      ['scale', ['linear', 'logarithmic', ''], ['exponential']],
      ['decimals', [0, 10], [-1, 11, 1.5]],
      ['smoothing', [true, false], ['yes']],
      [
        'thresholds',
        [[], times(5, { value: 1, color: 'red', label: chars(12) })],
        [
          times(6, { value: 1 }),
          [42],
          [{ value: 'x' }],
          [{}],
          [{ value: 1, color: 'neon' }],
          [{ value: 1, label: chars(13) }],
        ],
      ],
      [
        'history',
        [{ CPU: times(300, { timestamp: now, value: 1 }) }],
        [
          { CPU: times(301, { timestamp: now, value: 1 }) },
          { CPU: [{ timestamp: now + 301, value: 1 }] },
          { CPU: [{ timestamp: 0, value: 1 }] },
          { CPU: [{ timestamp: now, value: 'x' }] },
          { CPU: [42] },
        ],
      ],
    ])
    expect(placesOf({ template: 'timeline' })).toEqual(['value'])
  })

  test('series are merged one by one, and null removes one', () => {
    expect(patched(good, { value: { RAM: 3 } }).value).toEqual({ CPU: 50, RAM: 3 })
    expect(patched({ ...good, value: { CPU: 1, RAM: 2 } }, { value: { RAM: null } }).value).toEqual({ CPU: 1 })
    expect(placesOf({ value: { CPU: null } }, good)).toEqual(['value'])
  })
})

describe('board', () => {
  const tile = { label: 'A', value: '1' }

  test('limits', () => {
    expectBounds({ template: 'board', tiles: [tile] }, [
      [
        'tiles',
        [
          times(4, tile),
          [{ label: chars(32), value: chars(16), unit: chars(8), icon: chars(128), color: 'red', trend: 'flat' }],
          [{ ...tile, url_action: { url: 'app://x' } }],
        ],
        [
          [],
          times(5, tile),
          [{ value: '1' }],
          [{ label: 'A' }],
          [{ ...tile, label: ' ' }],
          [{ ...tile, label: chars(33) }],
          [{ ...tile, value: '' }],
          [{ ...tile, value: 72 }],
          [{ ...tile, value: chars(17) }],
          [{ ...tile, unit: chars(9) }],
          [{ ...tile, icon: chars(129) }],
          [{ ...tile, color: 'neon' }],
          [{ ...tile, trend: 'sideways' }],
          [{ ...tile, url_action: { url: '' } }],
        ],
      ],
    ])
    expect(placesOf({ template: 'board' })).toEqual(['tiles'])
  })
})

describe('log', () => {
  const line = (text: string) => ({ text })

  test('limits', () => {
    expectBounds({ template: 'log', lines: [line('x')] }, [
      [
        'lines',
        [times(20, line('x')), [{ text: chars(512), at: 1, level: 'warn' }]],
        [
          [],
          times(21, line('x')),
          [{ level: 'info' }],
          [line(chars(513))],
          [line('  ')],
          [{ text: 'x', at: 0 }],
          [{ text: 'x', at: 1.5 }],
          [{ text: 'x', level: 'debug' }],
        ],
      ],
    ])
    expect(placesOf({ template: 'log' })).toEqual(['lines'])
  })

  test.each([
    ['a line on top', ['b', 'a'], ['a'], ['b']],
    ['only the new line', ['b'], ['a'], ['b']],
    ['the same again', ['b', 'a'], ['b', 'a'], []],
    ['a moved window', ['d', 'c', 'b'], ['c', 'b', 'a'], ['d']],
    ['nothing in common', ['y', 'x'], ['b', 'a'], ['y', 'x']],
    ['a repeated line', ['a', 'a'], ['a'], ['a']],
    ['the first', ['a'], [], ['a']],
  ])('newLines finds the new lines: %s', (_what, lines, before, expected) => {
    expect(newLines(lines.map(line), before.map(line))).toEqual(expected.map(line))
  })
})
