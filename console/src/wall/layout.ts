// Where widgets stand on the wall: the largest scale at which all of them fit on the screen, without a scroll bar.
import type { WallSize } from '../../../src/contract/widgets.ts'

// Sizes of a phone's home screen, in CSS pixels.
export const CELL = 158
export const GAP = 22
const MAX_SCALE = 2.4

type Spot = { column: number; row: number; columns: number; rows: number }
export type WallLayout = { columns: number; rows: number; scale: number; spots: Spot[] }

const SPANS: Record<WallSize, { columns: number; rows: number }> = {
  small: { columns: 1, rows: 1 },
  medium: { columns: 2, rows: 1 },
  large: { columns: 2, rows: 2 },
}

export const lengthOf = (cells: number): number => cells * CELL + Math.max(0, cells - 1) * GAP

export function layOut(sizes: readonly WallSize[], width: number, height: number): WallLayout {
  const most = Math.max(2, sizes.length * 2)
  let best: WallLayout = { columns: 2, rows: 0, scale: 0, spots: [] }
  for (let columns = 2; columns <= most; columns++) {
    const { spots, rows } = pack(sizes, columns)
    const scale = Math.min(width / lengthOf(columns), height / lengthOf(Math.max(rows, 1)), MAX_SCALE)
    if (scale > best.scale) best = { columns, rows, scale, spots }
  }
  return best
}

// Each widget takes the first free spot, so a small one may fill a gap that was left before it.
function pack(sizes: readonly WallSize[], columns: number): { spots: Spot[]; rows: number } {
  const taken = new Set<string>()
  const spots = sizes.map((size) => {
    const spot = firstFree(taken, SPANS[size], columns)
    for (const cell of cellsOf(spot)) taken.add(cell)
    return spot
  })
  return { spots, rows: Math.max(0, ...spots.map(({ row, rows }) => row + rows)) }
}

function firstFree(taken: ReadonlySet<string>, span: Pick<Spot, 'columns' | 'rows'>, columns: number): Spot {
  for (let row = 0; ; row++) {
    for (let column = 0; column + span.columns <= columns; column++) {
      const spot = { column, row, ...span }
      if (cellsOf(spot).every((cell) => !taken.has(cell))) return spot
    }
  }
}

function cellsOf({ column, row, columns, rows }: Spot): string[] {
  return Array.from({ length: columns * rows }, (_, index) => {
    return `${column + (index % columns)} ${row + Math.floor(index / columns)}`
  })
}
