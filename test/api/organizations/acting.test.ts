// Owners and admins act as the organization under its prefix: the account's own routes, with the organization's account.
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { addGroup, createOrganization, type TestOrganization } from '../../support/organizations/organization.ts'

const app = useTestApp()

const SEND = { permissions: { notifications: 'schedule', activities: 'manage' } }
const addOrgKey = async ({ path, owner }: Pick<TestOrganization, 'path' | 'owner'>, body: object = {}) => {
  const answer = await app.post(`${path}/keys`, { name: 'K', ...SEND, ...body }, owner.token)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}

describe('keys of an organization', () => {
  test('201 the key belongs to the organization: it sends on its quota and not on anybody’s', async () => {
    const org = await createOrganization(app)
    const key = await addOrgKey(org)
    expect(key).toMatchObject({ key: expect.stringMatching(/^hlk_/), is_default: false })
    expect(key).not.toHaveProperty('target')
    const me = (await app.get('/auth/me', key.key)).body
    expect(me).toMatchObject({ id: org.id, nickname: 'Example', organization: { id: org.id, name: 'Example' } })
    expect(me.integration_key).toMatchObject({ id: key.id, permissions: { widgets: 'none', emails: 'none' } })
    await app.post('/notifications', { title: 'T', body: 'B' }, key.key)
    expect((await app.get(org.path, org.admin.token)).body.notifications_used).toBe(1)
    expect((await app.get('/auth/me', org.owner.token)).body).toMatchObject({ notifications_used: 0 })
    expect((await app.get('/auth/me', org.owner.token)).body).not.toHaveProperty('organization')
  })

  test('200 {items}, also for the person; own keys stay apart', async () => {
    const org = await createOrganization(app)
    const { id } = await addOrgKey(org)
    const listed = (await app.get(`${org.path}/keys`, org.admin.token)).body
    expect(listed.items.map((key: { id: string }) => key.id)).toEqual([id])
    const own = (await app.get('/integrations/keys', org.admin.token)).body
    expect(own.map((key: { name: string }) => key.name)).toEqual(['Default'])
    expectProblem(await app.del(`/integrations/keys/${id}`, org.owner.token), 404, 'integration_key.not_found')
    expectProblem(await app.del(`${org.path}/keys/${own[0].id}`, org.admin.token), 404, 'integration_key.not_found')
  })

  test('200 changed and rolled; 204 revoked', async () => {
    const org = await createOrganization(app)
    const { id, key } = await addOrgKey(org)
    const one = `${org.path}/keys/${id}`
    expect((await app.patch(one, { name: 'Renamed' }, org.admin.token)).body.name).toBe('Renamed')
    const rolled = await app.post(`${one}/roll`, undefined, org.admin.token)
    expectProblem(await app.get('/auth/me', key), 401, 'token.invalid')
    expect((await app.get('/auth/me', rolled.body.key)).status).toBe(200)
    expect((await app.del(one, org.admin.token)).status).toBe(204)
    expectProblem(await app.get('/auth/me', rolled.body.key), 401, 'token.invalid')
  })

  test('409 integration_key.limit_exceeded for the 26th of the organization', async () => {
    const org = await createOrganization(app)
    for (let made = 0; made < 25; made++) await addOrgKey(org)
    const answer = await app.post(`${org.path}/keys`, { name: 'K', permissions: {} }, org.owner.token)
    expectProblem(answer, 409, 'integration_key.limit_exceeded')
    expect((await app.post('/integrations/keys', { name: 'own' }, org.owner.token)).status).toBe(201)
  })

  test.each([
    [{ permissions: { widgets: 'read' } }, ['body.permissions.widgets']],
    [{ permissions: { emails: 'send' } }, ['body.permissions.emails']],
    [{ widgets: true, emails: true }, ['body.permissions.widgets', 'body.permissions.emails']],
  ])('422 for %j: organizations have neither widgets nor e-mail', async (grant, places) => {
    const { path, owner } = await createOrganization(app)
    const answer = await app.post(`${path}/keys`, { name: 'K', ...grant }, owner.token)
    expectProblem(answer, 422, 'request.validation_failed')
    expect(locations(answer)).toEqual(places)
    const { id } = await addOrgKey({ path, owner })
    const change = await app.patch(`${path}/keys/${id}`, grant, owner.token)
    expectProblem(change, 422, 'request.validation_failed')
    expect(locations(change)).toEqual(places)
  })

  test('they manage no keys, and reach no widgets, e-mail, devices and events', async () => {
    const { key } = await addOrgKey(await createOrganization(app))
    expectProblem(await app.get('/integrations/keys', key), 403, 'integration_key.default_key_required')
    for (const path of ['/widgets', '/emails', '/devices', '/events', '/orgs']) {
      expectProblem(await app.get(path, key), 403, 'integration_key.permission_denied')
    }
  })
})

