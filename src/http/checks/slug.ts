// The slug or key id in the path of a request.
import type { FastifyContextConfig as Config, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireSlug } from '../../domain/permissions.ts'
import { isSlug } from '../../domain/slug.ts'

const LONGEST_KEY_ID = 64

export function checkSlug(request: FastifyRequest, caller: Caller, { slugs }: Config): void {
  const { slug, key_id: keyId } = request.params as { slug?: string; key_id?: string }
  if (keyId !== undefined && keyId.length > LONGEST_KEY_ID) {
    throw new Problem('path.too_long', 'The key id in the path is too long.')
  }
  if (slug === undefined) return
  if (slugs) requireSlug(caller, slugs, slug)
  if (!isSlug(slug)) {
    throw new Problem(
      'slug.invalid',
      'A slug has letters, digits, hyphens and underscores, begins with a letter or digit, and has at most 128 characters.',
    )
  }
}
