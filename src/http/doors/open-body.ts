// A body whose beginning is read first: it decides what becomes of the rest.
import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { bodyOf } from './door.ts'

// `bytes`: what Content-Length says. `whole` may be read once.
export type OpenBody = { start: Buffer; bytes?: number; whole(): AsyncIterable<Buffer> | Iterable<Buffer> }

// `start` has at least so many bytes if the body has.
export async function openBody(request: FastifyRequest, startBytes: number): Promise<OpenBody> {
  const { body, headers } = request
  if (!(body instanceof Readable)) {
    const start = bodyOf(request)
    return { start, bytes: start.length, whole: () => [start] }
  }
  // The response to a request whose body is not read to its end still needs the connection.
  const pieces = body.iterator({ destroyOnReturn: false })
  const read: Buffer[] = []
  let bytes = 0
  while (bytes < startBytes) {
    const { done, value } = await pieces.next()
    if (done) break
    read.push(value)
    bytes += value.length
  }
  const announced = headers['content-length']
  return {
    start: Buffer.concat(read),
    bytes: announced === undefined ? undefined : Number(announced),
    whole: () => rest(read, pieces),
  }
}

async function* rest(read: Buffer[], pieces: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  yield* read
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) yield piece.value
}
