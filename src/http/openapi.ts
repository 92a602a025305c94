// The OpenAPI 3.1 document, made from the schemas that validate, and the problems each route may answer. Only
// scripts/generate.mjs asks for it; the server serves the file that it writes.
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { type Access, RESOURCES } from '../contract/permissions.ts'
import { PROBLEMS, type ProblemName, problemCode } from '../contract/problems.ts'
import { VERSION } from '../runtime/version.ts'

export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Heliograph',
        version: VERSION,
        description:
          'Puts information from your programs on your devices. Errors are RFC 9457 problems with a stable `code`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'hla_… or hlk_…' } } },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => ({ schema: describe(schema ?? {}, route), url }),
  })
}

const ALWAYS: ProblemName[] = ['rate_limit.exceeded', 'internal_error', 'service.unavailable', 'request.header_invalid']
const WITH_TOKEN: ProblemName[] = ['token.invalid', 'session.foreign_request', 'integration_key.expired']
const WITH_BODY: ProblemName[] = [
  'request.body_required',
  'request.body_invalid',
  'request.too_large',
  'request.media_type_unsupported',
  'request.validation_failed',
]

function describe(schema: FastifySchema, { config }: RouteOptions): FastifySchema {
  const access = config?.access ?? 'public'
  const names = new Set<ProblemName>([...ALWAYS, ...(config?.problems ?? []), ...refusals(access)])
  if (access !== 'public') for (const name of WITH_TOKEN) names.add(name)
  if (config?.slugs) for (const name of ['slug.invalid', 'integration_key.slug_invalid'] as const) names.add(name)
  if (schema.body) for (const name of WITH_BODY) names.add(name)
  if (schema.querystring) names.add('request.validation_failed')
  return {
    ...schema,
    description: [schema.description, inWords(access)].filter(Boolean).join('\n\n'),
    security: access === 'public' ? [] : [{ token: [] }],
    response: { ...successResponses(schema, config?.resourceActionOn), ...problemResponses([...names]) },
  }
}

const RESOURCE_ACTION = {
  'X-Resource-Action': {
    type: 'string',
    enum: ['created', 'updated'],
    description: 'Whether the resource is new. Absent in a dry run.',
  },
}

function successResponses({ response }: FastifySchema, withAction: readonly number[] = []): Record<string, object> {
  const entries = Object.entries((response ?? {}) as Record<string, object>)
  return Object.fromEntries(
    entries.map(([status, body]) => [
      status,
      withAction.includes(Number(status)) ? { ...body, headers: RESOURCE_ACTION } : body,
    ]),
  )
}

function refusals(access: Access): ProblemName[] {
  if (typeof access === 'object') return ['integration_key.permission_denied', 'widget.token_not_permitted']
  if (access === 'user') return ['integration_key.permission_denied', 'widget.token_not_permitted']
  if (access === 'key-manager') return ['integration_key.default_key_required', 'widget.token_not_permitted']
  return access === 'any' ? ['widget.token_not_permitted'] : []
}

function inWords(access: Access): string {
  if (typeof access === 'object') return `Needs \`${access.resource}:${access.level}\` or a full-access token.`
  switch (access) {
    case 'public':
      return 'Needs no token.'
    case 'any':
      return `Takes every full-access token and integration key, whatever its levels (${RESOURCES.join(', ')}).`
    case 'user':
      return 'Needs a full-access token (`hla_…`).'
    case 'key-manager':
      return 'Needs a full-access token (`hla_…`) or the account’s default key.'
  }
}

const PROBLEM_SCHEMA = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string' },
    errors: { type: 'array', items: { type: 'object', additionalProperties: true } },
    retry_after_ms: { type: 'integer' },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
}

function problemResponses(names: ProblemName[]): Record<number, object> {
  const statuses = [...new Set(names.map((name) => PROBLEMS[name].status))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const group = names.filter((name) => PROBLEMS[name].status === status)
      const description = group.map((name) => `\`${problemCode(name)}\`: ${PROBLEMS[name].when}`).join('\n\n')
      return [status, { description, content: { 'application/problem+json': { schema: PROBLEM_SCHEMA } } }]
    }),
  )
}
