// Invitations, and joining by one.
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { addGroup, createOrganization, invite } from '../../support/organizations/organization.ts'

const app = useTestApp({ HELIOGRAPH_PUBLIC_URL: 'https://push.example.org' })
const join = (code: string, { token }: TestUser) => app.post('/orgs/join', { code }, token)
const openOnes = async ({ path, owner }: { path: string; owner: TestUser }) =>
  (await app.get(`${path}/invitations`, owner.token)).body.items

describe('POST /orgs/{org_id}/invitations', () => {
  test('201 without a body: one member, for a day', async () => {
    const { path, admin } = await createOrganization(app)
    const answer = await app.post(`${path}/invitations`, undefined, admin.token)
    expect(answer.status).toBe(201)
    const { code } = answer.body
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{8}$/)
    expect(answer.body).toMatchObject({
      join_url: `https://push.example.org/app/#org=${code}`,
      role: 'member',
      max_uses: 1,
      use_count: 0,
      expires_at: new Date(app.clock.now() + 86_400_000).toISOString(),
    })
    expect(answer.body).not.toHaveProperty('group_ids')
  })

  test('201 with a role, groups, uses and time of its own', async () => {
    const org = await createOrganization(app)
    const groupId = await addGroup(app, org, 'ops')
    const code = await invite(app, org, { role: 'admin', max_uses: 2, expires_in: 60, group_ids: [groupId] })
    const person = await app.addUser()
    expect((await join(code, person)).body).toMatchObject({ id: org.id, role: 'admin' })
    expect((await app.get(`${org.path}/members/me`, person.token)).body.group_ids).toEqual([groupId])
    expect(await openOnes(org)).toMatchObject([{ code, use_count: 1, group_ids: [groupId] }])
  })

  test('200 the open ones, newest first; a group that is named twice is there once', async () => {
    const org = await createOrganization(app)
    const groupId = await addGroup(app, org, 'ops')
    const older = await invite(app, org, { group_ids: [groupId, groupId] })
    app.advanceSeconds(1)
    const newer = await invite(app, org)
    expect(await openOnes(org)).toMatchObject([{ code: newer }, { code: older, group_ids: [groupId] }])
  })

  test('403 org.role_denied: only owners invite admins', async () => {
    const { path, admin } = await createOrganization(app)
    const answer = await app.post(`${path}/invitations`, { role: 'admin' }, admin.token)
    expectProblem(answer, 403, 'org.role_denied')
    expect(answer.body.required_role).toBe('owner')
  })

  test('409 org.limit_exceeded for the 101st open one; a deleted one makes room', async () => {
    const org = await createOrganization(app)
    const { path, owner } = org
    for (let made = 0; made < LIMITS.organization.maxOpenInvitations; made++) await invite(app, org)
    const answer = await app.post(`${path}/invitations`, {}, owner.token)
    expectProblem(answer, 409, 'org.limit_exceeded')
    expect(answer.body).toMatchObject({ kind: 'invitations', limit: 100 })
    const [{ id }] = await openOnes(org)
    expect((await app.del(`${path}/invitations/${id}`, owner.token)).status).toBe(204)
    expect((await app.post(`${path}/invitations`, {}, owner.token)).status).toBe(201)
  })

  test.each([{ role: 'owner' }, { max_uses: 0 }, { max_uses: 1001 }, { expires_in: 59 }, { expires_in: 604_801 }])(
    '422 for %j',
    async (terms) => {
      const { path, owner } = await createOrganization(app)
      expectProblem(await app.post(`${path}/invitations`, terms, owner.token), 422, 'request.validation_failed')
    },
  )

  test('422 org.target_unknown for a group that does not exist', async () => {
    const { path, owner } = await createOrganization(app)
    const answer = await app.post(`${path}/invitations`, { group_ids: ['nope'] }, owner.token)
    expectProblem(answer, 422, 'org.target_unknown')
    expect(locations(answer)).toEqual(['body.group_ids[0]'])
  })
})

describe('DELETE /orgs/{org_id}/invitations/{invitation_id}', () => {
  test('204: the code admits nobody any more, who has joined stays', async () => {
    const org = await createOrganization(app)
    const [early, late] = [await app.addUser(), await app.addUser()]
    const code = await invite(app, org, { max_uses: 2 })
    await join(code, early)
    const [{ id }] = await openOnes(org)
    expect((await app.del(`${org.path}/invitations/${id}`, org.admin.token)).status).toBe(204)
    expectProblem(await join(code, late), 410, 'org.code_invalid')
    expect((await app.get(org.path, early.token)).status).toBe(200)
    expectProblem(await app.del(`${org.path}/invitations/${id}`, org.admin.token), 404, 'org_invitation.not_found')
  })

  test('404 for the invitation of another organization', async () => {
    const [one, other] = [await createOrganization(app), await createOrganization(app)]
    await invite(app, other)
    const [{ id }] = await openOnes(other)
    expectProblem(await app.del(`${one.path}/invitations/${id}`, one.owner.token), 404, 'org_invitation.not_found')
  })
})

