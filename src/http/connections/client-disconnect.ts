// Returns a signal that is aborted when the client disconnects before it has its response.
import type { FastifyReply } from 'fastify'

export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.on('close', () => gone.abort())
  return gone.signal
}
