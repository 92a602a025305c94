// An organization with one resource of each kind, a person of each role in it, and the bodies of requests to its routes.
import type { TestApp, TestUser } from '../app.ts'
import { ACTIVITY, ESCALATION, HEARTBEAT, NOTIFICATION, SCHEDULE } from '../cast.ts'
import type { OrgRole } from '../matrix/rows.ts'
import { createOrganization } from './organization.ts'

// The bodies of routes that only organizations have. The others take the bodies of the same routes of a person.
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
  if (isNeeded(/file/)) params.file_id = (await create('/files', { any: 'content' })).id
  if (isNeeded(/activit/)) await create('/activities', ACTIVITY)
  if (isNeeded(/heartbeat/)) await create('/heartbeats', HEARTBEAT)
  if (isNeeded(/escalation/)) await create('/escalations', ESCALATION)
  if (isNeeded(/hook/)) {
    // Lists of keys are sorted by time.
    app.advanceSeconds(1)
    const sender = await create('/keys', { name: 'S', permissions: { notifications: 'send' } })
    const hook = await create('/hooks', { name: 'H', kind: 'auto', key_id: sender.id })
    await fetch(app.url + new URL(hook.url).pathname, { method: 'POST', body: 'M' })
    params.hook_id = hook.id
  }
  if (isNeeded(/group/)) params.group_id = (await create('/groups', { name: 'ops' })).id
  if (isNeeded(/tag/)) params.tag_id = (await create('/tags', { name: 'wall' })).id
  return { people: { owner, admin, member, stranger: await app.addUser() }, params }
}
