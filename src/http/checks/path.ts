// The ids, the organization and the slug in the path of a request, checked before its body is read.
import type { FastifyContextConfig as Config, FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import { isSlug } from '../../domain/ids.ts'
import { requireSlug } from '../../domain/permissions.ts'
import type { Context } from '../../operations/context.ts'
import { actAsOrganization, checkMembership } from '../../operations/membership.ts'

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
  'passkey_id',
  'link_id',
  'mute_id',
  'request_id',
  'hook_id',
  'screen_id',
])

export function checkIds(request: FastifyRequest): void {
  const params = request.params as Record<string, string>
  const tooLong = Object.keys(params).find((name) => IDS.has(name) && isTooLong(params[name]))
  if (tooLong) throw new Problem('path.too_long', `The ${tooLong} in the path is too long.`)
  for (const name of Object.keys(params).filter(isServerId)) params[name] = withoutNul(params[name] ?? '')
}

// A device chooses its own id, which its schema checks.
const isServerId = (name: string) => name.endsWith('_id') && name !== 'device_id'

// PostgreSQL fails on U+0000. No id has it or its replacement, so the route answers as for any unknown id.
const withoutNul = (id: string) => id.replaceAll('\0', '\uFFFD')

const isTooLong = (id = '') => id.length > LIMITS.path.maxIdChars

// Membership and role of the caller. Returns the caller that the operation sees.
export async function checkOrganization(
  ctx: Context,
  request: FastifyRequest,
  caller: Caller,
  { orgRole, actsAsOrganization }: Config,
): Promise<Caller> {
  if (orgRole === undefined) return caller
  const { org_id: orgId } = request.params as { org_id: string }
  if (actsAsOrganization) return actAsOrganization(ctx, caller, orgId)
  await checkMembership(ctx, caller, orgId, orgRole)
  return caller
}

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
