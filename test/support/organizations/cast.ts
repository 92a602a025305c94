// The routes of organizations against the roles in one, and an organization with one resource of each kind.
import type { TestApp, TestUser } from '../app.ts'
import { ACTIVITY, COUNTDOWN, ESCALATION, HEARTBEAT, NOTIFICATION, SCHEDULE } from '../cast.ts'
import { createOrganization } from './organization.ts'

// Cells as in permissions.test.ts; `role` is role_denied. Every integration key is refused (`level`), and so is a token of the
// widget extension (`widget`).
const TABLE = `
                                                     owner admin member stranger
POST   /orgs                                         201   201   201    201
GET    /orgs                                         200   200   200    200
POST   /orgs/join                                    200   200   200    201
GET    /orgs/{org_id}                                200   200   200    unknown
PATCH  /orgs/{org_id}                                200   200   role   unknown
DELETE /orgs/{org_id}                                204   role  role   unknown
GET    /orgs/{org_id}/members                        200   200   200    unknown
GET    /orgs/{org_id}/members/{user_id}              200   200   200    unknown
PATCH  /orgs/{org_id}/members/{user_id}              200   role  role   unknown
DELETE /orgs/{org_id}/members/{user_id}              204   204   role   unknown
GET    /orgs/{org_id}/groups                         200   200   200    unknown
POST   /orgs/{org_id}/groups                         201   201   role   unknown
GET    /orgs/{org_id}/groups/{group_id}              200   200   200    unknown
PATCH  /orgs/{org_id}/groups/{group_id}              200   200   role   unknown
DELETE /orgs/{org_id}/groups/{group_id}              204   204   role   unknown
PUT    /orgs/{org_id}/groups/{group_id}/members      200   200   role   unknown
PUT    /orgs/{org_id}/groups/{group_id}/members/{user_id}    204 204 role unknown
DELETE /orgs/{org_id}/groups/{group_id}/members/{user_id}    204 204 role unknown
GET    /orgs/{org_id}/tags                           200   200   200    unknown
POST   /orgs/{org_id}/tags                           201   201   role   unknown
DELETE /orgs/{org_id}/tags/{tag_id}                  204   204   role   unknown
GET    /orgs/{org_id}/invitations                    200   200   role   unknown
POST   /orgs/{org_id}/invitations                    201   201   role   unknown
DELETE /orgs/{org_id}/invitations/{invitation_id}    204   204   role   unknown
GET    /orgs/{org_id}/keys                           200   200   role   unknown
POST   /orgs/{org_id}/keys                           201   201   role   unknown
PATCH  /orgs/{org_id}/keys/{key_id}                  200   200   role   unknown
DELETE /orgs/{org_id}/keys/{key_id}                  204   204   role   unknown
POST   /orgs/{org_id}/keys/{key_id}/roll             200   200   role   unknown
GET    /orgs/{org_id}/keys/{key_id}/aliases          200   200   role   unknown
POST   /orgs/{org_id}/keys/{key_id}/aliases          201   201   role   unknown
DELETE /orgs/{org_id}/keys/{key_id}/aliases/{alias_id} 204 204   role   unknown
GET    /orgs/{org_id}/hooks                          200   200   role   unknown
POST   /orgs/{org_id}/hooks                          201   201   role   unknown
GET    /orgs/{org_id}/hooks/{hook_id}                200   200   role   unknown
PATCH  /orgs/{org_id}/hooks/{hook_id}                200   200   role   unknown
DELETE /orgs/{org_id}/hooks/{hook_id}                204   204   role   unknown
POST   /orgs/{org_id}/hooks/{hook_id}/roll           200   200   role   unknown
GET    /orgs/{org_id}/hooks/{hook_id}/requests       200   200   role   unknown
POST   /orgs/{org_id}/hooks/{hook_id}/requests/{number}/replay 200 200 role unknown
POST   /orgs/{org_id}/hooks/{hook_id}/preview        200   200   role   unknown
GET    /orgs/{org_id}/notifications                  200   200   role   unknown
POST   /orgs/{org_id}/notifications                  201   201   role   unknown
GET    /orgs/{org_id}/notifications/{id}             200   200   role   unknown
DELETE /orgs/{org_id}/notifications                  200   200   role   unknown
DELETE /orgs/{org_id}/notifications/{id}             204   204   role   unknown
GET    /orgs/{org_id}/notifications/{id}/timeline    200   200   role   unknown
GET    /orgs/{org_id}/notifications/answers/{id}     200   200   role   unknown
GET    /orgs/{org_id}/notifications/receipts         200   200   role   unknown
GET    /orgs/{org_id}/notifications/receipts/{id}    200   200   role   unknown
POST   /orgs/{org_id}/notifications/receipts/{id}/cancel     200 200 role unknown
POST   /orgs/{org_id}/notifications/receipts/cancel  200   200   role   unknown
GET    /orgs/{org_id}/notifications/scheduled        200   200   role   unknown
POST   /orgs/{org_id}/notifications/scheduled        201   201   role   unknown
GET    /orgs/{org_id}/notifications/scheduled/{id}   200   200   role   unknown
PATCH  /orgs/{org_id}/notifications/scheduled/{id}   200   200   role   unknown
POST   /orgs/{org_id}/notifications/scheduled/{id}/send 200 200  role   unknown
DELETE /orgs/{org_id}/notifications/scheduled/{id}   204   204   role   unknown
GET    /orgs/{org_id}/heartbeats                     200   200   role   unknown
POST   /orgs/{org_id}/heartbeats                     201   201   role   unknown
GET    /orgs/{org_id}/heartbeats/{slug}              200   200   role   unknown
PATCH  /orgs/{org_id}/heartbeats/{slug}              200   200   role   unknown
DELETE /orgs/{org_id}/heartbeats/{slug}              204   204   role   unknown
POST   /orgs/{org_id}/heartbeats/{slug}/pause        200   200   role   unknown
POST   /orgs/{org_id}/heartbeats/{slug}/resume       200   200   role   unknown
POST   /orgs/{org_id}/heartbeats/{slug}/roll         200   200   role   unknown
POST   /orgs/{org_id}/heartbeats/ping-key/roll       200   200   role   unknown
GET    /orgs/{org_id}/heartbeats/{slug}/pings        200   200   role   unknown
GET    /orgs/{org_id}/escalations                    200   200   role   unknown
POST   /orgs/{org_id}/escalations                    201   201   role   unknown
GET    /orgs/{org_id}/escalations/{slug}             200   200   role   unknown
PATCH  /orgs/{org_id}/escalations/{slug}             200   200   role   unknown
DELETE /orgs/{org_id}/escalations/{slug}             204   204   role   unknown
GET    /orgs/{org_id}/activities                     200   200   role   unknown
POST   /orgs/{org_id}/activities                     201   201   role   unknown
GET    /orgs/{org_id}/activities/{slug}              200   200   role   unknown
PATCH  /orgs/{org_id}/activities/{slug}              200   200   role   unknown
DELETE /orgs/{org_id}/activities/{slug}              204   204   role   unknown
GET    /orgs/{org_id}/events                         200   200   role   unknown
`

