// Files of pictures in few colours, as displays with little memory read them: PNG of 1 to 8 bits, BMP of 1 or 24 bits.
import { crc32, deflateSync } from 'node:zlib'
import type { Raster } from './dither.ts'
import type { Palette } from './palettes.ts'

type Size = { width: number; height: number }

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const GREY = 0
const INDEXED = 3

export function pngOf(numbers: Uint8Array, { width, height }: Size, { bits, colors, isGrey }: Palette): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, isGrey ? GREY : INDEXED], 8)
  const rowBytes = Math.ceil((width * bits) / 8)
  const rows = Buffer.alloc((rowBytes + 1) * height)
  for (let y = 0; y < height; y++) packRow(numbers, { y, width, bits }, rows, y * (rowBytes + 1) + 1)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(isGrey ? [] : [chunk('PLTE', Buffer.from(colors.flat()))]),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function packRow(
  numbers: Uint8Array,
  row: { y: number; width: number; bits: number },
  into: Buffer,
  start: number,
): void {
  const { y, width, bits } = row
  for (let x = 0; x < width; x++) {
    const bit = x * bits
    const at = start + (bit >> 3)
    into[at] = (into[at] ?? 0) | ((numbers[y * width + x] ?? 0) << (8 - bits - (bit & 7)))
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

// Black is 0 and white is 1, as the numbers of two greys.
export function bmpOfTwo(numbers: Uint8Array, size: Size): Buffer {
  const colors = Buffer.from([0, 0, 0, 0, 255, 255, 255, 0])
  return bmp(size, 1, colors, (y, rows, start) => packRow(numbers, { y, width: size.width, bits: 1 }, rows, start))
}

export const bmpOfAll = ({ pixels, ...size }: Raster): Buffer =>
  bmp(size, 24, Buffer.alloc(0), (y, rows, start) => {
    for (let x = 0; x < size.width; x++) {
      const at = (y * size.width + x) * 4
      rows.set([pixels[at + 2] ?? 0, pixels[at + 1] ?? 0, pixels[at] ?? 0], start + x * 3)
    }
  })

const HEADERS_BYTES = 54
// 72 pixels an inch.
const PIXELS_PER_METRE = 2835

// Rows are written from the lowest, and each takes a multiple of four bytes.
function bmp({ width, height }: Size, bits: number, colors: Buffer, writeRow: WriteRow): Buffer {
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  const rows = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y++) writeRow(y, rows, (height - 1 - y) * rowBytes)
  const head = Buffer.alloc(HEADERS_BYTES)
  head.write('BM', 'latin1')
  head.writeUInt32LE(HEADERS_BYTES + colors.length + rows.length, 2)
  head.writeUInt32LE(HEADERS_BYTES + colors.length, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(bits, 28)
  head.writeUInt32LE(rows.length, 34)
  head.writeInt32LE(PIXELS_PER_METRE, 38)
  head.writeInt32LE(PIXELS_PER_METRE, 42)
  head.writeUInt32LE(colors.length / 4, 46)
  return Buffer.concat([head, colors, rows])
}

type WriteRow = (y: number, rows: Buffer, start: number) => void
