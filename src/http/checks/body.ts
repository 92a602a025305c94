// Checks of a parsed body that come before its validation.
import type { FastifyContextConfig as Config, FastifyRequest, preValidationHookHandler } from 'fastify'
import { Problem } from '../../contract/problems.ts'
import { requireSlug } from '../../domain/permissions.ts'
import { callerOf } from './token.ts'

// Takes a callback and returns no promise, which would cost every request a turn of the microtask queue.
export function checkBody({ isBodyOptional, slugs }: Config): preValidationHookHandler {
  return (request, _reply, done) => {
    if (isBodyOptional && request.body === undefined) request.body = {}
    requireBody(request)
    // The slug of a POST is in its body. It is checked before the rest of the body.
    const slug = slugs && request.method === 'POST' ? slugIn(request.body) : undefined
    if (slugs && typeof slug === 'string') requireSlug(callerOf(request), slugs, slug)
    done()
  }
}

const slugIn = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'slug' in body ? body.slug : undefined

function requireBody({ method, body }: FastifyRequest): void {
  if (body === undefined) throw new Problem('request.body_required', 'This needs a JSON body.')
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  if (method === 'PATCH' && isEmpty) throw new Problem('request.body_required', 'Send at least one member to change.')
}
