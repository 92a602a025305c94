// Calculations for the console's cards: numbers, durations, colours and paths of charts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arcPath,
  areaPath,
  linearScale,
  linePath,
  logarithmicScale,
  smoothPath,
} from '../../console/src/cards/chart.ts'
import { cardStyle, schemeOn } from '../../console/src/cards/color.ts'
import { clockDuration, coarseDuration } from '../../src/domain/screens/duration.ts'
import { formatNumber, fractionOf, timerText, withUnit } from '../../src/domain/screens/format.ts'
import { liveViewer } from '../../src/domain/screens/viewer.ts'

const viewer = liveViewer('en', 'en', Date.parse('2026-11-15T12:00:00Z'))

describe('numbers', () => {
  test.each([
    [0, '0'],
    [21.555, '21.56'],
    [-3, '-3'],
    [12_345.5, '12,345.5'],
    [1_234_567, '1.23M'],
    [-1.7e308, '-1.7E308'],
  ])('%d is %s', (value, text) => {
    expect(formatNumber(viewer, value)).toBe(text)
  })

  test('have as many decimals as the sender asks for, even whole numbers', () => {
    expect(formatNumber(viewer, 21, 2)).toBe('21.00')
    expect(formatNumber(viewer, 1_234_567.891, 0)).toBe('1,234,568')
  })

  test('a unit follows without a space if it is a symbol, and with one if it is a word', () => {
    expect(withUnit('62', '%')).toBe('62%')
    expect(withUnit('21.5', '°C')).toBe('21.5°C')
    expect(withUnit('3', 'kW')).toBe('3\u202fkW')
    expect(withUnit('3', undefined)).toBe('3')
  })

  test('a fraction is between 0 and 1 for any bounds', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(number, number, number, (value, from, to) => {
        const fraction = fractionOf(value, from, to)
        return fraction >= 0 && fraction <= 1
      }),
    )
    // Bounds without a distance, as of a medium without a length.
    expect(fractionOf(5, 5, 5)).toBe(0)
    // The difference of the bounds exceeds the largest number.
    expect(fractionOf(1e308, -1.7e308, 1.7e308)).toBeCloseTo(0.794, 3)
  })
})

describe('durations', () => {
  test.each([
    [0, '0:00'],
    [7, '0:07'],
    [247, '4:07'],
    [3847, '1:04:07'],
    [176_647, '2d 01:04:07'],
    [-5, '0:00'],
  ])('%d seconds as a clock are %s', (seconds, text) => {
    expect(clockDuration(seconds)).toBe(text)
  })

  test.each([
    [40, '40 s'],
    [60, '1 min'],
    [7199, '1 h'],
    [200_000, '2 d'],
  ])('%d seconds in words are %s', (seconds, text) => {
    expect(coarseDuration(seconds)).toBe(text)
  })

  test('a timer counts down to a future time and up from a past one', () => {
    expect(timerText(viewer, { date: '2026-11-15T12:01:30Z' })).toBe('1:30')
    expect(timerText(viewer, { date: '2026-11-15T11:58:30Z' })).toBe('1:30')
    expect(timerText(viewer, { date: '2026-11-15T14:00:00Z', style: 'relative' })).toBe('in 2 h')
    expect(timerText(viewer, { date: '2026-11-15T11:55:00Z', style: 'relative' })).toBe('5 min ago')
  })
})

describe('charts', () => {
  test('a linear scale maps bounds to positions, and a single value to the middle', () => {
    const scale = linearScale([10, 20], [100, 0])
    expect([10, 15, 20].map(scale)).toEqual([100, 50, 0])
    expect(linearScale([7, 7], [0, 100])(7)).toBe(50)
    expect(linearScale([-1e308, 1e308], [0, 100])(1e308)).toBe(100)
  })

  test('a logarithmic scale gives every factor of ten the same length, and non-positive values are at its start', () => {
    const scale = logarithmicScale([1, 1000], [0, 300])
    expect([1, 10, 100, 1000].map((value) => Math.round(scale(value)))).toEqual([0, 100, 200, 300])
    const withZero = logarithmicScale([0, 100], [0, 300])
    expect(withZero(0)).toBe(0)
    expect(withZero(-5)).toBe(0)
    expect(withZero(100)).toBe(300)
  })

  test('a logarithmic scale without positive values is still finite', () => {
    expect(Number.isFinite(logarithmicScale([-5, 0], [0, 300])(-1))).toBe(true)
  })

  test('a line joins its points, and its area ends at the baseline', () => {
    const points = [
      { x: 0, y: 10 },
      { x: 5, y: 2.345 },
    ]
    expect(linePath(points)).toBe('M0 10L5 2.35')
    expect(areaPath(linePath(points), points, 20)).toBe('M0 10L5 2.35L5 20L0 20Z')
    expect(areaPath('', [], 20)).toBe('')
  })

  test('a smooth line has no peak that is not in the values', () => {
    const heights = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 3, maxLength: 30 })
    fc.assert(
      fc.property(heights, (values) => {
        const path = smoothPath(values.map((y, index) => ({ x: index * 10, y })))
        const [low, high] = [Math.min(...values), Math.max(...values)]
        const places = (path.match(/-?[\d.]+/g) ?? []).map(Number).filter((_, index) => index % 2 === 1)
        return places.every((y) => y >= low - 0.01 && y <= high + 0.01)
      }),
    )
  })

  test('an arc has the large-arc flag only when it is longer than half a circle', () => {
    const center = { x: 50, y: 50 }
    expect(arcPath(center, 40, [0, 90])).toBe('M50 10A40 40 0 0 1 90 50')
    expect(arcPath(center, 40, [-120, 120])).toContain('A40 40 0 1 1')
  })
})

describe('colours', () => {
  test('the accent of the sender, else that of the severity, else that of the template', () => {
    const tintOf = (content: Parameters<typeof cardStyle>[0]) => cardStyle(content, 'green')['--tint']
    expect(tintOf({ accent_color: 'ff00aa', severity: 'critical' })).toBe('#FF00AA')
    expect(tintOf({ accent_color: '', severity: 'critical' })).toBe('#FF3B30')
    expect(tintOf({ severity: '' })).toBe('#34C759')
  })

  test('a card with a background colour gets readable text', () => {
    expect(['#FFFFFF', '#FFCC00', '#000000', '#5856D6', '#34C759'].map(schemeOn)).toEqual([
      'light',
      'light',
      'dark',
      'dark',
      'light',
    ])
    expect(schemeOn('#00000020')).toBe('inherit')
    expect(cardStyle({ background_color: 'yellow' }, 'yellow')).toMatchObject({ '--ink': '#000', '--tint': '#000' })
    expect(cardStyle({ background_color: 'indigo', accent_color: 'mint' }, 'green')).toMatchObject({
      '--ink': '#fff',
      '--tint': '#00C7BE',
    })
  })
})
