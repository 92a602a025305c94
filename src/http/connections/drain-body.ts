// Answers a request whose body is too large to be read. Many clients send all of it before they look at the answer; a
// connection that is closed earlier resets, and they never see the answer. So the body is read and thrown away first, up
// to a bound.
import type { FastifyReply, FastifyRequest } from 'fastify'

const DRAINED_BYTES = 16 * 1024 * 1024
const DRAINED_MS = 2000

export function sendAndDrain({ raw: request }: FastifyRequest, reply: FastifyReply, payload: string): FastifyReply {
  reply.hijack()
  const answer = reply.raw
  const length = { 'content-length': Buffer.byteLength(payload), connection: 'close' }
  answer.writeHead(reply.statusCode, { ...(reply.getHeaders() as Record<string, string>), ...length })
  // A client that announces more than we would read is not helped by our reading some of it.
  if (Number(request.headers['content-length'] ?? 0) > DRAINED_BYTES) {
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
    if (drainedBytes > DRAINED_BYTES) end()
  })
  request.once('end', end).once('close', end)
  // From a decompressor, which takes no more of it.
  request.unpipe()
  request.resume()
  return reply
}
