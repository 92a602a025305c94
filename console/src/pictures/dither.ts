// Draws pixels in the few colours of a display: areas between two colours become a pattern, and letters stay sharp.
import type { Dither } from '../../../src/domain/screens/picture.ts'
import { nearest, type Palette, type Rgb } from './palettes.ts'

export type Raster = { width: number; height: number; pixels: Uint8Array }

const BAYER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

// A pixel is in an area if those beside it are nearly equal; otherwise it is an edge.
const MOST_DIFFERENT = 12
// Without levels of grey, thin strokes would have gaps.
const EDGES_DARKER = 40

// The number of the colour of each pixel. The picture has no transparent ones.
export function inColors(raster: Raster, palette: Palette, dither: Dither): Uint8Array {
  if (dither === 'floyd') return diffused(raster, palette)
  const { width, height, pixels } = raster
  const numbers = new Uint8Array(width * height)
  const step = palette.isGrey ? 255 / (palette.colors.length - 1) : 255
  const edge = dither === 'auto' && step === 255 ? -EDGES_DARKER : 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const isPattern = dither === 'ordered' || (dither === 'auto' && isInArea(raster, x, y))
      const shift = isPattern ? (((BAYER[(y % 4) * 4 + (x % 4)] ?? 0) + 0.5) / 16 - 0.5) * step : edge
      numbers[at] = nearest(palette, colorAt(pixels, at, shift))
    }
  }
  return numbers
}

const colorAt = (pixels: Uint8Array, at: number, shift: number): Rgb => [
  (pixels[at * 4] ?? 0) + shift,
  (pixels[at * 4 + 1] ?? 0) + shift,
  (pixels[at * 4 + 2] ?? 0) + shift,
]

function isInArea({ width, height, pixels }: Raster, x: number, y: number): boolean {
  const at = (y * width + x) * 4
  const isLike = (other: number) =>
    [0, 1, 2].every((part) => Math.abs((pixels[other + part] ?? 0) - (pixels[at + part] ?? 0)) <= MOST_DIFFERENT)
  const left = x > 0 ? at - 4 : at
  const right = x < width - 1 ? at + 4 : at
  const above = y > 0 ? at - width * 4 : at
  const below = y < height - 1 ? at + width * 4 : at
  return (isLike(left) || isLike(right)) && (isLike(above) || isLike(below))
}

// Floyd and Steinberg: what a pixel is too dark or too light is given to the next ones.
function diffused({ width, height, pixels }: Raster, palette: Palette): Uint8Array {
  const numbers = new Uint8Array(width * height)
  const left = Float32Array.from({ length: width * height * 3 }, (_, index) => {
    return pixels[Math.floor(index / 3) * 4 + (index % 3)] ?? 0
  })
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const wanted = [0, 1, 2].map((part) => left[at * 3 + part] ?? 0) as unknown as Rgb
      const chosen = nearest(palette, wanted)
      numbers[at] = chosen
      const color = palette.colors[chosen] as Rgb
      for (const [dx, dy, share] of SHARES) {
        if (x + dx < 0 || x + dx >= width || y + dy >= height) continue
        const other = (at + dy * width + dx) * 3
        for (let part = 0; part < 3; part++) {
          left[other + part] = (left[other + part] ?? 0) + ((wanted[part] as number) - (color[part] as number)) * share
        }
      }
    }
  }
  return numbers
}

const SHARES = [
  [1, 0, 7 / 16],
  [-1, 1, 3 / 16],
  [0, 1, 5 / 16],
  [1, 1, 1 / 16],
] as const
