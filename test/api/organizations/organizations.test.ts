// Organizations: who makes one, who sees it, and what becomes of it.
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { allUsers, requireUserByName } from '../../../src/operations/accounts/accounts.ts'
import {
  allOrganizationsOfServer,
  membersOf,
  requireOrganization,
} from '../../../src/operations/organizations/operate.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { createOrganization, invite } from '../../support/organizations/organization.ts'

const app = useTestApp()
const ids = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

describe('POST /orgs', () => {
  test('201 with the caller as its owner, on the paid plan', async () => {
    const { token } = await app.addUser()
    const answer = await app.post('/orgs', { name: 'Example' }, token)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Example',
      plan: 'paid',
      role: 'owner',
      member_count: 1,
      notifications_used: 0,
      notifications_limit: 5000,
    })
    expect((await app.get(`/orgs/${answer.body.id}`, token)).body).toEqual(answer.body)
  })

  test('201 for a name that another organization has', async () => {
    const [one, other] = [await app.addUser(), await app.addUser()]
    for (const { token } of [one, other]) expect((await app.post('/orgs', { name: 'Same' }, token)).status).toBe(201)
  })

  test('403 subscription.required on the free plan', async () => {
    const { token } = await app.addUser('free')
    expectProblem(await app.post('/orgs', { name: 'Example' }, token), 403, 'subscription.required')
  })

  test('409 org.limit_exceeded for the 21st organization of a person', async () => {
    const { token } = await app.addUser()
    for (let made = 0; made < LIMITS.organization.maxPerPerson; made++) {
      expect((await app.post('/orgs', { name: `Org ${made}` }, token)).status).toBe(201)
    }
    const answer = await app.post('/orgs', { name: 'One more' }, token)
    expectProblem(answer, 409, 'org.limit_exceeded')
    expect(answer.body).toMatchObject({ kind: 'organizations', limit: 20 })
  })

  test.each([{}, { name: '' }, { name: '   ' }, { name: 'x'.repeat(65) }, { name: 'x', plan: 'paid' }])(
    '422 for %j',
    async (body) => {
      const { token } = await app.addUser()
      expectProblem(await app.post('/orgs', body, token), 422, 'request.validation_failed')
    },
  )
})

describe('GET /orgs', () => {
  test('200 with the own organizations by name, and the role in each', async () => {
    const one = await createOrganization(app)
    const { token } = one.owner
    const { id } = (await app.post('/orgs', { name: 'A first' }, token)).body
    const answer = await app.get('/orgs', token)
    expect(ids(answer)).toEqual([id, one.id])
    expect((await app.get('/orgs', one.members[0]!.token)).body.items).toEqual([
      expect.objectContaining({ id: one.id, role: 'member', member_count: 3 }),
    ])
  })

  test('200 shows the usage to owners and admins, not to members', async () => {
    const { path, admin, members } = await createOrganization(app)
    expect((await app.get(path, admin.token)).body).toHaveProperty('notifications_used')
    expect((await app.get(path, members[0]!.token)).body).not.toHaveProperty('notifications_used')
  })
})

describe('an organization is no person', () => {
  test('no operator command finds one by name, and no list of people has it', async () => {
    const { id } = await createOrganization(app)
    await expect(requireUserByName(app.app.ctx, id)).rejects.toThrow('no user named')
    await expect(requireUserByName(app.app.ctx, 'Example')).rejects.toThrow('no user named')
    expect((await allUsers(app.app.ctx)).map((user) => user.id)).not.toContain(id)
  })
})