export type OrgRole = 'owner' | 'admin' | 'member' | 'stranger'
export type OrgRow = { route: string; cells: Record<OrgRole, string> }

export const ORG_ROWS = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line): OrgRow => {
    const [method, path, owner = '', admin = '', member = '', stranger = ''] = line.split(/\s+/)
    return { route: `${method} ${path}`, cells: { owner, admin, member, stranger } }
  })

export const ORG_BODIES: Record<string, unknown> = {
  'POST /orgs': { name: 'O' },
  'POST /orgs/join': { code: '{code}' },
  'PATCH /orgs/{org_id}': { name: 'O2' },
  'PATCH /orgs/{org_id}/members/{user_id}': { role: 'admin' },
  'POST /orgs/{org_id}/groups': { name: 'new' },
  'PATCH /orgs/{org_id}/groups/{group_id}': { name: 'renamed' },
  'PUT /orgs/{org_id}/groups/{group_id}/members': { user_ids: [] },
  'POST /orgs/{org_id}/tags': { name: 'new' },
  'POST /orgs/{org_id}/keys': { name: 'K', permissions: {} },
  'PATCH /orgs/{org_id}/keys/{key_id}': { name: 'K2' },
  'POST /orgs/{org_id}/keys/{key_id}/aliases': { door: 'ntfy' },
  'POST /orgs/{org_id}/hooks': { name: 'H', kind: 'auto', key_id: '{key_id}' },
  'PATCH /orgs/{org_id}/hooks/{hook_id}': { name: 'H2' },
  'POST /orgs/{org_id}/hooks/{hook_id}/preview': { request: { message: 'M' } },
  'POST /orgs/{org_id}/notifications': NOTIFICATION,
  'DELETE /orgs/{org_id}/notifications': { ids: [1] },
  'POST /orgs/{org_id}/notifications/receipts/cancel': { tag: 't' },
  'POST /orgs/{org_id}/notifications/scheduled': SCHEDULE,
  'PATCH /orgs/{org_id}/notifications/scheduled/{id}': { paused: true },
  'POST /orgs/{org_id}/heartbeats': { ...HEARTBEAT, slug: 'new' },
  'PATCH /orgs/{org_id}/heartbeats/{slug}': { name: 'H2' },
  'POST /orgs/{org_id}/escalations': { ...ESCALATION, slug: 'new' },
  'PATCH /orgs/{org_id}/escalations/{slug}': { name: 'E2' },
  'POST /orgs/{org_id}/activities': { ...ACTIVITY, slug: 'new' },
  'PATCH /orgs/{org_id}/activities/{slug}': COUNTDOWN,
}

