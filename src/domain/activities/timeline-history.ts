// The history of a timeline. It is stored in chunks, one per change with a point of every series. Readers get points by
// series, and a push gets as many as fit.
import { LIMITS } from '../../contract/limits.ts'

export type Point = { timestamp: number; value: number }
export type History = Record<string, Point[]>

// The stored form is [timestamp, value], a third of the size.
export type Chunk = Record<string, [timestamp: number, value: number][]>

export function chunkOf(value: Readonly<Record<string, number>>, timestamp: number): Chunk {
  return Object.fromEntries(Object.entries(value).map(([series, number]) => [series, [[timestamp, number]]]))
}

export function seedChunk(history: Readonly<History>): Chunk {
  return Object.fromEntries(
    Object.entries(history).map(([series, points]) => [
      series,
      points.toSorted((a, b) => a.timestamp - b.timestamp).map(({ timestamp, value }) => [timestamp, value]),
    ]),
  )
}

// Chunks are oldest first. Only series that still exist are returned.
export function historyOf(chunks: readonly Chunk[], series: readonly string[]): History {
  return Object.fromEntries(
    series.map((name) => {
      const points = chunks.flatMap((chunk) => (Object.hasOwn(chunk, name) ? (chunk[name] ?? []) : []))
      return [name, points.slice(-LIMITS.activity.maxPoints).map(([timestamp, value]) => ({ timestamp, value }))]
    }),
  )
}

export function downsampledHistory(history: History, pointsEach: number): History {
  return Object.fromEntries(Object.entries(history).map(([series, points]) => [series, downsample(points, pointsEach)]))
}

// Largest triangle three buckets (Steinarsson 2013): keeps the first and the last point, and of each bucket between
// them the point that forms the largest triangle with the point kept before and the average of the next bucket. This
// preserves peaks.
export function downsample(points: readonly Point[], count: number): Point[] {
  if (points.length <= count) return [...points]
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || count < 1) return []
  if (count === 1) return [last]
  const kept = [first]
  const bucketSize = (points.length - 2) / (count - 2)
  for (let bucket = 0; bucket < count - 2; bucket++) {
    const start = Math.floor(bucket * bucketSize) + 1
    const end = Math.floor((bucket + 1) * bucketSize) + 1
    const next = averageOf(points.slice(end, Math.min(Math.floor((bucket + 2) * bucketSize) + 1, points.length)))
    const previous = kept.at(-1) ?? first
    kept.push(largestTriangle(points.slice(start, end), previous, next ?? last))
  }
  return [...kept, last]
}

function averageOf(points: readonly Point[]): Point | undefined {
  if (points.length === 0) return undefined
  const mean = (pick: (point: Point) => number) => points.reduce((sum, point) => sum + pick(point) / points.length, 0)
  return { timestamp: mean(({ timestamp }) => timestamp), value: mean(({ value }) => value) }
}

function largestTriangle(candidates: readonly Point[], a: Point, c: Point): Point {
  let best = candidates[0] ?? a
  let bestArea = -1
  for (const b of candidates) {
    const area = Math.abs(
      (a.timestamp - c.timestamp) * (b.value - a.value) - (a.timestamp - b.timestamp) * (c.value - a.value),
    )
    if (area > bestArea) [best, bestArea] = [b, area]
  }
  return best
}
