// The Idempotency-Key header of a request, and the answer that was given to it before.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { validationProblem } from '../contract/validation.ts'
import { idempotencyKey } from '../operations/idempotency.ts'
import { callerOf } from './request-checks.ts'

export const IdempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        '1 to 255 printable ASCII characters. Requests with the same key and body are carried out once within 24 hours.',
    }),
  ),
})

export function idempotencyKeyOf(request: FastifyRequest) {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) {
    return idempotencyKey(callerOf(request), `POST ${request.routeOptions.url}`, key, request.body)
  }
  throw validationProblem([
    { location: 'header.idempotency-key', message: 'must have 1 to 255 printable ASCII characters' },
  ])
}

// Word for word, as it was serialized the first time.
export function sendStored(reply: FastifyReply, answer: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(answer)
}
