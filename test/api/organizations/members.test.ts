// Members: who sees them, who changes roles, muting, leaving and removal.
import { describe, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import { useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { addGroup, createOrganization, join } from '../../support/organizations/organization.ts'

const app = useTestApp()

const eventsOf = async (userId: string, type: string) => {
  const rows = await app.app.ctx.db.read.all<{ data: string }>(
    sql`select data from events where user_id = ${userId} and type = ${type} order by number`,
  )
  return rows.map(({ data }) => JSON.parse(data))
}
const userIds = (items: { user_id: string }[]) => items.map(({ user_id }) => user_id)

describe('GET /orgs/{org_id}/members', () => {
  test('200 in the order in which they joined, in pages', async () => {
    const { path, owner, admin, members } = await createOrganization(app, 3)
    const all = [owner, admin, ...members].map(({ userId }) => userId)
    const first = (await app.get(`${path}/members?limit=2`, members[0]!.token)).body
    expect([userIds(first.items), first.has_more]).toEqual([all.slice(0, 2), true])
    const second = (await app.get(`${path}/members?limit=3&cursor=${first.next_cursor}`, owner.token)).body
    expect([userIds(second.items), second.has_more, second.next_cursor]).toEqual([all.slice(2), false, undefined])
  })

  test('200 pages through members who joined in the same millisecond', async () => {
    const { id, path, owner } = await createOrganization(app, 4)
    await app.app.ctx.db.transact((tx) => tx.execute(sql`update memberships set joined_at = 5 where org_id = ${id}`))
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 3; page++) {
      const { body } = await app.get(`${path}/members?limit=2${cursor}`, owner.token)
      seen.push(...userIds(body.items))
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(seen).toEqual([...new Set(seen)].sort())
    expect(seen).toHaveLength(6)
  })

  test('200 of one group; 404 org_group.not_found for an unknown one', async () => {
    const org = await createOrganization(app, 2)
    const { path, members } = org
    const groupId = await addGroup(app, org, 'ops', [members[1]!])
    const answer = await app.get(`${path}/members?group_id=${groupId}`, members[0]!.token)
    expect(answer.body.items).toMatchObject([{ user_id: members[1]!.userId, group_ids: [groupId] }])
    expectProblem(await app.get(`${path}/members?group_id=nope`, members[0]!.token), 404, 'org_group.not_found')
  })

  test('200 with the groups of this organization, and not those that a member is in elsewhere', async () => {
    const [org, other] = [await createOrganization(app), await createOrganization(app)]
    const [person] = org.members
    await join(app, other, [person!])
    const [ops, dev] = [await addGroup(app, org, 'ops', [person!]), await addGroup(app, org, 'dev', [person!])]
    const elsewhere = await addGroup(app, other, 'ops', [person!])
    const groupsIn = async ({ path }: { path: string }) =>
      (await app.get(`${path}/members/${person!.userId}`, person!.token)).body.group_ids
    expect([await groupsIn(org), await groupsIn(other)]).toEqual([[ops, dev].sort(), [elsewhere]])
    const { items } = (await app.get(`${org.path}/members`, person!.token)).body
    expect(items.flatMap(({ group_ids }: { group_ids: string[] }) => group_ids)).toEqual([ops, dev].sort())
  })

  test('400 cursor.invalid for a cursor that the list did not give out', async () => {
    const { path, owner } = await createOrganization(app)
    expectProblem(await app.get(`${path}/members?cursor=abc`, owner.token), 400, 'cursor.invalid')
  })
})

describe('GET /orgs/{org_id}/members/{user_id}', () => {
  test('200 says whether a push reaches the member; `me` is oneself', async () => {
    const { path, owner, members } = await createOrganization(app)
    const { userId, token } = members[0]!
    await app.patch('/auth/me', { nickname: 'Mia' }, token)
    await app.put('/devices/listener', { name: 'Listener', platform: 'web' }, token)
    const before = await app.get(`${path}/members/me`, token)
    expect(before.body).toMatchObject({ user_id: userId, nickname: 'Mia', role: 'member', reachable: false })
    // A token for the push of an activity takes no notification.
    const stored = await app.put('/devices/listener/activities/build', { push_update_token: 'cd'.repeat(32) }, token)
    expect(stored.status).toBe(204)
    expect((await app.get(`${path}/members/me`, token)).body.reachable).toBe(false)
    const apns = { device_token: 'ab'.repeat(32), environment: 'production' }
    await app.put('/devices/phone', { name: 'Phone', platform: 'ios', apns }, token)
    expect((await app.get(`${path}/members/${userId}`, owner.token)).body.reachable).toBe(true)
  })

  test.each(['5d6bb3ce-4d1f-4b52-8a6f-0d1b4b1c2d3e', 'nobody'])('404 org_member.not_found for %s', async (id) => {
    const { path, owner } = await createOrganization(app)
    expectProblem(await app.get(`${path}/members/${id}`, owner.token), 404, 'org_member.not_found')
  })
})

describe('PATCH /orgs/{org_id}/members/{user_id}: roles', () => {
  test('200 an owner makes admins and owners; both feeds are told', async () => {
    const { id, path, owner, members } = await createOrganization(app)
    const { userId, token } = members[0]!
    const answer = await app.patch(`${path}/members/${userId}`, { role: 'owner' }, owner.token)
    expect([answer.status, answer.body.role]).toEqual([200, 'owner'])
    expect(await eventsOf(userId, 'org.updated')).toEqual([{ id, role: 'owner' }])
    expect(await eventsOf(id, 'org.member_updated')).toContainEqual({ id: userId, role: 'owner' })
    // Ownership is handed on.
    expect((await app.patch(`${path}/members/me`, { role: 'member' }, owner.token)).status).toBe(200)
    expect((await app.del(path, token)).status).toBe(204)
  })

  test('403 org.role_denied for admins and members, who need an owner', async () => {
    const { path, admin, members } = await createOrganization(app)
    for (const { token } of [admin, members[0]!]) {
      const answer = await app.patch(`${path}/members/me`, { role: 'owner' }, token)
      expectProblem(answer, 403, 'org.role_denied')
      expect(answer.body.required_role).toBe('owner')
    }
  })

  test('409 org.last_owner: the last owner can be neither lowered nor removed, nor leave', async () => {
    const { path, owner } = await createOrganization(app)
    expectProblem(await app.patch(`${path}/members/me`, { role: 'admin' }, owner.token), 409, 'org.last_owner')
    expectProblem(await app.del(`${path}/members/me`, owner.token), 409, 'org.last_owner')
    expect((await app.patch(`${path}/members/me`, { role: 'owner' }, owner.token)).status).toBe(200)
  })

  test('422 for a role that does not exist; 404 for someone who is no member', async () => {
    const { path, owner } = await createOrganization(app)
    const stranger = await app.addUser()
    expectProblem(
      await app.patch(`${path}/members/me`, { role: 'king' }, owner.token),
      422,
      'request.validation_failed',
    )
    const answer = await app.patch(`${path}/members/${stranger.userId}`, { role: 'admin' }, owner.token)
    expectProblem(answer, 404, 'org_member.not_found')
  })
})

describe('PATCH /orgs/{org_id}/members/{user_id}: muting', () => {
  const inDays = (days: number) => new Date(app.clock.now() + days * 86_400_000).toISOString()

  test('200 mutes oneself; owners and admins see it, other members do not; null and time end it', async () => {
    const { path, admin, members } = await createOrganization(app, 2)
    const [muted, other] = [members[0]!, members[1]!]
    const until = inDays(1)
    const answer = await app.patch(`${path}/members/me`, { muted_until: until }, muted.token)
    expect(Date.parse(answer.body.muted_until)).toBe(Date.parse(until))
    const seenBy = async ({ token }: typeof admin) =>
      (await app.get(`${path}/members/${muted.userId}`, token)).body.muted_until
    expect(await seenBy(admin)).toBe(answer.body.muted_until)
    expect(await seenBy(other)).toBeUndefined()
    await app.patch(`${path}/members/me`, { muted_until: null }, muted.token)
    expect(await seenBy(muted)).toBeUndefined()
    await app.patch(`${path}/members/me`, { muted_until: inDays(1) }, muted.token)
    app.advanceSeconds(86_401)
    expect(await seenBy(muted)).toBeUndefined()
  })

  test('403 org.role_denied for anyone else, also for owners', async () => {
    const { path, owner, members } = await createOrganization(app)
    const answer = await app.patch(`${path}/members/${members[0]!.userId}`, { muted_until: null }, owner.token)
    expectProblem(answer, 403, 'org.role_denied')
  })

  test('200 for thirty days from now', async () => {
    const { path, owner } = await createOrganization(app)
    const until = new Date(app.clock.now() + 30 * 86_400_000).toISOString()
    const { status, body } = await app.patch(`${path}/members/me`, { muted_until: until }, owner.token)
    expect([status, body.muted_until]).toEqual([200, until])
  })

  test.each([-1, 0, 31])('422 for %i days from now', async (days) => {
    const { path, owner } = await createOrganization(app)
    const answer = await app.patch(`${path}/members/me`, { muted_until: inDays(days) }, owner.token)
    expectProblem(answer, 422, 'request.validation_failed')
    expect(locations(answer)).toEqual(['body.muted_until'])
  })
})

describe('DELETE /orgs/{org_id}/members/{user_id}', () => {
  test('204 ends membership and groups at once; coming back is a new membership', async () => {
    const org = await createOrganization(app)
    const { id, path, owner, members } = org
    const { userId, token } = members[0]!
    const groupId = await addGroup(app, org, 'ops', [members[0]!])
    expect((await app.del(`${path}/members/me`, token)).status).toBe(204)
    expectProblem(await app.get(path, token), 404, 'org.not_found')
    expectProblem(await app.del(`${path}/members/me`, token), 404, 'org.not_found')
    expect((await app.get(`${path}/groups/${groupId}`, owner.token)).body.member_count).toBe(0)
    expect(await eventsOf(userId, 'org.left')).toEqual([{ id }])
    expect(await eventsOf(id, 'org.member_left')).toEqual([{ id: userId }])
    await join(app, org, [members[0]!])
    expect((await app.get(`${path}/members/me`, token)).body).toMatchObject({ role: 'member', group_ids: [] })
  })

  test('204 admins remove members; only owners remove admins and owners', async () => {
    const { path, owner, admin, members } = await createOrganization(app, 2)
    const [one, other] = [members[0]!, members[1]!]
    const remove = (whom: typeof one, by: typeof one) => app.del(`${path}/members/${whom.userId}`, by.token)
    expectProblem(await remove(one, other), 403, 'org.role_denied')
    expect((await remove(one, admin)).status).toBe(204)
    await app.patch(`${path}/members/${other.userId}`, { role: 'admin' }, owner.token)
    const refused = await remove(other, admin)
    expectProblem(refused, 403, 'org.role_denied')
    expect(refused.body.required_role).toBe('owner')
    expect((await remove(other, owner)).status).toBe(204)
    expectProblem(await remove(other, owner), 404, 'org_member.not_found')
  })

  test('an admin who is removed can no longer act as the organization, also on an open stream', async () => {
    const { path, owner, admin } = await createOrganization(app)
    const stream = await openEvents(app.url + path, admin.token)
    await app.del(`${path}/members/${admin.userId}`, owner.token)
    await stream.ended
    expectProblem(await app.get(`${path}/events`, admin.token), 404, 'org.not_found')
  })
})
