// The Idempotency-Key header: read from a request, and the response to one that has it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { validationProblem } from '../contract/validation.ts'
import type { Idempotent, IdempotentRequest } from '../operations/idempotency.ts'

export function idempotentRequest({ headers, routeOptions, body }: FastifyRequest): IdempotentRequest | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) {
    return { key, route: `POST ${routeOptions.url}`, body }
  }
  throw validationProblem([
    { location: 'header.idempotency-key', message: 'must have 1 to 255 printable ASCII characters' },
  ])
}

// A stored body is sent byte for byte, as the first request serialized it.
export function replyCreated<Result>(
  reply: FastifyReply,
  created: Idempotent<Result>,
  view: (result: Result) => object,
): FastifyReply {
  reply.code(201)
  if (created.isReplay) reply.header('idempotent-replayed', 'true')
  if ('result' in created) return reply.send(view(created.result))
  return reply.type('application/json; charset=utf-8').send(created.storedBody)
}
