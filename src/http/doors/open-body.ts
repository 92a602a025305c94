// A body whose beginning is read first: it decides what becomes of the rest.
import { Buffer } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { JoinedBytes } from '../../domain/doors/joined-bytes.ts'
import { piecesOf } from '../request-body.ts'

// `bytes`: what Content-Length says. `whole` may be read once.
export type OpenBody = { start: Buffer; bytes?: number; whole(): AsyncIterable<Buffer> | Iterable<Buffer> }

// `start` has at least so many bytes if the body has.
export async function openBody(request: FastifyRequest, startBytes: number): Promise<OpenBody> {
  const pieces = piecesOf(request)
  if (Array.isArray(pieces)) {
    const [start = Buffer.alloc(0)] = pieces
    return { start, bytes: start.length, whole: () => [start] }
  }
  const read = new JoinedBytes()
  while (read.length < startBytes) {
    const { done, value } = await pieces.next()
    if (done) break
    read.add(value)
  }
  const start = read.joined()
  const announced = request.headers['content-length']
  return {
    start,
    bytes: announced === undefined ? undefined : Number(announced),
    whole: () => startAndRest(start, pieces),
  }
}

async function* startAndRest(start: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield start
  yield* rest
}
