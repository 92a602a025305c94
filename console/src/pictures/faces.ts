// Fonts as HarfBuzz reads them: which letters one has, the glyphs of a text in their places, and the outline of a glyph.
import { createRequire } from 'node:module'
import type { Font } from 'satori'
import type { FontFile } from './fonts.ts'

// What is used of the library, which has no types.
type HarfBuzz = {
  createBlob(bytes: Uint8Array): Counted
  createFace(blob: Counted, index: number): Counted & HarfBuzzFace
  createFont(face: Counted): Counted & { setScale(x: number, y: number): void; glyphToPath(glyph: number): string }
  createBuffer(): Counted & {
    addText(text: string): void
    guessSegmentProperties(): void
    setDirection(direction: 'ltr' | 'rtl'): void
    json(): Glyph[]
  }
  shape(font: Counted, buffer: Counted): void
}
type Counted = { destroy(): void }
type HarfBuzzFace = {
  upem: number
  collectUnicodes(): Uint32Array
  getName(id: number, language: string): string
  reference_table(name: string): Uint8Array | undefined
}

// Its number, the index of its character, how far the next one is, and its own offset. Upwards is positive.
export type Glyph = { g: number; cl: number; ax: number; dx: number; dy: number }

export type Face = {
  name: string
  weight: Font['weight']
  unitsPerEm: number
  has(codePoint: number): boolean
  // From left to right.
  shape(text: string, direction: 'ltr' | 'rtl'): Glyph[]
  // In the units of the font.
  outline(glyph: number): Step[]
}

// A letter of SVG's paths with its numbers.
export type Step = { letter: string; points: number[] }

// A glyph of a text is likely in the next one too; Chinese has more than are worth keeping.
const MOST_OUTLINES = 1000

let library: Promise<HarfBuzz> | undefined
const faces = new WeakMap<FontFile, Promise<Face>>()

const loadLibrary = (): Promise<HarfBuzz> =>
  (library ??= createRequire(import.meta.url)('harfbuzzjs') as Promise<HarfBuzz>)

export type Description = { name: string; weight: number; codePoints: Set<number> }

const FAMILY = 1
const WHOLE_FAMILY = 16

// What a font says of itself; its bytes are not kept.
export async function describe(bytes: Buffer): Promise<Description> {
  const harfBuzz = await loadLibrary()
  const blob = harfBuzz.createBlob(bytes)
  const face = harfBuzz.createFace(blob, 0)
  const weights = face.reference_table('OS/2')
  const described = {
    name: face.getName(WHOLE_FAMILY, 'en') || face.getName(FAMILY, 'en'),
    weight: weights ? Buffer.from(weights).readUInt16BE(4) : 400,
    codePoints: new Set(face.collectUnicodes()),
  }
  face.destroy()
  blob.destroy()
  return described
}

// Nobody waits for the library while all letters are plain.
export function faceOf(file: FontFile): Promise<Face> {
  const loading = faces.get(file) ?? load(file)
  faces.set(file, loading)
  return loading
}

async function load(file: FontFile): Promise<Face> {
  const [harfBuzz, font] = await Promise.all([loadLibrary(), file.read()])
  return openFace(harfBuzz, file, font)
}

function openFace(harfBuzz: HarfBuzz, { name, weight }: FontFile, { data }: Font): Face {
  const blob = harfBuzz.createBlob(data as Buffer)
  const face = harfBuzz.createFace(blob, 0)
  const font = harfBuzz.createFont(face)
  font.setScale(face.upem, face.upem)
  const covered = new Set(face.collectUnicodes())
  const outlines = new Map<number, Step[]>()
  return {
    name,
    weight,
    unitsPerEm: face.upem,
    has: (codePoint) => covered.has(codePoint),
    shape(text, direction) {
      const buffer = harfBuzz.createBuffer()
      buffer.addText(text)
      buffer.guessSegmentProperties()
      buffer.setDirection(direction)
      harfBuzz.shape(font, buffer)
      const glyphs = buffer.json()
      buffer.destroy()
      return glyphs
    },
    outline(glyph) {
      const known = outlines.get(glyph)
      if (known) return known
      if (outlines.size >= MOST_OUTLINES) outlines.clear()
      const steps = stepsOf(font.glyphToPath(glyph))
      outlines.set(glyph, steps)
      return steps
    },
  }
}

const stepsOf = (path: string): Step[] =>
  [...path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)].map(([, letter = '', numbers = '']) => ({
    letter,
    points: numbers ? numbers.split(/[ ,]/).map(Number) : [],
  }))
