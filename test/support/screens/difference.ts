// How many pixels of two pictures differ by a colour that people see, as a fraction of the larger one. The distance is that of
// brightness and two colours (YIQ), and a pixel that finds its colour beside its place in the other picture does not count: edges of
// letters are smoothed differently.
import type { Pixels } from './png.ts'

const MOST = 35_215 * 0.2 ** 2

export function differingPixels(one: Pixels, other: Pixels): number {
  const [width, height] = [Math.max(one.width, other.width), Math.max(one.height, other.height)]
  const isSameSize = one.width === other.width
  const [words, otherWords] = [wordsOf(one), wordsOf(other)]
  let count = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // Most pixels are equal, and the comparison of colours is slow.
      if (isSameSize && words[y * width + x] === otherWords[y * width + x]) continue
      if (!isNear(one, other, x, y) || !isNear(other, one, x, y)) count++
    }
  }
  return count / (width * height)
}

const wordsOf = ({ data }: Pixels) => new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4)

function isNear(one: Pixels, other: Pixels, x: number, y: number): boolean {
  const color = at(one, x, y)
  if (distance(color, at(other, x, y)) <= MOST) return true
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) if (distance(color, at(other, x + dx, y + dy)) <= MOST) return true
  }
  return false
}

type Color = readonly [number, number, number]
const NOTHING: Color = [255, 255, 255]

// On white.
function at({ width, height, data }: Pixels, x: number, y: number): Color {
  if (x < 0 || y < 0 || x >= width || y >= height) return NOTHING
  const start = (y * width + x) * 4
  const alpha = (data[start + 3] ?? 0) / 255
  const on = (value = 0) => 255 + (value - 255) * alpha
  return [on(data[start]), on(data[start + 1]), on(data[start + 2])]
}

function distance([r1, g1, b1]: Color, [r2, g2, b2]: Color): number {
  const [r, g, b] = [r1 - r2, g1 - g2, b1 - b2]
  const y = r * 0.299 + g * 0.587 + b * 0.114
  const i = r * 0.596 - g * 0.274 - b * 0.322
  const q = r * 0.211 - g * 0.523 + b * 0.312
  return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
}
