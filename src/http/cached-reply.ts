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
  // Not called if the client has it.
  read: () => Promise<string | Buffer>
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
  const { etag, validUntil, now, type, isAskedAlways } = cached
  const isKnownToClient = isKnown(request, etag)
  const body = isKnownToClient ? undefined : await cached.read()
  // After the body: a problem must not be kept.
  reply.headers({
    ...PRIVACY,
    // Only a screen link is meant for pages of others.
    'cross-origin-resource-policy': request.caller?.kind === 'screen-link' ? 'cross-origin' : 'same-origin',
    etag,
    'cache-control': isAskedAlways
      ? 'no-cache'
      : `private, max-age=${maxAgeSeconds(validUntil, now)}, stale-if-error=86400`,
    ...(validUntil !== undefined && { 'x-valid-until': toRfc3339(validUntil) }),
  })
  return isKnownToClient ? reply.code(304).send() : reply.type(type).send(body)
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
