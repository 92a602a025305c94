// What an organization owns is reached by its owners and admins under /orgs/{org_id}. These routes are the account's own
// routes, registered a second time: the request checks make the caller one of the organization's account
// (checks/path.ts), and handlers and operations are the same.
import { Type } from 'typebox'
import { OrgParams } from '../contract/organizations/organization.ts'
import { Problem, type ProblemName } from '../contract/problems.ts'
import type { HttpServer } from './fastify-types.ts'
import type { Route } from './route.ts'

const PREFIX = '/orgs/:org_id'

// Problems that only keys meet, which are refused here anyway.
const OF_KEYS: readonly ProblemName[] = [
  'integration_key.slug_invalid',
  'integration_key.default_target',
  'integration_key.grant_exceeded',
  'integration_key.target_denied',
  'activity.upsert_forbidden',
]

export function asOrganization({ slugs: _, organization, ...route }: Route): Route {
  const { url, params, problems = [] } = route
  const met = problems.filter((name) => !OF_KEYS.includes(name))
  return {
    ...route,
    ...(typeof organization === 'object' && organization),
    id: `${route.id}AsOrganization`,
    tag: 'Acting as an organization',
    url: PREFIX + url.replace(/^\/integrations/, ''),
    params: Type.Object({ ...OrgParams.properties, ...params?.properties }),
    access: 'user',
    orgRole: 'admin',
    actsAsOrganization: true,
    problems: url.includes(':slug') ? [...met, 'slug.invalid'] : met,
  }
}

// An organization has no unread count. Without this route, it would be taken for the id of a notification.
export function refuseUnreadCount(app: HttpServer): void {
  app.get(`${PREFIX}/notifications/unread-count`, { config: { access: 'public' } }, async (request) => {
    throw new Problem('route.not_found', `There is nothing at ${request.method} ${request.routeOptions.url}.`)
  })
}
