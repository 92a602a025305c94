// Answers that a client may keep until they change by themselves, and asks for again with their ETag.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Instant, toRfc3339 } from '../domain/instant.ts'

const AGE_SECONDS = { least: 5, most: 300 }

export type CachedBody = {
  type: string
  // Of what the body is made of.
  etag: string
  now: number
  // When it changes although nobody has changed anything.
  validUntil: Instant | undefined
  // Kept, but never shown without asking.
  isAskedAlways?: boolean
  // Not called if the client has it. Its `etag` differs if the body is a substitute until the right one can be made.
  read: () => Promise<{ body: string | Buffer; etag: string }>
}

// Screens may be anywhere, so the answer is kept from search engines, from pages of others, and from logs of other servers.
const PRIVACY = {
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}

export async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedBody,
): Promise<FastifyReply> {
  const { validUntil, now, type, isAskedAlways } = cached
  const { body, etag } = isKnown(request, cached.etag) ? { etag: cached.etag } : await cached.read()
  const isSubstitute = etag !== cached.etag
  const maxAge = isSubstitute ? AGE_SECONDS.least : maxAgeSeconds(validUntil, now)
  // After the body: a problem must not be kept.
  reply.headers({
    ...PRIVACY,
    // Only a screen link is meant for pages of others.
    'cross-origin-resource-policy': request.caller?.kind === 'screen-link' ? 'cross-origin' : 'same-origin',
    etag,
    'cache-control': isAskedAlways ? 'no-cache' : `private, max-age=${maxAge}, stale-if-error=86400`,
    ...(validUntil !== undefined && !isSubstitute && { 'x-valid-until': toRfc3339(validUntil) }),
  })
  if (body === undefined || isKnown(request, etag)) return reply.code(304).send()
  return reply.type(type).send(body)
}

// Strong: equal bytes on all nodes and after a restart.
export const etagOf = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

function maxAgeSeconds(validUntil: Instant | undefined, now: number): number {
  if (validUntil === undefined) return AGE_SECONDS.most
  return Math.min(Math.max(Math.ceil((validUntil - now) / 1000), AGE_SECONDS.least), AGE_SECONDS.most)
}

// RFC 9110: a list of tags, weak ones equal to strong ones, or * for any.
function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
