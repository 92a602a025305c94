// A body whose beginning is read first: it decides what becomes of the rest.
import type { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { JoinedBytes } from '../../domain/doors/joined-bytes.ts'
import { bodyOf } from '../request-body.ts'

// `bytes`: what Content-Length says. `whole` may be read once.
export type OpenBody = { start: Buffer; bytes?: number; whole(): AsyncIterable<Buffer> | Iterable<Buffer> }

// `start` has at least so many bytes if the body has.
export async function openBody(request: FastifyRequest, startBytes: number): Promise<OpenBody> {
  const { body, headers } = request
  if (!(body instanceof Readable)) {
    const start = await bodyOf(request)
    return { start, bytes: start.length, whole: () => [start] }
  }
  // The response to a request whose body is not read to its end still needs the connection.
  const pieces = body.iterator({ destroyOnReturn: false })
  const read = new JoinedBytes()
  while (read.length < startBytes) {
    const { done, value } = await pieces.next()
    if (done) break
    read.add(value)
  }
  const start = read.joined()
  const announced = headers['content-length']
  return {
    start,
    bytes: announced === undefined ? undefined : Number(announced),
    whole: () => startAndRest(start, pieces),
  }
}

async function* startAndRest(start: Buffer, pieces: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  yield start
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) yield piece.value
}
