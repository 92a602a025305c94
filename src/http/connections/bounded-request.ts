// Bounds what the body of a request costs, whether or not its route reads it. Every chunk of a chunked body is a call and a
// Buffer of its own: a megabyte in chunks of one byte would take seconds of the event loop and hundreds of megabytes.
import { IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Problem } from '../../contract/problems.ts'

// A program that prints short lines into a pipe sends each as a chunk, so a few hundred are free. After that they have
// 64 bytes on average.
const MOST_SMALL_CHUNKS = 500
const FULL_CHUNK_BYTES = 64
// Many clients send the whole body before they read the response. What they send after it is read and discarded up to
// this bound; a connection that is closed earlier may be reset before they see the response.
export const MOST_DISCARDED_BYTES = 16 * 1024 * 1024

// `http.createServer` makes its requests of this class.
export class BoundedRequest extends IncomingMessage {
  response: ServerResponse | undefined
  private chunks = 0
  private bytes = 0
  private mostBytes = Number.POSITIVE_INFINITY
  private isRefused = false

  // Called by Node with each chunk, and with null at the end.
  override push(chunk: Buffer | null): boolean {
    // The end of a body without its middle is not the end.
    if (this.isRefused) return false
    if (chunk === null) return super.push(chunk)
    this.chunks += 1
    this.bytes += chunk.length
    if (this.bytes > this.mostBytes || this.chunks > MOST_SMALL_CHUNKS + this.bytes / FULL_CHUNK_BYTES) {
      this.refuse()
    }
    // Also of the chunk that is refused, so that a reader that waits for more asks again, and fails.
    return super.push(chunk) && !this.isRefused
  }

  // Called when the reader wants more, so a refused body fails where it is read, and only there.
  override _read(size: number): void {
    if (this.isRefused) this.destroy(new Error('refused', { cause: tooManyChunks() }))
    else super._read(size)
  }

  // Node would destroy the connection, which still has to carry the response.
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.isRefused && !this.socket.destroyed) done(this.listenerCount('error') > 0 ? error : null)
    else super._destroy(error, done)
  }

  // The rest of the body is not wanted.
  discardRest(): void {
    if (this.complete) return
    this.mostBytes = this.bytes + MOST_DISCARDED_BYTES
    // A decompressor takes no more.
    this.unpipe()
    this.resume()
  }

  // Nothing is read from the connection any more; it ends with the response, or now if that has been sent.
  private refuse(): void {
    this.isRefused = true
    skipRestOfRead(this)
    const { response } = this
    if (!response || response.headersSent) this.socket.destroy()
    else response.setHeader('connection', 'close')
  }
}

const tooManyChunks = () => new Problem('request.body_invalid', 'The body comes in too many small chunks.')

// Node 24 cannot stop its parser within what it has read from a socket, 64 KB, which may be 11,000 chunks of one byte:
// socket.destroy() and parser.pause() take effect after them. A parser without this function skips bodies, in a twentieth
// of the time. It is put back in the same turn, because Node uses the parser for another connection later.
function skipRestOfRead({ socket }: IncomingMessage): void {
  const { parser } = socket as { parser?: Record<string, unknown> | null }
  const key = Object.keys(parser ?? {}).find((name) => isOnBody(parser?.[name]))
  if (!parser || key === undefined) return
  const onBody = parser[key]
  parser[key] = null
  setImmediate(() => {
    parser[key] = onBody
  })
}

const isOnBody = (member: unknown) => typeof member === 'function' && member.name === 'parserOnBody'

export function boundBodies(server: Server): void {
  // Before the listener that answers.
  server.prependListener('request', (request: BoundedRequest, response) => {
    const { 'content-length': bytes, 'transfer-encoding': encoding } = request.headers
    if (encoding === undefined && (bytes === undefined || bytes === '0')) return
    request.response = response
    // To read a part of it would not help the client.
    if (Number(bytes) > MOST_DISCARDED_BYTES) response.setHeader('connection', 'close')
    // From the end of the response on, Node would read the rest without a bound.
    else response.on('prefinish', discardRest)
  })
}

function discardRest(this: ServerResponse): void {
  ;(this.req as BoundedRequest).discardRest()
}
