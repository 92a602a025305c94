// Reads multipart/form-data as a stream, part after part: a file in it may be much larger than what fits into memory.
import { Buffer } from 'node:buffer'
import { Problem } from '../../contract/problems.ts'
import { JoinedBytes } from './joined-bytes.ts'

export type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>
// `content` must be read before the next part; what is left of it is skipped.
export type Part = { name: string; fileName?: string; content: AsyncIterable<Buffer> }

const MOST_PARTS = 100
const MOST_HEADER_BYTES = 8192

// Returns undefined if the media type is another one.
export const boundaryOf = (contentType = ''): string | undefined => {
  const [, quoted, plain] =
    /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? plain
}

// `mostBytes`: of the whole body, also of what no part has and of parts that are skipped.
export async function* readParts(body: Pieces, boundary: string, mostBytes: number): AsyncIterable<Part> {
  const bytes = new ByteReader(body, mostBytes)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The npm package pushover-notifications 1.2.3 forgets the line break before the last delimiter.
  const end = Buffer.from(`--${boundary}--`)
  await skip(bytes.until(delimiter))
  for (let parts = 0; parts < MOST_PARTS; parts++) {
    if (await bytes.startsWith('--')) return
    const header = await collect(bytes.until(Buffer.from('\r\n\r\n')), MOST_HEADER_BYTES)
    const content = bytes.until(delimiter, end)
    yield { ...readHeader(header.toString()), content }
    await skip(content)
  }
  throw unreadable()
}

// Throws when there is more.
export async function collect(content: Pieces, mostBytes: number): Promise<Buffer> {
  const bytes = new JoinedBytes()
  for await (const piece of content) {
    bytes.add(piece)
    if (bytes.length > mostBytes) {
      throw new Problem('request.too_large', `A part of the body has more than ${mostBytes} bytes.`)
    }
  }
  return bytes.joined()
}

async function skip(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _piece of content);
}

function readHeader(header: string): { name: string; fileName?: string } {
  // A line that begins with white space continues the one before.
  const disposition = /^content-disposition:((?:[^\r\n]|\r\n[ \t])*)/im.exec(header)?.[1] ?? ''
  return { name: parameterOf(disposition, 'name') ?? '', fileName: fileNameOf(disposition) }
}

function parameterOf(disposition: string, name: string): string | undefined {
  const [, quoted, token] =
    new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(disposition) ?? []
  // Browsers write quotation marks as %22, other clients with a backslash.
  return quoted?.replace(/\\(.)/g, '$1').replaceAll('%22', '"') ?? token
}

// Python's requests writes a name that is not ASCII as RFC 5987 says: filename*=utf-8''%C3%BC.png
function fileNameOf(disposition: string): string | undefined {
  const encoded = /;\s*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(disposition)?.[1]
  if (encoded === undefined) return parameterOf(disposition, 'filename')
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

class ByteReader {
  // The first delimiter needs no line break before it, unlike the others.
  private pending: Buffer = Buffer.from('\r\n')
  private readonly pieces: AsyncIterator<Buffer>
  private readonly mostBytes: number
  private readBytes = 0

  constructor(body: Pieces, mostBytes: number) {
    this.pieces = eachOf(body)
    this.mostBytes = mostBytes
  }

  // Passes on the bytes before the delimiter, and consumes both. `end`: what may end the body instead.
  async *until(delimiter: Buffer, end?: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.pending.indexOf(delimiter)
      if (at !== -1) {
        const before = this.take(at)
        this.take(delimiter.length)
        if (before.length > 0) yield before
        return
      }
      // The last bytes may be the beginning of a delimiter, or the end and a line break.
      const kept = Math.max(delimiter.length - 1, end ? end.length + 2 : 0)
      const before = this.take(Math.max(this.pending.length - kept, 0))
      if (before.length > 0) yield before
      if (await this.fill()) continue
      const last = end ? this.pending.lastIndexOf(end) : -1
      if (last === -1) throw unreadable()
      yield this.take(last)
      return
    }
  }

  async startsWith(text: string): Promise<boolean> {
    while (this.pending.length < text.length) if (!(await this.fill())) throw unreadable()
    return this.pending.toString('latin1', 0, text.length) === text
  }

  private take(bytes: number): Buffer {
    const taken = this.pending.subarray(0, bytes)
    this.pending = this.pending.subarray(bytes)
    return taken
  }

  // Returns false at the end of the body.
  private async fill(): Promise<boolean> {
    const { done, value } = await this.pieces.next()
    if (done) return false
    this.readBytes += value.length
    if (this.readBytes > this.mostBytes) {
      throw new Problem('request.too_large', `The body must have at most ${this.mostBytes} bytes.`)
    }
    this.pending = this.pending.length === 0 ? value : Buffer.concat([this.pending, value])
    return true
  }
}

async function* eachOf(pieces: Pieces): AsyncGenerator<Buffer> {
  yield* pieces
}

const unreadable = () => new Problem('request.body_invalid', 'The form cannot be read.')
