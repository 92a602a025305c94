// Where widgets stand on the wall.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { layOut, lengthOf } from '../../console/src/wall/layout.ts'
import { WALL_SIZES } from '../../src/contract/widgets.ts'

const SCREENS: [width: number, height: number][] = [
  [1280, 800],
  [1024, 768],
  [360, 740],
]

describe('the wall', () => {
  test('fits on every screen, and no two widgets overlap', () => {
    const sizes = fc.array(fc.constantFrom(...WALL_SIZES), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(sizes, fc.constantFrom(...SCREENS), (wanted, [width, height]) => {
        const { columns, rows, scale, spots } = layOut(wanted, width, height)
        expect(lengthOf(columns) * scale).toBeLessThanOrEqual(width + 0.001)
        expect(lengthOf(rows) * scale).toBeLessThanOrEqual(height + 0.001)
        const cells = spots.flatMap((spot) =>
          Array.from({ length: spot.columns * spot.rows }, (_, index) => {
            return `${spot.column + (index % spot.columns)},${spot.row + Math.floor(index / spot.columns)}`
          }),
        )
        expect(new Set(cells).size).toBe(cells.length)
        expect(spots).toHaveLength(wanted.length)
        expect(spots.every((spot) => spot.column + spot.columns <= columns)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  test('keeps the order, and fills a gap with a small widget', () => {
    const { spots } = layOut(['large', 'small', 'small', 'medium'], 700, 360)
    expect(spots.map(({ column, row }) => [column, row])).toEqual([
      [0, 0],
      [2, 0],
      [3, 0],
      [2, 1],
    ])
  })
})
