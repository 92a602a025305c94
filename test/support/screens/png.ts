// Reads the pixels of a PNG without interlacing: 8 bits of red, green, blue and alpha, or 1 to 8 bits of grey or of a palette.
import { inflateSync } from 'node:zlib'

export type Pixels = { width: number; height: number; depth: number; data: Uint8Array }

// How many values a pixel has, by the kind of colour.
const CHANNELS: Record<number, number> = { 0: 1, 3: 1, 6: 4 }

// `data` has red, green, blue and alpha of each pixel.
export function readPng(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const [depth = 8, kind = 6] = png.subarray(24)
  const channels = CHANNELS[kind] as number
  const rowBytes = Math.ceil((width * channels * depth) / 8)
  const raw = inflateSync(Buffer.concat(chunksOf(png, 'IDAT')))
  const [palette] = chunksOf(png, 'PLTE')
  const data = new Uint8Array(width * height * 4)
  let above: Uint8Array = new Uint8Array(rowBytes)
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1)
    const row = unfiltered(
      raw[start] ?? 0,
      raw.subarray(start + 1, start + 1 + rowBytes),
      above,
      (channels * depth) >> 3,
    )
    for (let x = 0; x < width; x++) data.set(pixelAt(row, x, { depth, channels, palette }), (y * width + x) * 4)
    above = row
  }
  return { width, height, depth, data }
}

type Kind = { depth: number; channels: number; palette: Buffer | undefined }

function pixelAt(row: Uint8Array, x: number, { depth, channels, palette }: Kind): Uint8Array | number[] {
  if (channels === 4) return row.subarray(x * 4, x * 4 + 4)
  const bit = x * depth
  const value = ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
  if (palette) return [...palette.subarray(value * 3, value * 3 + 3), 255]
  const grey = Math.round((value * 255) / (2 ** depth - 1))
  return [grey, grey, grey, 255]
}

function chunksOf(png: Buffer, name: string): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === name)
      chunks.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  return chunks
}

function unfiltered(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): Uint8Array {
  const step = Math.max(pixelBytes, 1)
  for (let at = 0; at < row.length; at++) {
    const [left, up, corner] = [row[at - step] ?? 0, above[at] ?? 0, at < step ? 0 : (above[at - step] ?? 0)]
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
    row[at] = ((row[at] ?? 0) + guess) & 255
  }
  return row
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one)) as [number, number, number]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
