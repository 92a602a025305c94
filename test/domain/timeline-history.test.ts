// The history of a timeline: assembled from stored chunks, and downsampled without losing its shape.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/contract/limits.ts'
import { chunkOf, downsample, historyOf, type Point, seedChunk } from '../../src/domain/activities/timeline-history.ts'

const points = (values: number[]): Point[] => values.map((value, index) => ({ timestamp: 1000 + index, value }))

describe('history', () => {
  test('joins chunks in their order, by series, for the current series only', () => {
    const chunks = [chunkOf({ CPU: 1, RAM: 5 }, 10), chunkOf({ CPU: 2 }, 20)]
    expect(historyOf(chunks, ['CPU'])).toEqual({
      CPU: [
        { timestamp: 10, value: 1 },
        { timestamp: 20, value: 2 },
      ],
    })
    expect(historyOf(chunks, ['RAM', 'toString'])).toEqual({ RAM: [{ timestamp: 10, value: 5 }], toString: [] })
  })

  test('keeps the newest 300 points of a series, also after a seed of 300', () => {
    const seed = seedChunk({ CPU: points(Array.from({ length: 300 }, (_, index) => index)).reverse() })
    const { CPU = [] } = historyOf([seed, chunkOf({ CPU: 777 }, 9999)], ['CPU'])
    expect(CPU).toHaveLength(LIMITS.activity.maxPoints)
    expect([CPU[0]?.value, CPU.at(-1)]).toEqual([1, { timestamp: 9999, value: 777 }])
  })
})

describe('downsampling', () => {
  test('leaves few points unchanged', () => {
    expect(downsample(points([1, 2, 3]), 3)).toEqual(points([1, 2, 3]))
    expect(downsample([], 5)).toEqual([])
  })

  test('keeps a single peak, which taking every second point would miss', () => {
    const values = Array.from({ length: 101 }, (_, index) => (index === 51 ? 1000 : 0))
    expect(downsample(points(values), 10).some(({ value }) => value === 1000)).toBe(true)
  })

  test('of any series returns the requested number of points, with the first and the last, in order, none invented', () => {
    const anyPoints = fc
      .array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 400 })
      .map(points)
    fc.assert(
      fc.property(anyPoints, fc.integer({ min: 2, max: 300 }), (all, count) => {
        const kept = downsample(all, count)
        expect(kept).toHaveLength(Math.min(all.length, count))
        expect([kept[0], kept.at(-1)]).toEqual([all[0], all.at(-1)])
        const times = kept.map(({ timestamp }) => timestamp)
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
        expect(kept.every((point) => all.includes(point))).toBe(true)
      }),
    )
  })
})
