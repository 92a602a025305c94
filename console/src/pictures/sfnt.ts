// A font file as the shaping library reads it: the tables of a WOFF file are unpacked (https://www.w3.org/TR/WOFF/).
import { inflateSync } from 'node:zlib'

const WOFF = 'wOFF'
const HEADER = { woff: 44, sfnt: 12 }
const ENTRY = { woff: 20, sfnt: 16 }
// No font of a script has tables this large; it bounds the memory that a damaged file takes.
const MOST_BYTES = 64 * 1024 * 1024

export function sfntOf(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== WOFF) return file
  const count = file.readUInt16BE(12)
  const head = Buffer.alloc(HEADER.sfnt + count * ENTRY.sfnt)
  file.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  const highest = 2 ** Math.floor(Math.log2(count))
  head.writeUInt16BE(highest * ENTRY.sfnt, 6)
  head.writeUInt16BE(Math.log2(highest), 8)
  head.writeUInt16BE((count - highest) * ENTRY.sfnt, 10)
  const parts = [head]
  let at = head.length
  for (let index = 0; index < count; index++) {
    const entry = HEADER.woff + index * ENTRY.woff
    const [offset, packed, length] = [4, 8, 12].map((member) => file.readUInt32BE(entry + member)) as Triple
    const data = file.subarray(offset, offset + packed)
    const table = Buffer.alloc((length + 3) & ~3)
    ;(packed < length ? inflateSync(data, { maxOutputLength: MOST_BYTES }) : data).copy(table)
    const record = HEADER.sfnt + index * ENTRY.sfnt
    file.copy(head, record, entry, entry + 4)
    file.copy(head, record + 4, entry + 16, entry + 20)
    head.writeUInt32BE(at, record + 8)
    head.writeUInt32BE(length, record + 12)
    parts.push(table)
    at += table.length
  }
  return Buffer.concat(parts)
}

type Triple = [number, number, number]
