// What an organization owns is reached by its owners and admins under /orgs/{org_id}. These routes are the account's own
// routes, registered a second time: the request checks make the caller one of the organization's account
// (checks/organization.ts), and handlers and operations are the same.
import type { FastifyContextConfig, FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { type TObject, Type } from 'typebox'
import { KeyList } from '../contract/keys.ts'
import { OrgParams } from '../contract/organizations/organization.ts'
import { Problem, type ProblemName } from '../contract/problems.ts'

const PREFIX = '/orgs/:org_id'

// Every other path under the prefix does not exist.
const REPEATED = new Set([
  'GET /integrations/keys',
  'POST /integrations/keys',
  'PATCH /integrations/keys/:key_id',
  'DELETE /integrations/keys/:key_id',
  'POST /integrations/keys/:key_id/roll',
  'GET /integrations/keys/:key_id/aliases',
  'POST /integrations/keys/:key_id/aliases',
  'DELETE /integrations/keys/:key_id/aliases/:alias_id',
  'GET /integrations/hooks',
  'POST /integrations/hooks',
  'GET /integrations/hooks/:hook_id',
  'PATCH /integrations/hooks/:hook_id',
  'DELETE /integrations/hooks/:hook_id',
  'POST /integrations/hooks/:hook_id/roll',
  'GET /integrations/hooks/:hook_id/requests',
  'POST /integrations/hooks/:hook_id/requests/:number/replay',
  'POST /integrations/hooks/:hook_id/preview',
  'GET /notifications',
  'POST /notifications',
  'GET /notifications/:id',
  'DELETE /notifications',
  'DELETE /notifications/:id',
  'GET /notifications/:id/timeline',
  'GET /notifications/answers/:id',
  'GET /notifications/receipts',
  'GET /notifications/receipts/:id',
  'POST /notifications/receipts/:id/cancel',
  'POST /notifications/receipts/cancel',
  'GET /notifications/scheduled',
  'POST /notifications/scheduled',
  'GET /notifications/scheduled/:id',
  'PATCH /notifications/scheduled/:id',
  'DELETE /notifications/scheduled/:id',
  'POST /notifications/scheduled/:id/send',
  'GET /heartbeats',
  'POST /heartbeats',
  'GET /heartbeats/:slug',
  'PATCH /heartbeats/:slug',
  'DELETE /heartbeats/:slug',
  'POST /heartbeats/:slug/pause',
  'POST /heartbeats/:slug/resume',
  'POST /heartbeats/:slug/roll',
  'POST /heartbeats/ping-key/roll',
  'GET /heartbeats/:slug/pings',
  'GET /escalations',
  'POST /escalations',
  'GET /escalations/:slug',
  'PATCH /escalations/:slug',
  'DELETE /escalations/:slug',
  'GET /activities',
  'POST /activities',
  'GET /activities/:slug',
  'PATCH /activities/:slug',
  'DELETE /activities/:slug',
  'GET /events',
])

export function repeatForOrganizations(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (REPEATED.has(`${route.method} ${route.url}`)) app.route(asOrganization(route))
  })
  // An organization has no unread count. Without this route, it would be taken for the id of a notification.
  app.get(
    `${PREFIX}/notifications/unread-count`,
    { schema: { hide: true }, config: { access: 'public' } },
    async (request) => {
      throw new Problem('route.not_found', `There is nothing at ${request.method} ${request.routeOptions.url}.`)
    },
  )
}

// `path`, `routePath` and `prefix` are what Fastify has made of the URL.
function asOrganization({ path: _, routePath: __, prefix: ___, ...route }: RouteOptions & RouteOrigin): RouteOptions {
  return {
    ...route,
    url: PREFIX + route.url.replace(/^\/integrations/, ''),
    schema: schemaFor(route),
    config: { ...configFor(route), access: 'user', orgRole: 'admin', actsAsOrganization: true },
  }
}

// Problems that only keys meet, which are refused here anyway.
const OF_KEYS: readonly ProblemName[] = [
  'integration_key.slug_invalid',
  'integration_key.default_target',
  'integration_key.grant_exceeded',
  'integration_key.target_denied',
  'activity.upsert_forbidden',
]

function configFor({ url, config: { slugs, problems = [], ...config } = {} }: RouteOptions): FastifyContextConfig {
  const met = problems.filter((name) => !OF_KEYS.includes(name))
  return { ...config, problems: url.includes(':slug') ? [...met, 'slug.invalid'] : met }
}

type RouteOrigin = { path?: string; routePath?: string; prefix?: string }

function schemaFor({ schema = {}, url, method }: RouteOptions): FastifySchema {
  const params = schema.params as TObject | undefined
  return {
    ...schema,
    tags: ['Acting as an organization'],
    operationId: `${schema.operationId}AsOrganization`,
    params: Type.Object({ ...OrgParams.properties, ...params?.properties }),
    ...(`${method} ${url}` === 'GET /integrations/keys' && { description: undefined, response: { 200: KeyList } }),
  }
}
