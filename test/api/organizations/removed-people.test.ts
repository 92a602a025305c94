// People who were removed stay out: no code that was open at their removal lets them in, nor do the codes that they made.
import { describe, expect, test } from 'vitest'
import { dropMember, requireOrganization, requirePerson } from '../../../src/operations/organizations/operate.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createOrganization, invite, type TestOrganization } from '../../support/organizations/organization.ts'

const app = useTestApp()
const join = (code: string, { token }: TestUser) => app.post('/orgs/join', { code }, token)
const remove = async ({ path, owner }: TestOrganization, { userId }: TestUser) =>
  expect((await app.del(`${path}/members/${userId}`, owner.token)).status).toBe(204)
const leave = async ({ path }: TestOrganization, { token }: TestUser) =>
  expect((await app.del(`${path}/members/me`, token)).status).toBe(204)
const makeAdmin = async ({ path, owner }: TestOrganization, { userId }: TestUser, role = 'admin') =>
  expect((await app.patch(`${path}/members/${userId}`, { role }, owner.token)).status).toBe(200)

describe('a member who is removed', () => {
  test('410 org.code_invalid with every code that was open then, also as a dry run; 201 with a newer one', async () => {
    const org = await createOrganization(app)
    const person = await app.addUser()
    const [used, unused] = [await invite(app, org, { max_uses: 5 }), await invite(app, org)]
    expect((await join(used, person)).status).toBe(201)
    await remove(org, person)
    for (const code of [used, unused]) {
      expectProblem(await join(code, person), 410, 'org.code_invalid')
      expectProblem(await app.post('/orgs/join?dry_run=true', { code }, person.token), 410, 'org.code_invalid')
    }
    // A refused join uses nothing up, and others join by the same code.
    for (const code of [used, unused]) expect((await join(code, await app.addUser())).status).toBe(201)
    expect((await join(await invite(app, org), person)).status).toBe(201)
    // A member again: an old code says so and changes nothing.
    expect((await join(used, person)).status).toBe(200)
  })

  test('is barred again by a second removal, and by the operator as well', async () => {
    const org = await createOrganization(app)
    const [member] = org.members as [TestUser]
    const code = await invite(app, org, { max_uses: 5 })
    const { ctx } = app.app
    await dropMember(ctx, await requireOrganization(ctx, org.id), await requirePerson(ctx, member.userId))
    expectProblem(await join(code, member), 410, 'org.code_invalid')
    const newer = await invite(app, org, { max_uses: 5 })
    expect((await join(newer, member)).status).toBe(201)
    await remove(org, member)
    for (const old of [code, newer]) expectProblem(await join(old, member), 410, 'org.code_invalid')
  })

  test('who leaves by themselves may come back by the same code', async () => {
    const org = await createOrganization(app)
    const person = await app.addUser()
    const code = await invite(app, org, { max_uses: 5 })
    await join(code, person)
    await leave(org, person)
    expect((await join(code, person)).status).toBe(201)
  })

  test('nothing is kept of it once the code is deleted', async () => {
    const org = await createOrganization(app)
    const [member] = org.members as [TestUser]
    await invite(app, org)
    await remove(org, member)
    const bars = () => app.app.ctx.db.read.all(sql`select code_id from join_code_bars where user_id = ${member.userId}`)
    expect(await bars()).toHaveLength(1)
    const [{ id }] = (await app.get(`${org.path}/invitations`, org.owner.token)).body.items
    await app.del(`${org.path}/invitations/${id}`, org.owner.token)
    expect(await bars()).toEqual([])
  })
})

describe('the invitations that an admin made', () => {
  test.each([
    ['is removed', remove],
    ['leaves', leave],
  ])('end when the admin %s; those of others go on', async (_how, end) => {
    const org = await createOrganization(app)
    const { path, owner, admin } = org
    const made = (await app.post(`${path}/invitations`, { max_uses: 5 }, admin.token)).body
    const other = await invite(app, org, { max_uses: 5 })
    await end(org, admin)
    const open = (await app.get(`${path}/invitations`, owner.token)).body.items
    expect(open.map(({ code }: { code: string }) => code)).toEqual([other])
    for (const person of [admin, await app.addUser()])
      expectProblem(await join(made.code, person), 410, 'org.code_invalid')
    expect((await join(other, await app.addUser())).status).toBe(201)
  })

  test('stay while the admin is a member, also in a lower role', async () => {
    const org = await createOrganization(app)
    const { code } = (await app.post(`${org.path}/invitations`, undefined, org.admin.token)).body
    await makeAdmin(org, org.admin, 'member')
    expect((await join(code, await app.addUser())).status).toBe(201)
  })
})

test('a former admin does not leave and come back as admin by a code that was open', async () => {
  const org = await createOrganization(app)
  const [asAdmin, asMember] = [await invite(app, org, { role: 'admin' }), await invite(app, org)]
  await makeAdmin(org, org.admin, 'member')
  await leave(org, org.admin)
  expectProblem(await join(asAdmin, org.admin), 410, 'org.code_invalid')
  expect((await join(asMember, org.admin)).body.role).toBe('member')
})

test('the keys that a removed admin made go on: they are the organization’s', async () => {
  const org = await createOrganization(app)
  const permissions = { notifications: 'send' }
  const { key } = (await app.post(`${org.path}/keys`, { name: 'K', permissions }, org.admin.token)).body
  await remove(org, org.admin)
  expect((await app.post('/notifications', { title: 'T', body: 'B' }, key)).status).toBe(201)
})