describe('PATCH /orgs/{org_id}', () => {
  test('200 renames it, and every member is told', async () => {
    const { path, admin, members } = await createOrganization(app)
    const answer = await app.patch(path, { name: 'Renamed' }, admin.token)
    expect([answer.status, answer.body.name]).toEqual([200, 'Renamed'])
    await app.runDueJobs()
    const events = await app.app.ctx.db.read.all(sql`select type from events
      where user_id = ${members[0]!.userId} and type = 'org.updated'`)
    expect(events).toHaveLength(1)
  })

  test('400 request.body_required for an empty change', async () => {
    const { path, owner } = await createOrganization(app)
    expectProblem(await app.patch(path, {}, owner.token), 400, 'request.body_required')
  })

  test('403 org.role_denied for a member, before the body is read', async () => {
    const { path, members } = await createOrganization(app)
    const answer = await app.patch(path, { unknown: true }, members[0]!.token)
    expectProblem(answer, 403, 'org.role_denied')
    expect(answer.body.required_role).toBe('admin')
  })
})

describe('DELETE /orgs/{org_id}', () => {
  test('204: keys, invitations and memberships are gone at once', async () => {
    const org = await createOrganization(app)
    const { path, owner, members } = org
    const code = await invite(app, org)
    const { key } = (await app.post(`${path}/keys`, { name: 'K', permissions: {} }, owner.token)).body
    expect((await app.del(path, owner.token)).status).toBe(204)
    expectProblem(await app.get('/auth/me', key), 401, 'token.invalid')
    expectProblem(await app.post('/orgs/join', { code }, members[0]!.token), 410, 'org.code_invalid')
    expectProblem(await app.get(path, owner.token), 404, 'org.not_found')
    expectProblem(await app.get(`${path}/activities`, owner.token), 404, 'org.not_found')
    expect((await app.get('/orgs', members[0]!.token)).body.items).toEqual([])
  })

  test('the members are told, and no row of the organization is left', async () => {
    const { id, path, owner, members } = await createOrganization(app, 3)
    await app.post(`${path}/groups`, { name: 'ops', user_ids: [members[0]!.userId] }, owner.token)
    await app.post(`${path}/activities`, { slug: 'a', name: 'A' }, owner.token)
    await app.del(path, owner.token)
    for (let step = 0; step < 5; step++) await app.runDueJobs()
    const { read } = app.app.ctx.db
    for (const { userId } of [owner, ...members]) {
      const events = await read.all(sql`select number from events where user_id = ${userId} and type = 'org.left'`)
      expect(events).toHaveLength(1)
    }
    expect(await read.all(sql`select id from users where id = ${id}`)).toEqual([])
    expect(await read.all(sql`select user_id from memberships where org_id = ${id}`)).toEqual([])
    expect(await read.all(sql`select id from activities where user_id = ${id}`)).toEqual([])
  })

  test('403 org.role_denied for an admin', async () => {
    const { path, admin } = await createOrganization(app)
    const answer = await app.del(path, admin.token)
    expectProblem(answer, 403, 'org.role_denied')
    expect(answer.body.required_role).toBe('owner')
  })
})

describe('an organization that the caller is not in', () => {
  test.each(['5d6bb3ce-4d1f-4b52-8a6f-0d1b4b1c2d3e', 'x', '%00', 'A'.repeat(64)])('404 for the id %s', async (id) => {
    const { token } = await app.addUser()
    expectProblem(await app.get(`/orgs/${id}`, token), 404, 'org.not_found')
  })

  test('400 path.too_long for an id of 65 characters', async () => {
    const { token } = await app.addUser()
    expectProblem(await app.get(`/orgs/${'a'.repeat(65)}`, token), 400, 'path.too_long')
  })

  test('422 names the member of the body that is wrong', async () => {
    const { path, owner } = await createOrganization(app)
    expect(locations(await app.patch(path, { name: 1 }, owner.token))).toEqual(['body.name'])
  })
})

test('the operator finds an organization by its name, and lists all of them and their members', async () => {
  const { id, owner, admin, members } = await createOrganization(app)
  await app.patch(`/orgs/${id}`, { name: 'Only one' }, owner.token)
  const { ctx } = app.app
  const found = await requireOrganization(ctx, 'Only one')
  expect(found.id).toBe(id)
  expect(await allOrganizationsOfServer(ctx)).toContainEqual(found)
  const joined = [owner, admin, ...members].map(({ userId, name }) => ({ userId, name }))
  expect(await membersOf(ctx, found)).toMatchObject(joined)
})
