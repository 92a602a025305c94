// Computes the lines and thresholds of a timeline chart; undefined with fewer than two points in time.

import type { ActivityContent, Threshold } from '../../../../src/domain/screens/activity-content.ts'
import { boundsOf, linearScale, linePath, logarithmicScale, type Point, smoothPath } from '../chart.ts'

export const WIDTH = 320
export const HEIGHT = 96
const MARGIN = 4

export type Drawing = {
  lines: { name: string; path: string; points: Point[] }[]
  thresholds: (Threshold & { y: number })[]
  low: number
  high: number
  from: number
  to: number
}

export function drawTimeline(content: ActivityContent, names: string[]): Drawing | undefined {
  const { history = {}, thresholds = [], scale, smoothing } = content
  const series = names.map((name) => ({ name, past: history[name] ?? [] }))
  const all = series.flatMap(({ past }) => past)
  const [from, to] = boundsOf(all.map(({ timestamp }) => timestamp))
  if (from === to) return undefined
  const [low, high] = boundsOf([...all, ...thresholds].map(({ value }) => value))
  const x = linearScale([from, to], [0, WIDTH])
  const y = (scale === 'logarithmic' ? logarithmicScale : linearScale)([low, high], [HEIGHT - MARGIN, MARGIN])
  const join = smoothing ? smoothPath : linePath
  return {
    lines: series.map(({ name, past }) => {
      const points = past.map(({ timestamp, value }) => ({ x: x(timestamp), y: y(value) }))
      return { name, points, path: join(points) }
    }),
    thresholds: thresholds.map((threshold) => ({ ...threshold, y: y(threshold.value) })),
    low,
    high,
    from,
    to,
  }
}
