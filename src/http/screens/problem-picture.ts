// A problem as a small picture: a wall or a display shows it in the place of the picture that it asked for. Drawn here and not
// in the drawing process, because anybody may cause it. Two colours, words in letters of 5 × 7 dots.
import { crc32, deflateSync } from 'node:zlib'

export type ProblemPicture = { format: 'svg' | 'png' | 'bmp'; width: number; height: number; words: string }

export const PICTURE_TYPES = { svg: 'image/svg+xml', png: 'image/png', bmp: 'image/bmp' } as const

export function problemPicture({ format, width, height, words }: ProblemPicture): Buffer {
  if (format === 'svg') return Buffer.from(svg(width, height, words))
  const rows = rasterOf(width, height, words)
  return format === 'png' ? png(width, height, rows) : bmp(width, height, rows)
}

const svg = (width: number, height: number, words: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img"><title>${words}</title><rect width="100%" height="100%" fill="#fff"/><text x="50%" y="50%" fill="#000" font-family="sans-serif" font-size="${Math.max(8, Math.floor(width / 12))}" text-anchor="middle" dominant-baseline="middle">${words}</text></svg>`

const LETTER = { width: 5, height: 7, gap: 1 }

// Each letter as seven rows of five dots, from the top, the left dot in the highest bit.
const LETTERS: Record<string, number[]> = {
  B: [30, 17, 17, 30, 17, 17, 30],
  N: [17, 25, 25, 21, 19, 19, 17],
  T: [31, 4, 4, 4, 4, 4, 4],
  a: [0, 0, 14, 1, 15, 17, 15],
  b: [16, 16, 30, 17, 17, 17, 30],
  e: [0, 0, 14, 17, 31, 16, 14],
  i: [4, 0, 12, 4, 4, 4, 14],
  l: [12, 4, 4, 4, 4, 4, 14],
  n: [0, 0, 30, 17, 17, 17, 17],
  o: [0, 0, 14, 17, 17, 17, 14],
  r: [0, 0, 22, 25, 16, 16, 16],
  s: [0, 0, 15, 16, 14, 1, 30],
  t: [8, 8, 28, 8, 8, 9, 6],
  u: [0, 0, 17, 17, 17, 19, 13],
  v: [0, 0, 17, 17, 17, 10, 4],
  w: [0, 0, 17, 17, 21, 21, 10],
  y: [0, 0, 17, 17, 15, 1, 14],
}

// Rows from the top, a bit for each pixel: 1 is white, 0 is black.
function rasterOf(width: number, height: number, words: string): Buffer[] {
  const rowBytes = Math.ceil(width / 8)
  const rows = Array.from({ length: height }, () => Buffer.alloc(rowBytes, 0xff))
  const columns = words.length * (LETTER.width + LETTER.gap) - LETTER.gap
  // Pixels of a dot.
  const dot = Math.floor(Math.min((width * 0.9) / columns, (height * 0.9) / LETTER.height, width / 80))
  const left = Math.floor((width - columns * dot) / 2)
  const top = Math.floor((height - LETTER.height * dot) / 2)
  const isInk = (x: number, y: number): boolean => {
    const letter = LETTERS[words[Math.floor(x / (LETTER.width + LETTER.gap))] ?? '']
    const column = x % (LETTER.width + LETTER.gap)
    return column < LETTER.width && (((letter?.[y] ?? 0) >> (LETTER.width - 1 - column)) & 1) === 1
  }
  for (let y = 0; y < LETTER.height * dot; y++) {
    const row = rows[top + y] as Buffer
    for (let x = 0; x < columns * dot; x++) {
      if (!isInk(Math.floor(x / dot), Math.floor(y / dot))) continue
      const at = left + x
      row[at >> 3] = (row[at >> 3] as number) & ~(0x80 >> (at & 7))
    }
  }
  return rows
}

function png(width: number, height: number, rows: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // A bit for each pixel, grey.
  header[8] = 1
  // Each row begins with its filter: none.
  const pixels = Buffer.concat(rows.flatMap((row) => [Buffer.alloc(1), row]))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

function bmp(width: number, height: number, rows: Buffer[]): Buffer {
  const padding = Buffer.alloc((4 - ((rows[0]?.length ?? 0) % 4)) % 4)
  // The last row comes first.
  const pixels = Buffer.concat(rows.toReversed().flatMap((row) => [row, padding]))
  const header = Buffer.alloc(62)
  header.write('BM', 0, 'latin1')
  header.writeUInt32LE(header.length + pixels.length, 2)
  header.writeUInt32LE(header.length, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(width, 18)
  header.writeInt32LE(height, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(1, 28)
  header.writeUInt32LE(pixels.length, 34)
  header.writeUInt32LE(2, 46)
  // The palette: black, white.
  header.writeUInt32LE(0x00ffffff, 58)
  return Buffer.concat([header, pixels])
}
