// The colours that a display has, and what is drawn in each of them.
import type { Colors } from '../../../src/domain/screens/picture.ts'

export type Rgb = readonly [red: number, green: number, blue: number]

// `greyBits`: the levels of grey are written without a list of colours.
export type Palette = { bits: 1 | 2 | 4 | 8; colors: Rgb[]; isGrey: boolean }

const [BLACK, WHITE, RED, YELLOW] = [[0, 0, 0] as Rgb, [255, 255, 255] as Rgb, [255, 0, 0] as Rgb, [255, 255, 0] as Rgb]
const [BLUE, GREEN] = [[0, 0, 255] as Rgb, [0, 255, 0] as Rgb]

function greys(bits: Palette['bits']): Palette {
  const last = 2 ** bits - 1
  const colors = Array.from({ length: last + 1 }, (_, level): Rgb => {
    const value = Math.round((255 * level) / last)
    return [value, value, value]
  })
  return { bits, colors, isGrey: true }
}

export const PALETTES: Record<Exclude<Colors, 'full'>, Palette> = {
  '256': greys(8),
  '16': greys(4),
  '4': greys(2),
  '2': greys(1),
  bwr: { bits: 2, colors: [BLACK, WHITE, RED], isGrey: false },
  bwry: { bits: 2, colors: [BLACK, WHITE, RED, YELLOW], isGrey: false },
  e6: { bits: 4, colors: [BLACK, WHITE, RED, YELLOW, BLUE, GREEN], isGrey: false },
}

// Greys are drawn in black and white, never in a colour that happens to be near.
const MOST_GREY = 48

export function nearest({ colors, isGrey }: Palette, [red, green, blue]: Rgb): number {
  if (isGrey) {
    const last = colors.length - 1
    return Math.min(Math.max(Math.round(((0.299 * red + 0.587 * green + 0.114 * blue) * last) / 255), 0), last)
  }
  const isPlain = Math.max(red, green, blue) - Math.min(red, green, blue) < MOST_GREY
  const candidates = isPlain ? colors.slice(0, 2) : colors
  const distances = candidates.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2)
  return distances.indexOf(Math.min(...distances))
}

// The colour in which something is filled: one that is seen on white paper.
export function inkFor(colors: Colors, hex: string): string {
  const palette = colors === 'full' ? undefined : PALETTES[colors]
  if (!palette || palette.isGrey) return '#000000'
  const parts = [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16)) as unknown as Rgb
  const others = { ...palette, colors: [BLACK, ...palette.colors.slice(2)] }
  const isPlain = Math.max(...parts) - Math.min(...parts) < MOST_GREY
  const [red, green, blue] = isPlain ? BLACK : (others.colors[nearest(others, parts)] as Rgb)
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
