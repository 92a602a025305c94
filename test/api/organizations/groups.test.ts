// Groups and tags of an organization.
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { addGroup, createOrganization } from '../../support/organizations/organization.ts'

const app = useTestApp()
const idsOf = (people: TestUser[]) => people.map(({ userId }) => userId)

const countEvents = async (userId: string, type: string) => {
  const rows = await app.app.ctx.db.read.all(
    sql`select number from events where user_id = ${userId} and type = ${type}`,
  )
  return rows.length
}

describe('groups', () => {
  test('201 with members; 200 for every member, by name', async () => {
    const { path, admin, members } = await createOrganization(app, 2)
    const made = await app.post(`${path}/groups`, { name: 'sre', user_ids: idsOf(members) }, admin.token)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ name: 'sre', member_count: 2 })
    await app.post(`${path}/groups`, { name: 'Ops' }, admin.token)
    const { body } = await app.get(`${path}/groups`, members[0]!.token)
    expect(body.items).toMatchObject([{ name: 'Ops', member_count: 0 }, made.body])
    expect((await app.get(`${path}/groups/${made.body.id}`, members[0]!.token)).body).toEqual(made.body)
  })

  test.each(['', ' ops', 'ops ', 'a,b', 'a\tb', '   ', 'x'.repeat(65), 7])('422 for the name %j', async (name) => {
    const { path, owner } = await createOrganization(app)
    expectProblem(await app.post(`${path}/groups`, { name }, owner.token), 422, 'request.validation_failed')
  })

  test('409 org.name_taken, compared exactly; renaming to the own name is no conflict', async () => {
    const org = await createOrganization(app)
    const { path, owner } = org
    const [ops, sre] = [await addGroup(app, org, 'ops'), await addGroup(app, org, 'sre')]
    expectProblem(await app.post(`${path}/groups`, { name: 'ops' }, owner.token), 409, 'org.name_taken')
    expectProblem(await app.patch(`${path}/groups/${sre}`, { name: 'ops' }, owner.token), 409, 'org.name_taken')
    expect((await app.patch(`${path}/groups/${ops}`, { name: 'ops' }, owner.token)).status).toBe(200)
    const renamed = await app.patch(`${path}/groups/${ops}`, { name: 'OPS' }, owner.token)
    expect([renamed.status, renamed.body.name]).toEqual([200, 'OPS'])
  })

  test('409 org.limit_exceeded for the 101st', async () => {
    const { path, owner } = await createOrganization(app)
    for (let made = 0; made < LIMITS.organization.maxGroups; made++) {
      await app.post(`${path}/groups`, { name: `g${made}` }, owner.token)
    }
    const answer = await app.post(`${path}/groups`, { name: 'one more' }, owner.token)
    expectProblem(answer, 409, 'org.limit_exceeded')
    expect(answer.body).toMatchObject({ kind: 'groups', limit: 100 })
    expect((await app.get(`${path}/groups`, owner.token)).body.items).toHaveLength(100)
  })

  test('422 org.target_unknown names those who are no members, and nothing is made', async () => {
    const { path, owner, members } = await createOrganization(app)
    const stranger = await app.addUser()
    const user_ids = [members[0]!.userId, stranger.userId, 'nobody']
    const answer = await app.post(`${path}/groups`, { name: 'ops', user_ids }, owner.token)
    expectProblem(answer, 422, 'org.target_unknown')
    expect(locations(answer)).toEqual(['body.user_ids[1]', 'body.user_ids[2]'])
    expect((await app.get(`${path}/groups`, owner.token)).body.items).toEqual([])
  })

  test.each(['5d6bb3ce-4d1f-4b52-8a6f-0d1b4b1c2d3e', 'x', '%00'])('404 org_group.not_found for %s', async (id) => {
    const { path, owner } = await createOrganization(app)
    expectProblem(await app.get(`${path}/groups/${id}`, owner.token), 404, 'org_group.not_found')
    expectProblem(await app.del(`${path}/groups/${id}`, owner.token), 404, 'org_group.not_found')
    expectProblem(await app.put(`${path}/groups/${id}/members/me`, undefined, owner.token), 404, 'org_group.not_found')
  })
})

