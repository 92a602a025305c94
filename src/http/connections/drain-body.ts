// Responds to a request whose body is too large. Many clients send the whole body before they read the response, and a
// connection that is closed earlier is reset before they see it. So the body is read and discarded first, up to a
// bound.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MOST_DISCARDED_BYTES } from './bounded-request.ts'

const DRAINED_MS = 2000

export function sendAndDrain({ raw: request }: FastifyRequest, reply: FastifyReply, payload: string): FastifyReply {
  reply.hijack()
  const answer = reply.raw
  const length = { 'content-length': Buffer.byteLength(payload), connection: 'close' }
  answer.writeHead(reply.statusCode, { ...(reply.getHeaders() as Record<string, string>), ...length })
  // If the client announces more than that bound, reading a part of it does not help.
  if (Number(request.headers['content-length'] ?? 0) > MOST_DISCARDED_BYTES) {
    answer.end(payload)
    return reply
  }
  answer.write(payload)

  let drainedBytes = 0
  const end = () => {
    clearTimeout(timer)
    answer.end()
  }
  const timer = setTimeout(end, DRAINED_MS)
  request.on('data', (chunk: Buffer) => {
    drainedBytes += chunk.length
    if (drainedBytes > MOST_DISCARDED_BYTES) end()
  })
  request.once('end', end).once('close', end)
  // The body comes from a decompressor, which accepts no more input.
  request.unpipe()
  request.resume()
  return reply
}
