// SVG paths of charts. A scale maps a value to a coordinate.

export type Point = { x: number; y: number }
export type Scale = (value: number) => number
type Range = readonly [number, number]

export function linearScale([low, high]: Range, [from, to]: Range): Scale {
  // If all values are equal, the line is in the middle.
  if (high === low) return () => (from + to) / 2
  // Halved first: the difference of two very large numbers overflows to Infinity.
  return (value) => from + ((value / 2 - low / 2) / (high / 2 - low / 2)) * (to - from)
}

// Zero and negative values have no logarithm and are drawn at the bottom.
export function logarithmicScale([low, high]: Range, places: Range): Scale {
  const foot = low > 0 ? low : Math.min(1, high > 0 ? high / 1000 : 1)
  const scale = linearScale([Math.log10(foot), Math.log10(Math.max(high, foot))], places)
  return (value) => scale(Math.log10(Math.max(value, foot)))
}

export function boundsOf(values: readonly number[]): Range {
  return values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)]
}

export function linePath(points: readonly Point[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
}

// Monotone cubic interpolation (Fritsch and Carlson): the curve passes through all points and does not overshoot.
export function smoothPath(points: readonly Point[]): string {
  if (points.length < 3) return linePath(points)
  const slopes = tangents(points)
  return points
    .map((point, index) => {
      const before = points[index - 1]
      if (!before) return `M${round(point.x)} ${round(point.y)}`
      const third = (point.x - before.x) / 3
      const [leaving, arriving] = [slopes[index - 1] ?? 0, slopes[index] ?? 0]
      const controls = [before.x + third, before.y + leaving * third, point.x - third, point.y - arriving * third]
      return `C${controls.map(round).join(' ')} ${round(point.x)} ${round(point.y)}`
    })
    .join('')
}

function tangents(points: readonly Point[]): number[] {
  const slopes = points.slice(1).map((point, index) => {
    const before = points[index] as Point
    return point.x === before.x ? 0 : (point.y - before.y) / (point.x - before.x)
  })
  return points.map((_, index) => {
    const [left, right] = [slopes[index - 1], slopes[index]]
    if (left === undefined || right === undefined) return left ?? right ?? 0
    if (left * right <= 0) return 0
    return (2 * left * right) / (left + right)
  })
}

// Closes a line to an area down to `floor`.
export function areaPath(line: string, points: readonly Point[], floor: number): string {
  const [first, last] = [points[0], points.at(-1)]
  return first && last ? `${line}L${round(last.x)} ${floor}L${round(first.x)} ${floor}Z` : ''
}

// Arc of a circle. 0 degrees is at the top; degrees run clockwise.
export function arcPath(center: Point, radius: number, [from, to]: Range): string {
  const at = (degrees: number) => {
    const angle = ((degrees - 90) * Math.PI) / 180
    return `${round(center.x + radius * Math.cos(angle))} ${round(center.y + radius * Math.sin(angle))}`
  }
  return `M${at(from)}A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}`
}

const round = (place: number): number => Math.round(place * 100) / 100
