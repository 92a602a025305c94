// The problems that each route may answer with: its own, and those that follow from its token, body and parameters.
import type { Access } from '../../contract/permissions.ts'
import type { ProblemName } from '../../contract/problems.ts'
import type { Route } from '../route.ts'

const ALWAYS = ['request.header_invalid', 'rate_limit.exceeded', 'internal_error', 'service.unavailable'] as const
const WITH_TOKEN = [
  'token.invalid',
  'integration_key.expired',
  'session.foreign_request',
  'screen.not_permitted',
] as const
const WITH_SLUGS = ['slug.invalid', 'integration_key.slug_invalid'] as const
const WITH_ORGANIZATION = ['org.not_found', 'org.role_denied', 'path.too_long'] as const
const WITH_IDEMPOTENCY_KEY = ['idempotency.key_reused', 'idempotency.in_progress'] as const
const WITH_BODY = [
  'request.body_required',
  'request.body_invalid',
  'request.too_large',
  'request.media_type_unsupported',
  'request.validation_failed',
] as const

export function problemsOf({
  access,
  slugs,
  orgRole,
  body,
  readsOwnBody,
  query,
  isIdempotent,
  problems = [],
}: Route): ProblemName[] {
  return [
    ...new Set<ProblemName>([
      ...ALWAYS,
      ...(access === 'public' ? [] : [...WITH_TOKEN, ...refusedTokens(access)]),
      ...(slugs ? WITH_SLUGS : []),
      ...(orgRole ? WITH_ORGANIZATION : []),
      ...(body ? WITH_BODY : []),
      // By its Content-Encoding.
      ...(readsOwnBody ? (['request.media_type_unsupported'] as const) : []),
      ...(query ? (['request.validation_failed'] as const) : []),
      ...problems,
      ...(isIdempotent ? WITH_IDEMPOTENCY_KEY : []),
    ]),
  ]
}

function refusedTokens(access: Exclude<Access, 'public'>): ProblemName[] {
  switch (access) {
    case 'any':
      return ['widget.token_not_permitted', 'device.app_not_permitted']
    case 'key-manager':
      return ['integration_key.default_key_required', 'widget.token_not_permitted', 'device.app_not_permitted']
    default:
      return ['integration_key.permission_denied', 'widget.token_not_permitted', 'device.app_not_permitted']
  }
}