describe('POST /orgs/join', () => {
  test('201 once, 200 after that, with one use; in any spelling of the code', async () => {
    const org = await createOrganization(app)
    const person = await app.addUser()
    const code = await invite(app, org, { max_uses: 2 })
    const spelled = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `
    const first = await join(spelled, person)
    expect([first.status, first.body]).toEqual([201, expect.objectContaining({ id: org.id, role: 'member' })])
    expect((await join(code, person)).status).toBe(200)
    expect(await openOnes(org)).toMatchObject([{ use_count: 1 }])
  })

  test('200 for a member with a code that is used up or for a higher role; the role stays', async () => {
    const org = await createOrganization(app)
    const [person, other] = [await app.addUser(), await app.addUser()]
    const usedUp = await invite(app, org)
    await join(usedUp, person)
    expect((await join(usedUp, person)).status).toBe(200)
    expectProblem(await join(usedUp, other), 410, 'org.code_invalid')
    const answer = await join(await invite(app, org, { role: 'admin' }), person)
    expect([answer.status, answer.body.role]).toEqual([200, 'member'])
  })

  test('410 for a member too, once the code is expired', async () => {
    const org = await createOrganization(app)
    const code = await invite(app, org, { expires_in: 60 })
    app.advanceSeconds(60)
    expectProblem(await join(code, org.members[0]!), 410, 'org.code_invalid')
  })

  test('410 org.code_invalid in the same words for every reason', async () => {
    const org = await createOrganization(app)
    const person = await app.addUser()
    const usedUp = await invite(app, org)
    await join(usedUp, await app.addUser())
    const expired = await invite(app, org, { expires_in: 60 })
    app.advanceSeconds(61)
    const details = new Set<string>()
    for (const code of [usedUp, expired, 'ZZZZZZZZ', 'not a code']) {
      const answer = await join(code, person)
      expectProblem(answer, 410, 'org.code_invalid')
      details.add(answer.body.detail)
    }
    expect(details.size).toBe(1)
  })

  test('409 org.limit_exceeded in a full organization, and the invitation is not used up', async () => {
    const org = await createOrganization(app)
    await app.app.ctx.db.transact((tx) => tx.execute(sql`update users set plan = 'free' where id = ${org.id}`))
    const code = await invite(app, org, { max_uses: 20 })
    for (let members = 3; members < LIMITS.organization.maxMembers.free; members++) {
      expect((await join(code, await app.addUser())).status).toBe(201)
    }
    const answer = await join(code, await app.addUser())
    expectProblem(answer, 409, 'org.limit_exceeded')
    expect(answer.body).toMatchObject({ kind: 'members', limit: 10 })
    expect(await openOnes(org)).toMatchObject([{ use_count: 7 }])
  })

  test('409 org.limit_exceeded for the 21st organization of a person', async () => {
    const org = await createOrganization(app)
    const person = await app.addUser()
    for (let made = 0; made < 20; made++) await app.post('/orgs', { name: `Org ${made}` }, person.token)
    const code = await invite(app, org)
    const answer = await join(code, person)
    expectProblem(answer, 409, 'org.limit_exceeded')
    expect(answer.body).toMatchObject({ kind: 'organizations', limit: 20 })
    expect((await join(code, await app.addUser())).status).toBe(201)
  })

  test('?dry_run=true: 200 says what would happen and uses nothing up; the same refusals', async () => {
    const org = await createOrganization(app)
    const person = await app.addUser()
    const code = await invite(app, org, { role: 'admin' })
    const dryRun = (what: string) => app.post('/orgs/join?dry_run=true', { code: what }, person.token)
    const answer = await dryRun(code)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ valid: true, would: { org: { id: org.id, name: 'Example' }, role: 'admin' } })
    expectProblem(await app.get(org.path, person.token), 404, 'org.not_found')
    expect(await openOnes(org)).toMatchObject([{ use_count: 0 }])
    expectProblem(await dryRun('ZZZZZZZZ'), 410, 'org.code_invalid')
  })

  test('an invitation that has expired is deleted after 7 days', async () => {
    const org = await createOrganization(app)
    await invite(app, org, { expires_in: 60 })
    const housekeep = async () => {
      await scheduleHousekeeping(app.app.ctx)
      await app.runDueJobs()
    }
    const stored = () =>
      app.app.ctx.db.read.all(sql`select id from join_codes where user_id = ${org.id} and use_count = 0`)
    app.advanceSeconds(6 * 86_400)
    await housekeep()
    expect(await stored()).toHaveLength(1)
    app.advanceSeconds(2 * 86_400)
    await housekeep()
    expect(await stored()).toHaveLength(0)
  })
})

describe('429 rate_limit.exceeded', () => {
  test('after 20 refused codes a minute from one address, of shares and invitations together', async () => {
    const org = await createOrganization(app)
    const person = await app.addUser()
    app.advanceSeconds(60)
    const half = LIMITS.rate.refusedCodesPerMinute / 2
    for (let guess = 0; guess < half; guess++) {
      expectProblem(await join('ZZZZZZZZ', person), 410, 'org.code_invalid')
      expectProblem(await app.post('/shares/join', { code: 'ZZZZZZZZ' }, person.token), 410, 'share.code_invalid')
    }
    const code = await invite(app, org)
    const answer = await join(code, person)
    expectProblem(answer, 429, 'rate_limit.exceeded')
    expect(answer.headers.get('retry-after')).toBe('60')
    app.advanceSeconds(60)
    expect((await join(code, person)).status).toBe(201)
  })
})

test('410: a share code leads to no organization, and an invitation to no share', async () => {
  const org = await createOrganization(app)
  const [owner, person] = [await app.addUser(), await app.addUser()]
  const shared = await app.post('/shares/patterns', { slug_pattern: 'build*' }, owner.token)
  expect(shared.status).toBe(201)
  expectProblem(await join(shared.body.code, person), 410, 'org.code_invalid')
  expectProblem(
    await app.post('/shares/join', { code: await invite(app, org) }, person.token),
    410,
    'share.code_invalid',
  )
})
