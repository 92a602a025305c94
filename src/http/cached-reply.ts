// Answers that a client may keep until they change by themselves, and asks for again with their ETag.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Instant, toRfc3339 } from '../domain/instant.ts'

const AGE_SECONDS = { least: 5, most: 300 }

export type CachedBody = {
  type: string
  body: string | Buffer
  // Of what the body is made of; by default of the body.
  etag?: string
  now: number
  // When it changes although nobody has changed anything.
  validUntil: Instant | undefined
}

// Screens may be anywhere, so the answer is kept from search engines, from pages of others, and from logs of other servers.
const PRIVACY = {
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

export function sendCached(request: FastifyRequest, reply: FastifyReply, cached: CachedBody): FastifyReply {
  const { body, etag = etagOf(body), validUntil, now } = cached
  reply.headers({
    ...PRIVACY,
    etag,
    'cache-control': `private, max-age=${maxAgeSeconds(validUntil, now)}, stale-if-error=86400`,
    ...(validUntil !== undefined && { 'x-valid-until': toRfc3339(validUntil) }),
  })
  if (isKnown(request, etag)) return reply.code(304).send()
  return reply.type(cached.type).send(body)
}

// Strong: equal bytes on all nodes and after a restart.
export const etagOf = (...parts: (string | Buffer)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return `"${hash.digest('base64url').slice(0, 22)}"`
}

function maxAgeSeconds(validUntil: Instant | undefined, now: number): number {
  if (validUntil === undefined) return AGE_SECONDS.most
  return Math.min(Math.max(Math.ceil((validUntil - now) / 1000), AGE_SECONDS.least), AGE_SECONDS.most)
}

// RFC 9110: a list of tags, weak ones equal to strong ones, or * for any.
function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