describe('keys that are limited', () => {
  test('201, 200 and GET /auth/me show the limit by ids; null lifts it', async () => {
    const org = await createOrganization(app)
    const groupId = await addGroup(app, org, 'ops')
    const memberId = org.members[0]!.userId
    const key = await addOrgKey(org, { target: { group_ids: [groupId, groupId], tag_ids: [] } })
    expect(key.target).toEqual({ group_ids: [groupId], tag_ids: [] })
    expect((await app.get('/auth/me', key.key)).body.integration_key.target).toEqual(key.target)
    const patch = (body: object) => app.patch(`${org.path}/keys/${key.id}`, body, org.owner.token)
    const narrowed = await patch({ target: { member_ids: [memberId] } })
    expect(narrowed.body.target).toEqual({ group_ids: [], tag_ids: [], member_ids: [memberId] })
    expect((await patch({ name: 'Same limit' })).body.target).toEqual(narrowed.body.target)
    expect((await patch({ target: null })).body).not.toHaveProperty('target')
  })

  test.each([{}, { group_ids: [] }, { group_ids: [], member_ids: [] }])(
    '422 org.target_invalid for %j',
    async (target) => {
      const { path, owner } = await createOrganization(app)
      expectProblem(await app.post(`${path}/keys`, { name: 'K', target }, owner.token), 422, 'org.target_invalid')
    },
  )

  test('422 org.target_unknown names each id that is not in the organization', async () => {
    const [org, other] = [await createOrganization(app), await createOrganization(app)]
    const foreign = await addGroup(app, other, 'ops')
    const known = await addGroup(app, org, 'ops')
    const target = { group_ids: [known, foreign], tag_ids: ['x'], member_ids: [org.owner.userId, other.owner.userId] }
    const answer = await app.post(`${org.path}/keys`, { name: 'K', permissions: {}, target }, org.owner.token)
    expectProblem(answer, 422, 'org.target_unknown')
    expect(locations(answer)).toEqual([
      'body.target.group_ids[1]',
      'body.target.tag_ids[0]',
      'body.target.member_ids[1]',
    ])
    const { id } = await addOrgKey(org)
    const change = await app.patch(`${org.path}/keys/${id}`, { target: { group_ids: [foreign] } }, org.owner.token)
    expectProblem(change, 422, 'org.target_unknown')
    expect(locations(change)).toEqual(['body.target.group_ids[0]'])
  })

  test('422 org.target_unavailable for the key of a person', async () => {
    const { token } = await app.addUser()
    const body = { name: 'K', target: { group_ids: ['x'] } }
    expectProblem(await app.post('/integrations/keys', body, token), 422, 'org.target_unavailable')
    const { id } = (await app.post('/integrations/keys', { name: 'K' }, token)).body
    const change = await app.patch(`/integrations/keys/${id}`, { target: body.target }, token)
    expectProblem(change, 422, 'org.target_unavailable')
  })
})