describe('members of a group', () => {
  test('200 PUT replaces the whole set, and tells those whom it changes', async () => {
    const org = await createOrganization(app, 3)
    const { id, path, owner, members } = org
    const [a = '', b = '', c = ''] = idsOf(members) as string[]
    const groupId = await addGroup(app, org, 'ops', [members[0]!, members[1]!])
    const before = await Promise.all([a, b, c].map((userId) => countEvents(userId, 'org.updated')))
    const answer = await app.put(`${path}/groups/${groupId}/members`, { user_ids: [b, c, c] }, owner.token)
    expect([answer.status, answer.body.member_count]).toEqual([200, 2])
    const after = await Promise.all([a, b, c].map((userId) => countEvents(userId, 'org.updated')))
    expect(after.map((count, at) => count - before[at]!)).toEqual([1, 0, 1])
    expect(await countEvents(id, 'org.group_updated')).toBe(2)
    expect((await app.put(`${path}/groups/${groupId}/members`, { user_ids: [] }, owner.token)).body.member_count).toBe(
      0,
    )
  })

  test('422 org.target_unknown changes nothing', async () => {
    const org = await createOrganization(app, 2)
    const groupId = await addGroup(app, org, 'ops', [org.members[0]!])
    const stranger = await app.addUser()
    const user_ids = [org.members[1]!.userId, stranger.userId]
    const answer = await app.put(`${org.path}/groups/${groupId}/members`, { user_ids }, org.owner.token)
    expectProblem(answer, 422, 'org.target_unknown')
    const { body } = await app.get(`${org.path}/members?group_id=${groupId}`, org.owner.token)
    expect(body.items).toMatchObject([{ user_id: org.members[0]!.userId }])
  })

  test('204 adds and removes one, also when nothing changes; 404 for someone who is no member', async () => {
    const org = await createOrganization(app)
    const { path, owner, members } = org
    const groupId = await addGroup(app, org, 'ops')
    const one = `${path}/groups/${groupId}/members/${members[0]!.userId}`
    for (const count of [1, 1]) {
      expect((await app.put(one, undefined, owner.token)).status).toBe(204)
      expect((await app.get(`${path}/groups/${groupId}`, owner.token)).body.member_count).toBe(count)
    }
    for (let round = 0; round < 2; round++) expect((await app.del(one, owner.token)).status).toBe(204)
    expect((await app.get(`${path}/groups/${groupId}`, owner.token)).body.member_count).toBe(0)
    const stranger = await app.addUser()
    const path404 = `${path}/groups/${groupId}/members/${stranger.userId}`
    expectProblem(await app.put(path404, undefined, owner.token), 404, 'org_member.not_found')
  })

  test('a change of more than 100 members tells all members, in steps', async () => {
    const org = await createOrganization(app)
    const people = Array.from({ length: 150 }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`)
    await app.app.ctx.db.transact(async (tx) => {
      for (const id of people) {
        tx.queue(sql`insert into users (id, name, plan, created_at) values (${id}, ${id}, 'free', 0)`)
        tx.queue(sql`insert into memberships (org_id, user_id, role, joined_at) values (${org.id}, ${id}, 'member', 9)`)
      }
    })
    const groupId = await addGroup(app, org, 'all')
    const answer = await app.put(`${org.path}/groups/${groupId}/members`, { user_ids: people }, org.owner.token)
    expect(answer.body.member_count).toBe(150)
    for (let step = 0; step < 3; step++) await app.runDueJobs()
    for (const id of [people[0]!, people[149]!]) expect(await countEvents(id, 'org.updated')).toBe(1)
  })
})

describe('sets of group members', () => {
  const setsOf = (id: string) =>
    app.app.ctx.db.read.all<{ id: string }>(sql`select s.id from group_sets s where s.org_id = ${id}`)
  const rowsOf = (id: string) =>
    app.app.ctx.db.read.all(sql`select user_id from group_set_members where org_id = ${id}`)

  test('the rows of a set that was replaced, and of a deleted group, are deleted with the request', async () => {
    const org = await createOrganization(app, 3)
    const groupId = await addGroup(app, org, 'ops', org.members)
    await app.put(`${org.path}/groups/${groupId}/members`, { user_ids: [org.owner.userId] }, org.owner.token)
    expect([await setsOf(org.id), await rowsOf(org.id)]).toMatchObject([{ length: 1 }, { length: 1 }])
    await app.del(`${org.path}/groups/${groupId}`, org.owner.token)
    expect([await setsOf(org.id), await rowsOf(org.id)]).toEqual([[], []])
  })

  test('housekeeping deletes a set that a process left behind, and none that a group has', async () => {
    const org = await createOrganization(app, 2)
    await addGroup(app, org, 'ops', org.members)
    await app.app.ctx.db.transact(async (tx) => {
      tx.queue(sql`insert into group_sets (id, org_id, created_at) values ('left', ${org.id}, ${app.clock.now()})`)
      tx.queue(sql`insert into group_set_members (set_id, org_id, user_id)
        values ('left', ${org.id}, ${org.owner.userId})`)
    })
    const housekeep = async () => {
      await scheduleHousekeeping(app.app.ctx)
      await app.runDueJobs()
    }
    await housekeep()
    expect(await setsOf(org.id)).toHaveLength(2)
    app.advanceSeconds(3601)
    await housekeep()
    expect([await setsOf(org.id), await rowsOf(org.id)]).toMatchObject([{ length: 1 }, { length: 2 }])
  })
})

describe('tags', () => {
  const tagged = (tags: string[]) => ({ name: 'Screen', platform: 'web', tags })

  test('201 and 200 with the devices of members that carry it', async () => {
    const { path, owner, members } = await createOrganization(app, 2)
    const stranger = await app.addUser()
    for (const { token } of [...members, stranger]) await app.put('/devices/screen', tagged(['wall', 'desk']), token)
    const made = await app.post(`${path}/tags`, { name: 'wall' }, owner.token)
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ name: 'wall', device_count: 2 })])
    const deviceCount = async () => (await app.get(`${path}/tags`, members[0]!.token)).body.items[0].device_count
    await app.patch('/devices/screen', { tags: ['desk'] }, members[0]!.token)
    expect(await deviceCount()).toBe(1)
    await app.put('/devices/screen', tagged(['wall']), members[0]!.token)
    expect(await deviceCount()).toBe(2)
    await app.del('/devices/screen', members[0]!.token)
    expect(await deviceCount()).toBe(1)
  })

  test('409 org.name_taken for a tag, not for a group of the same name', async () => {
    const org = await createOrganization(app)
    await addGroup(app, org, 'wall')
    expect((await app.post(`${org.path}/tags`, { name: 'wall' }, org.owner.token)).status).toBe(201)
    expectProblem(await app.post(`${org.path}/tags`, { name: 'wall' }, org.owner.token), 409, 'org.name_taken')
  })

  test('409 org.limit_exceeded for the 101st', async () => {
    const { path, owner } = await createOrganization(app)
    for (let made = 0; made < 100; made++) await app.post(`${path}/tags`, { name: `t${made}` }, owner.token)
    const answer = await app.post(`${path}/tags`, { name: 'one more' }, owner.token)
    expectProblem(answer, 409, 'org.limit_exceeded')
    expect(answer.body).toMatchObject({ kind: 'tags', limit: 100 })
  })

  test('204, then 404 org_tag.not_found', async () => {
    const { path, owner } = await createOrganization(app)
    const { id } = (await app.post(`${path}/tags`, { name: 'wall' }, owner.token)).body
    expect((await app.del(`${path}/tags/${id}`, owner.token)).status).toBe(204)
    expectProblem(await app.del(`${path}/tags/${id}`, owner.token), 404, 'org_tag.not_found')
  })
})

describe('403 org.role_denied for a member', () => {
  const id = '5d6bb3ce-4d1f-4b52-8a6f-0d1b4b1c2d3e'

  test.each([
    ['POST', '/groups'],
    ['PATCH', `/groups/${id}`],
    ['DELETE', `/groups/${id}`],
    ['PUT', `/groups/${id}/members`],
    ['PUT', `/groups/${id}/members/me`],
    ['DELETE', `/groups/${id}/members/me`],
    ['POST', '/tags'],
    ['DELETE', `/tags/${id}`],
    ['POST', '/invitations'],
    ['GET', '/invitations'],
    ['DELETE', `/invitations/${id}`],
  ])('%s %s, before the body is read', async (method, route) => {
    const { path, members } = await createOrganization(app)
    const body = method === 'GET' ? undefined : { unknown: true }
    const answer = await app.call(method, path + route, { body, token: members[0]!.token })
    expectProblem(answer, 403, 'org.role_denied')
    expect(answer.body.required_role).toBe('admin')
  })
})

describe('409 org.in_use', () => {
  test.each(['groups', 'tags'])(
    '%s that a key is limited to are deleted only by force, and the key widens not',
    async (kind) => {
      const { path, owner } = await createOrganization(app)
      const { id } = (await app.post(`${path}/${kind}`, { name: 'ops' }, owner.token)).body
      const target = kind === 'groups' ? { group_ids: [id] } : { tag_ids: [id] }
      const body = { name: 'K', permissions: { notifications: 'send' }, target }
      expect((await app.post(`${path}/keys`, body, owner.token)).status).toBe(201)
      const answer = await app.del(`${path}/${kind}/${id}`, owner.token)
      expectProblem(answer, 409, 'org.in_use')
      expect(answer.body.used_by).toEqual({ keys: 1, schedules: 0, activities: 0, heartbeats: 0, escalations: 0 })
      expect((await app.del(`${path}/${kind}/${id}?force=true`, owner.token)).status).toBe(204)
      const [key] = (await app.get(`${path}/keys`, owner.token)).body.items
      expect(key.target).toEqual({ group_ids: [], tag_ids: [], ...target })
    },
  )
})
