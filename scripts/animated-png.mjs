// An animated PNG, made of PNG files of equal kind: the first is the whole picture, each other one replaces a part of it.
import { crc32 } from 'node:zlib'

// Kept until the next frame, and drawn over what is there.
const [KEEP, REPLACE] = [0, 0]

// A frame: the file, how long it is shown, and where its upper left corner is, in pixels.
export function animatedPng(frames) {
  const files = frames.map(({ png }) => chunksOf(png))
  const [header] = files.map((chunks) => dataOf(chunks, 'IHDR'))
  let sequence = 0
  const next = () => uint32(sequence++)
  const parts = files.flatMap((chunks, index) => {
    const { seconds, x = 0, y = 0 } = frames[index]
    const head = dataOf(chunks, 'IHDR')
    if (!head.subarray(8).equals(header.subarray(8))) throw new Error('the frames differ in their kind of pixels')
    const place = [head.subarray(0, 8), uint32(x), uint32(y)]
    const shown = Buffer.from([0, 0, 0x03, 0xe8, KEEP, REPLACE])
    shown.writeUInt16BE(Math.round(seconds * 1000))
    const control = chunk('fcTL', next(), ...place, shown)
    const pixels = dataOf(chunks, 'IDAT')
    return [control, index === 0 ? chunk('IDAT', pixels) : chunk('fdAT', next(), pixels)]
  })
  const animation = chunk('acTL', uint32(frames.length), uint32(0))
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), animation, ...parts, chunk('IEND')])
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function chunksOf(png) {
  const chunks = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

const dataOf = (chunks, type) => Buffer.concat(chunks.filter((one) => one.type === type).map(({ data }) => data))

function chunk(type, ...parts) {
  const data = Buffer.concat(parts)
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}

function uint32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