export type OrgCast = { people: Record<OrgRole, TestUser>; params: Record<string, string> }

// `user_id` is a member besides the one who calls. With a route, the organization has only the kinds of resources that the
// route is about.
export async function createOrgCast(app: TestApp, route?: string): Promise<OrgCast> {
  const isNeeded = (routes: RegExp) => route === undefined || routes.test(route)
  const { id, path, owner, admin, members } = await createOrganization(app, 2)
  const [member, other] = members as [TestUser, TestUser]
  const create = async (resource: string, body: unknown) => (await app.post(path + resource, body, owner.token)).body
  const params: Record<string, string> = { org_id: id, user_id: other.userId, slug: ACTIVITY.slug, number: '1' }
  if (isNeeded(/invitation|join/)) {
    const invitation = await create('/invitations', {})
    Object.assign(params, { invitation_id: invitation.id, code: invitation.code })
  }
  if (isNeeded(/key|hook/)) {
    params.key_id = (await create('/keys', { name: 'K', permissions: {} })).id
    params.alias_id = (await create(`/keys/${params.key_id}/aliases`, { door: 'ntfy' })).id
  }
  if (isNeeded(/notification/)) {
    params.id = String((await create('/notifications', NOTIFICATION)).id)
    params.schedule_id = String((await create('/notifications/scheduled', SCHEDULE)).id)
  }
  if (isNeeded(/activit/)) await create('/activities', ACTIVITY)
  if (isNeeded(/heartbeat/)) await create('/heartbeats', HEARTBEAT)
  if (isNeeded(/escalation/)) await create('/escalations', ESCALATION)
  if (isNeeded(/hook/)) {
    const sender = await create('/keys', { name: 'S', permissions: { notifications: 'send' } })
    const hook = await create('/hooks', { name: 'H', kind: 'auto', key_id: sender.id })
    await fetch(app.url + new URL(hook.url).pathname, { method: 'POST', body: 'M' })
    params.hook_id = hook.id
  }
  if (isNeeded(/group/)) params.group_id = (await create('/groups', { name: 'ops' })).id
  if (isNeeded(/tag/)) params.tag_id = (await create('/tags', { name: 'wall' })).id
  return { people: { owner, admin, member, stranger: await app.addUser() }, params }
}
