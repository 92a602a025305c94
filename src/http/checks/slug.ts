// The ids and the slug in the path of a request.
import type { FastifyContextConfig as Config, FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireSlug } from '../../domain/permissions.ts'
import { isSlug } from '../../domain/slug.ts'

// Ids that the server generates.
const IDS = new Set([
  'key_id',
  'alias_id',
  'org_id',
  'user_id',
  'group_id',
  'tag_id',
  'invitation_id',
  'share_id',
  'code_id',
  'session_id',
  'mute_id',
])

export function checkIds(request: FastifyRequest): void {
  const params = request.params as Record<string, string>
  const tooLong = Object.keys(params).find((name) => IDS.has(name) && isTooLong(params[name]))
  if (tooLong) throw new Problem('path.too_long', `The ${tooLong} in the path is too long.`)
}

const isTooLong = (id = '') => id.length > LIMITS.path.maxIdChars

export function checkSlug(request: FastifyRequest, caller: Caller, { slugs }: Config): void {
  const { slug } = request.params as { slug?: string }
  if (slug === undefined) return
  if (slugs) requireSlug(caller, slugs, slug)
  if (!isSlug(slug)) {
    throw new Problem(
      'slug.invalid',
      'A slug has letters, digits, hyphens and underscores, begins with a letter or digit, and has at most 128 characters.',
    )
  }
}