describe('what the organization owns', () => {
  const planned = () => ({
    title: 'T',
    body: 'B',
    send_at: new Date(app.clock.now() + 3_600_000).toISOString(),
  })

  test('activities and schedules made by a key are there for owners and admins', async () => {
    const org = await createOrganization(app)
    const { key } = await addOrgKey(org)
    await app.post('/activities', { slug: 'deploy', name: 'Deploy' }, key)
    const schedule = await app.post('/notifications/scheduled', planned(), key)
    for (const { token } of [org.owner, org.admin]) {
      expect((await app.get(`${org.path}/activities/deploy`, token)).body).toMatchObject({ slug: 'deploy' })
      expect((await app.get(`${org.path}/notifications/scheduled/${schedule.body.id}`, token)).status).toBe(200)
      expect((await app.get('/activities/deploy', token)).body).toMatchObject({ kind: 'shared', share_role: 'editor' })
    }
  })

  test('an admin makes, changes and deletes an activity as the organization', async () => {
    const { path, admin, owner } = await createOrganization(app)
    expect((await app.post(`${path}/activities`, { slug: 'a', name: 'A' }, admin.token)).status).toBe(201)
    const change = { state: 'ongoing', content: { template: 'countdown', duration: '1h' } }
    expect((await app.patch(`${path}/activities/a`, change, owner.token)).status).toBe(200)
    expect((await app.get(path, owner.token)).body.live_activity_updates_used).toBe(1)
    expectProblem(await app.get(`${path}/activities/.bad`, admin.token), 400, 'slug.invalid')
    expect((await app.del(`${path}/activities/a`, admin.token)).status).toBe(204)
  })

  test('its own events are on its own stream', async () => {
    const org = await createOrganization(app)
    const stream = await openEvents(app.url + org.path, org.admin.token)
    await addOrgKey(org)
    await addGroup(app, org, 'ops')
    await eventually(() => expect(stream.types()).toEqual(['key.created', 'org.group_updated']))
    stream.close()
  })

  test('each change of a group, a tag and an invitation is an event, and what changes nothing is none', async () => {
    const org = await createOrganization(app)
    const { path, owner, members } = org
    const stream = await openEvents(app.url + path, owner.token)
    const groupId = await addGroup(app, org, 'ops')
    const group = `${path}/groups/${groupId}`
    const member = `${group}/members/${members[0]!.userId}`
    await app.patch(group, { name: 'operators' }, owner.token)
    for (let n = 0; n < 2; n++) await app.put(member, undefined, owner.token)
    for (let n = 0; n < 2; n++) await app.del(member, owner.token)
    await app.del(group, owner.token)
    const tag = (await app.post(`${path}/tags`, { name: 'wall' }, owner.token)).body
    await app.del(`${path}/tags/${tag.id}`, owner.token)
    const invitation = (await app.post(`${path}/invitations`, { group_ids: [] }, owner.token)).body
    await app.del(`${path}/invitations/${invitation.id}`, owner.token)
    await eventually(() => expect(stream.types().at(-1)).toBe('org.invitation_deleted'))
    stream.close()
    expect(stream.events.map(({ event, data }) => [event, data.data])).toEqual([
      ...Array.from({ length: 4 }, () => ['org.group_updated', { id: groupId }]),
      ['org.group_deleted', { id: groupId }],
      ['org.tag_updated', { id: tag.id }],
      ['org.tag_deleted', { id: tag.id }],
      ['org.invitation_created', { id: invitation.id }],
      ['org.invitation_deleted', { id: invitation.id }],
    ])
  })

  test.each([
    'GET /devices',
    'GET /widgets',
    'GET /emails',
    'GET /notifications/unread-count',
    'POST /notifications/read',
    'POST /notifications/1/answer',
    'POST /activities/a/snooze',
    'POST /demo/run',
    'GET /integrations/keys',
    'GET /auth/me',
  ])('404 or 405: %s does not exist under the prefix', async (route) => {
    const { path, owner } = await createOrganization(app)
    const [method = '', rest] = route.split(' ')
    const { status } = await app.call(method, path + rest, { token: owner.token })
    expect([404, 405]).toContain(status)
  })

  test('403 org.role_denied for members, 404 org.not_found for others, before the body is read', async () => {
    const { path, members } = await createOrganization(app)
    const stranger = await app.addUser()
    const attempt = ({ token }: TestUser) => app.post(`${path}/notifications`, { nonsense: true }, token)
    expectProblem(await attempt(members[0]!), 403, 'org.role_denied')
    expectProblem(await attempt(stranger), 404, 'org.not_found')
  })
})
