// Aborts when the client closes its connection before it has its answer.
import type { FastifyReply } from 'fastify'

export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.on('close', () => gone.abort())
  return gone.signal
}
