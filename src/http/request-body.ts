// Reads bodies of requests, for every route: into one buffer, of at most as many bytes as the route allows. How many chunks
// they come in is bounded before (connections/bounded-request.ts).
import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/problems.ts'
import { JoinedBytes } from '../domain/doors/joined-bytes.ts'

type Done = (error: Error | null, body?: unknown) => void

// Gives every body of these media types to `parse`. Fastify's own parsers would keep each chunk as an object. A body is not
// read, and so ignored, if the route takes none; it is left to a handler that reads it itself.
export function parseBodies(
  scope: FastifyInstance,
  types: string[],
  parse: (request: FastifyRequest, body: Buffer) => unknown,
): void {
  scope.addContentTypeParser(types, (request: FastifyRequest, payload: Readable, done: Done) => {
    const { config, schema } = request.routeOptions
    if (config.readsOwnBody) return done(null, payload)
    if (!schema?.body) return done(null)
    takeBody(request, payload, (error, body) => {
      if (!body) return done(error)
      try {
        const parsed = parse(request, body)
        if (parsed instanceof Promise) parsed.then((value) => done(null, value), done)
        else done(null, parsed)
      } catch (refusal) {
        done(refusal as Error)
      }
    })
  })
}

// The same for bodies that are too large for memory: `parse` reads them in pieces.
export function parsePieces(
  scope: FastifyInstance,
  type: string,
  parse: (request: FastifyRequest, pieces: AsyncIterable<Buffer>) => Promise<unknown>,
): void {
  scope.addContentTypeParser(type, (request: FastifyRequest, payload: Readable, done: Done) => {
    const { config, schema } = request.routeOptions
    if (config.readsOwnBody) return done(null, payload)
    if (!schema?.body) return done(null)
    parse(request, piecesIn(payload)).then((value) => done(null, value), done)
  })
}

// An asynchronous iterator over a stream takes some 4 µs of a small request (decision 47).
const SMALL_BODY_BYTES = 16 * 1024

// Leaves larger bodies to the handlers of this scope, which read them after they have found the caller.
export function leaveLargeBodies(scope: FastifyInstance, types: string[]): void {
  scope.addContentTypeParser(types, (request: FastifyRequest, payload: Readable, done: Done) => {
    const bytes = request.headers['content-length']
    if (bytes !== undefined && Number(bytes) <= SMALL_BODY_BYTES) takeBody(request, payload, done)
    else done(null, payload)
  })
}

// The body of a request whose scope leaves large ones; empty if it has none.
export function bodyOf(request: FastifyRequest): Buffer | Promise<Buffer> {
  const { body } = request
  if (Buffer.isBuffer(body)) return body
  return body instanceof Readable ? readBody(request, body) : Buffer.alloc(0)
}

// The pieces of such a body, for what is too large for memory. The response to a request whose body is not read to its end
// still needs the connection.
export function piecesOf({ body }: FastifyRequest): AsyncIterableIterator<Buffer> | Buffer[] {
  if (body instanceof Readable) return piecesIn(body)
  return Buffer.isBuffer(body) ? [body] : []
}

const piecesIn = (payload: Readable): AsyncIterableIterator<Buffer> => payload.iterator({ destroyOnReturn: false })

// `payload`: request.raw for a request whose body Fastify gives to no parser, such as GET.
export const readBody = (request: FastifyRequest, payload: Readable): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    takeBody(request, payload, (error, body) => (body ? resolve(body) : reject(error)))
  })

function takeBody(
  request: FastifyRequest,
  payload: Readable,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const { bodyLimit } = request.routeOptions
  const tooLarge = () => new Problem('request.too_large', `The body must have at most ${bodyLimit} bytes.`)
  if (Number(request.headers['content-length']) > bodyLimit) {
    done(tooLarge())
    return
  }
  // The client disconnected while the handler looked for the caller; the stream has told everyone who listened then.
  if (payload.destroyed) {
    done(payload.errored ?? new Error('the body was destroyed'))
    return
  }
  const bytes = new JoinedBytes()
  const add = (piece: Buffer) => {
    bytes.add(piece)
    if (bytes.length > bodyLimit) end(tooLarge())
  }
  let isOver = false
  const end = (error?: Error | null) => {
    if (isOver) return
    isOver = true
    payload.off('data', add).off('end', end).off('error', end)
    if (error) done(error)
    else done(null, bytes.joined())
  }
  payload.on('data', add).on('end', end).on('error', end)
  if (payload !== request.raw) boundCompressed(request, payload, bodyLimit, () => end(tooLarge()))
}

// A compressed body may become nothing, of which the bound on the result takes no notice.
function boundCompressed({ raw }: FastifyRequest, decompressed: Readable, mostBytes: number, refuse: () => void): void {
  let arrived = 0
  raw.on('data', (piece: Buffer) => {
    arrived += piece.length
    if (arrived > mostBytes) refuse()
  })
  // It was paused when it was made.
  decompressed.resume()
}
