// The slug or id in the path of a request.
import type { FastifyContextConfig as Config, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireSlug } from '../../domain/permissions.ts'
import { isSlug } from '../../domain/slug.ts'

const LONGEST_ID = 64

type PathParams = { slug?: string; key_id?: string; share_id?: string; code_id?: string }

export function checkSlug(request: FastifyRequest, caller: Caller, { slugs }: Config): void {
  const { slug, key_id, share_id, code_id } = request.params as PathParams
  const id = key_id ?? share_id ?? code_id
  if (id !== undefined && id.length > LONGEST_ID) throw new Problem('path.too_long', 'The id in the path is too long.')
  if (slug === undefined) return
  if (slugs) requireSlug(caller, slugs, slug)
  if (!isSlug(slug)) {
    throw new Problem(
      'slug.invalid',
      'A slug has letters, digits, hyphens and underscores, begins with a letter or digit, and has at most 128 characters.',
    )
  }
}
