// Archives of files that are already in memory, as npm and pip read them: a tarball and a zip. They hold no time and no owner, so
// that the same files make the same bytes.
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

const BLOCK = 512
// The date of every entry, as a zip encodes it: 1980-01-01, the earliest that it can hold.
const ZIP_DATE = (1 << 5) | 1
const ZIP_VERSION = 20
const DEFLATED = 8
const UTF8_NAMES = 0x800

// `files`: [{ path, content, isExecutable? }]. Paths are ASCII and have at most 100 characters.
export function tarball(files) {
  const blocks = files.flatMap(({ path, content, isExecutable }) => [
    tarHeader(path, content.length, isExecutable ? 0o755 : 0o644),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ])
  const zipped = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 })
  // The operating system on which it was compressed.
  zipped[9] = 0xff
  return zipped
}

function tarHeader(path, size, mode) {
  const header = Buffer.alloc(BLOCK)
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(path, 0)
  header.write(octal(mode, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(0, 12), 100)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

export function zip(files) {
  const entries = files.map(({ path, content }) => {
    const name = Buffer.from(path)
    const packed = deflateRawSync(content, { level: 9 })
    const common = Buffer.alloc(26)
    common.writeUInt16LE(ZIP_VERSION, 0)
    common.writeUInt16LE(UTF8_NAMES, 2)
    common.writeUInt16LE(DEFLATED, 4)
    common.writeUInt16LE(ZIP_DATE, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    return { name, packed, common }
  })
  const parts = []
  const directory = []
  let offset = 0
  for (const { name, packed, common } of entries) {
    directory.push(signature('PK\x01\x02'), Buffer.from([ZIP_VERSION, 3]), common, zipAttributes(offset), name)
    const part = Buffer.concat([signature('PK\x03\x04'), common, name, packed])
    parts.push(part)
    offset += part.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listed, signature('PK\x05\x06'), end])
}

const signature = (text) => Buffer.from(text, 'latin1')

// What the directory has after the fields that each file has as well: comment, disk, mode and place of the file.
function zipAttributes(offset) {
  const attributes = Buffer.alloc(14)
  attributes.writeUInt32LE(0o100644 * 0x10000, 6)
  attributes.writeUInt32LE(offset, 10)
  return attributes
}
