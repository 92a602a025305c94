// Several cards in one picture: the widgets of a wall in its grid, or activities one below another. As many columns as make the cards
// largest in the box of the picture.
import type { WallSize } from '../../contract/widgets.ts'

export type Box = { width: number; height: number }
export type Place = Box & { x: number; y: number }

// In points. A cell of the grid is a small widget; a large one is as high as two with the gap between them.
const CELL = 158
const GAP = 22
const MARGIN = 16
const MOST_COLUMNS = 12

const SPANS: Record<WallSize, { columns: number; rows: number }> = {
  small: { columns: 1, rows: 1 },
  medium: { columns: 2, rows: 1 },
  large: { columns: 2, rows: 2 },
}

export type Sheet = Box & { places: Place[] }

// Without a box, about as wide as the screen of a tablet is for its height.
const TABLET: Box = { width: 1024, height: 768 }

export function wallSheet(sizes: readonly WallSize[], head: number, box: Box = TABLET): Sheet {
  const sheets = Array.from({ length: MOST_COLUMNS - 1 }, (_, index) => inGrid(sizes, head, index + 2))
  return largest(sheets, box)
}

// The size of each widget on a display that shows only a few.
export const gridSize = (count: number): WallSize => (count === 2 ? 'large' : 'medium')

// In the order of the wall: a widget that has no room in the rest of its row begins the next one.
function inGrid(sizes: readonly WallSize[], head: number, columns: number): Sheet {
  const taken = new Set<string>()
  let [row, column, lowest] = [0, 0, 1]
  const isFree = (span: { columns: number; rows: number }) =>
    column + span.columns <= columns && cellsOf(row, column, span).every((cell) => !taken.has(cell))
  const places = sizes.map((size): Place => {
    const span = SPANS[size]
    while (!isFree(span)) {
      column = column + 1 < columns ? column + 1 : 0
      if (column === 0) row++
    }
    for (const cell of cellsOf(row, column, span)) taken.add(cell)
    lowest = Math.max(lowest, row + span.rows)
    return {
      x: MARGIN + column * (CELL + GAP),
      y: MARGIN + head + row * (CELL + GAP),
      width: lengthOf(span.columns),
      height: lengthOf(span.rows),
    }
  })
  return { places, width: lengthOf(columns) + 2 * MARGIN, height: head + lengthOf(lowest) + 2 * MARGIN }
}

const lengthOf = (cells: number): number => cells * (CELL + GAP) - GAP

const cellsOf = (row: number, column: number, span: { columns: number; rows: number }): string[] =>
  Array.from(
    { length: span.columns * span.rows },
    (_, index) => `${row + Math.floor(index / span.columns)} ${column + (index % span.columns)}`,
  )

export function listSheet(cards: readonly Box[], box: Box | undefined): Sheet {
  if (!box) return inColumns(cards, 1)
  return largest(
    cards.map((_, index) => inColumns(cards, index + 1)),
    box,
  )
}

// Row by row; a row is as high as its highest card.
function inColumns(cards: readonly Box[], columns: number): Sheet {
  const width = Math.max(...cards.map((card) => card.width))
  let y = MARGIN
  const places: Place[] = []
  for (let first = 0; first < cards.length; first += columns) {
    const row = cards.slice(first, first + columns)
    for (const [index, card] of row.entries()) places.push({ ...card, x: MARGIN + index * (width + MARGIN), y })
    y += Math.max(...row.map(({ height }) => height)) + MARGIN
  }
  return { places, width: columns * (width + MARGIN) + MARGIN, height: y }
}

function largest(sheets: readonly Sheet[], box: Box): Sheet {
  const scales = sheets.map(({ width, height }) => Math.min(box.width / width, box.height / height))
  return sheets[scales.indexOf(Math.max(...scales))] as Sheet
}
