// Escalation policies over the API: what may be set, by whom, and what keeps one from being deleted.
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { type FakeSmtp, startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings } from '../../support/fakes/mail.ts'
import { addGroup, createOrganization } from '../../support/organizations/organization.ts'
import { addOrgKey } from '../../support/organizations/sends.ts'

let smtp: FakeSmtp
let app: TestApp
let user: TestUser
beforeAll(async () => {
  smtp = await startFakeSmtp()
  app = await startTestApp(mailSettings(smtp.port))
})
afterAll(async () => {
  await app.stop()
  await smtp.close()
})
beforeEach(async () => {
  user = await app.addUser()
})

const LOUDER = { after_seconds: 300, level: 'critical' }
const policy = (members: object = {}) => ({ slug: 'night', name: 'Night', steps: [LOUDER], ...members })
const put = (members: object = {}, token = user.token, query = '') =>
  app.post(`/escalations${query}`, policy(members), token)
const list = async (token = user.token) => (await app.get('/escalations', token)).body.items

describe('POST, GET and PATCH /escalations', () => {
  test('201 with every member as it was given, then 200 with the new steps under the same slug', async () => {
    await addVerified(app, user)
    const steps = [
      { after_seconds: 60, level: 'time-sensitive', repeat_seconds: 30 },
      { after_seconds: 120, emails: ['ada@example.org'] },
      { after_seconds: 10_800, callback_url: 'https://example.org/escalated' },
    ]
    const { status, body } = await put({ steps })
    expect(status).toBe(201)
    const at = new Date(app.clock.now()).toISOString()
    expect(body).toEqual({ slug: 'night', name: 'Night', steps, created_at: at, updated_at: at })
    app.advanceSeconds(1)
    const again = await put({ name: 'Nights' })
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ name: 'Nights', steps: [LOUDER], created_at: at })
    expect(await list()).toEqual([again.body])
    expect((await app.get('/escalations/night', user.token)).body).toEqual(again.body)
    const patched = await app.patch('/escalations/night', { name: 'Late' }, user.token)
    expect(patched.body).toMatchObject({ name: 'Late', steps: [LOUDER] })
  })

  test('event streams learn of every change', async () => {
    const events = await openEvents(app.url, user.token)
    await put()
    await put({ name: 'Nights' })
    await app.patch('/escalations/night', { name: 'Late' }, user.token)
    await app.del('/escalations/night', user.token)
    await eventually(() => expect(events.events).toHaveLength(4))
    events.close()
    const data = { slug: 'night' }
    expect(events.events.map(({ event, data }) => [event, data.data])).toEqual([
      ...Array(3).fill(['escalation.updated', data]),
      ['escalation.deleted', data],
    ])
  })

  test('a policy with e-mails is refused by a server that sends none', async () => {
    const server = await startTestApp()
    onTestFinished(() => server.stop())
    const { token } = await server.addUser()
    const steps = [{ after_seconds: 60, emails: ['ada@example.org'] }]
    expectProblem(await server.post('/escalations', policy({ steps }), token), 503, 'email.not_enabled')
  })

  test('?dry_run=true checks everything and stores nothing', async () => {
    expect((await put({}, user.token, '?dry_run=true')).body).toMatchObject({
      valid: true,
      would: { action: 'created', resource: { slug: 'night' }, pushes: [] },
    })
    expect(await list()).toEqual([])
    await put()
    const patched = await app.patch('/escalations/night?dry_run=true', { name: 'Late' }, user.token)
    expect(patched.body).toMatchObject({ valid: true, would: { action: 'updated', resource: { name: 'Late' } } })
    expect(await list()).toMatchObject([{ name: 'Night' }])
  })

  test('422 for what the schema states: 1 to 5 steps, their bounds, and no unknown member', async () => {
    const bad = [
      { steps: [] },
      { steps: Array.from({ length: 6 }, (_, index) => ({ ...LOUDER, after_seconds: 60 + index })) },
      { steps: [{ ...LOUDER, after_seconds: 59 }] },
      { steps: [{ ...LOUDER, after_seconds: 10_801 }] },
      { steps: [{ ...LOUDER, level: 'passive' }] },
      { steps: [{ ...LOUDER, repeat_seconds: 29 }] },
      { steps: [{ ...LOUDER, emails: Array(6).fill('ada@example.org') }] },
      { steps: [{ ...LOUDER, sound: 'siren' }] },
      { name: '' },
      { slug: 'a b' },
    ]
    for (const members of bad) expectProblem(await put(members), 422, 'request.validation_failed')
    expect(await list()).toEqual([])
  })

  test('400 escalation.invalid lists every step that breaks a rule', async () => {
    const refused = await put({
      steps: [
        { after_seconds: 60, repeat_seconds: 30 },
        { after_seconds: 60, level: 'critical' },
        { after_seconds: 120, emails: ['Ada <ada@example.org>', 'bob@example.org', 'BOB@example.org'] },
        { after_seconds: 180, callback_url: 'https://169.254.169.254/' },
      ],
    })
    expectProblem(refused, 400, 'escalation.invalid')
    expect(locations(refused)).toEqual([
      ...['body.steps[0]', 'body.steps[1].after_seconds', 'body.steps[2].emails[0]', 'body.steps[2].emails[2]'],
      'body.steps[3].callback_url',
    ])
  })

  test('403 for an address that has not agreed, and for a key that may not send e-mail; 422 for a target', async () => {
    const steps = [{ after_seconds: 60, emails: ['ada@example.org'] }]
    expectProblem(await put({ steps }), 403, 'email.recipient_not_verified')
    await addVerified(app, user)
    const key = await app.addKey(user, { name: 'K', permissions: { notifications: 'schedule' } })
    expectProblem(await put({ steps }, key), 403, 'integration_key.permission_denied')
    expect((await put({}, key)).status).toBe(201)
    const target = { groups: ['ops'] }
    expectProblem(await put({ steps: [{ after_seconds: 60, target }] }), 422, 'org.target_unavailable')
  })

  test('404 for another account, and 409 beyond the cap; ten at once stay within it', async () => {
    await put()
    const other = await app.addUser()
    for (const method of ['get', 'del'] as const) {
      expectProblem(await app[method]('/escalations/night', other.token), 404, 'escalation.not_found')
    }
    expectProblem(await app.patch('/escalations/night', { name: 'X' }, other.token), 404, 'escalation.not_found')
    await app.setPlan(user, 'free')
    const most = LIMITS.escalation.maxPerAccount.free
    const answers = await Promise.all(Array.from({ length: most }, (_, index) => put({ slug: `p${index}` })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(most - 1).fill(201), 409])
    expectProblem(await put({ slug: 'more' }), 409, 'escalation.limit_exceeded')
    expect((await put({ name: 'Changed' })).status).toBe(200)
  })
})

describe('DELETE /escalations/{slug}', () => {
  const acknowledge = { escalation: 'night' }
  const users = [
    { kind: 'heartbeats', path: '/heartbeats', body: { slug: 'h', name: 'H', every_seconds: 60, acknowledge } },
    {
      kind: 'schedules',
      path: '/notifications/scheduled',
      body: { title: 'T', body: 'B', acknowledge, send_at: '2099-01-01T00:00:00Z' },
    },
    {
      kind: 'hooks',
      path: '/integrations/hooks',
      body: { name: 'H', kind: 'generic', options: { acknowledge_from: 'active', escalation: 'night' } },
    },
  ]

  test.each(users)('409 while $kind name it, unless it is forced', async ({ kind, path, body }) => {
    const sendAt = new Date(app.clock.now() + 3_600_000).toISOString()
    const input = 'send_at' in body ? { ...body, send_at: sendAt } : body
    expectProblem(await app.post(path, input, user.token), 422, 'escalation.unknown')
    await put()
    expect((await app.post(path, input, user.token)).status).toBe(201)
    const refused = await app.del('/escalations/night', user.token)
    expectProblem(refused, 409, 'escalation.in_use')
    expect(refused.body.used_by).toEqual({ heartbeats: 0, hooks: 0, schedules: 0, [kind]: 1 })
    expect((await app.del('/escalations/night?force=true', user.token)).status).toBe(204)
    expect(await list()).toEqual([])
  })

  test('204 if nothing names it; a send that names it later is refused, and one that is planned goes out without', async () => {
    await put()
    const alert = { title: 'T', body: 'B', acknowledge }
    const sendAt = new Date(app.clock.now() + 60_000).toISOString()
    await app.post('/notifications/scheduled', { ...alert, send_at: sendAt }, user.token)
    expect((await app.del('/escalations/night?force=true', user.token)).status).toBe(204)
    expectProblem(await app.post('/notifications', alert, user.token), 422, 'escalation.unknown')
    app.advanceSeconds(60)
    await app.runDueJobs()
    const { items } = (await app.get('/notifications/receipts', user.token)).body
    expect(items).toMatchObject([{ status: 'active', repeats_sent: 0 }])
    expect(items[0].escalation).toBeUndefined()
  })
})

describe('a policy of an organization', () => {
  test('names groups, which are then in use, and only within the limit of the key that sets or uses it', async () => {
    const org = await createOrganization(app, 1)
    const [ops, dev] = [await addGroup(app, org, 'ops', org.members), await addGroup(app, org, 'dev')]
    const target = { groups: ['ops'] }
    const steps = [{ after_seconds: 60, target }]
    const create = (members: object) => app.post(`${org.path}/escalations`, policy(members), org.owner.token)
    const unknown = await create({ steps: [LOUDER, { after_seconds: 600, target: { groups: ['gone'] } }] })
    expectProblem(unknown, 422, 'org.target_unknown')
    expect(locations(unknown)).toEqual(['body.steps[1].target.groups[0]'])
    expect((await create({ steps })).body.steps).toEqual(steps)
    const used = await app.del(`${org.path}/groups/${ops}`, org.owner.token)
    expectProblem(used, 409, 'org.in_use')
    expect(used.body.used_by.escalations).toBe(1)
    // Any of its steps may name the group.
    const late = await addGroup(app, org, 'late')
    await create({ slug: 'two', steps: [...steps, { after_seconds: 600, target: { groups: ['late'] } }] })
    expectProblem(await app.del(`${org.path}/groups/${late}`, org.owner.token), 409, 'org.in_use')
    await app.del(`${org.path}/escalations/two`, org.owner.token)
    const { key } = await addOrgKey(app, org, { target: { group_ids: [dev] } })
    expectProblem(await put({ slug: 'mine', steps }, key), 403, 'integration_key.target_denied')
    const alert = { title: 'T', body: 'B', acknowledge: { escalation: 'night' } }
    expectProblem(await app.post('/notifications', alert, key), 403, 'integration_key.target_denied')
    expect((await app.get(`${org.path}/escalations/night`, org.owner.token)).body.steps).toEqual(steps)
    expectProblem(await app.get(`${org.path}/escalations`, org.members[0]!.token), 403, 'org.role_denied')
  })

  test('with targets is read, changed and deleted by a limited key only if all of them are inside its limit', async () => {
    const org = await createOrganization(app, 1)
    const [ops] = [await addGroup(app, org, 'ops', org.members), await addGroup(app, org, 'sre')]
    const { key } = await addOrgKey(app, org, { target: { group_ids: [ops] } })
    const at = (seconds: number, group: string) => ({ after_seconds: seconds, target: { groups: [group] } })
    const create = (slug: string, steps: object[]) =>
      app.post(`${org.path}/escalations`, policy({ slug, steps }), org.owner.token)
    await create('ours', [LOUDER, at(600, 'ops')])
    await create('theirs', [at(60, 'sre')])
    await create('both', [at(60, 'ops'), at(120, 'sre')])
    const listed = (await app.get('/escalations', key)).body.items
    expect(listed.map(({ slug }: { slug: string }) => slug)).toEqual(['ours'])
    expect((await app.patch('/escalations/ours', { name: 'N' }, key)).status).toBe(200)
    expect((await put({ slug: 'ours', steps: [at(60, 'ops')] }, key)).status).toBe(200)
    for (const slug of ['theirs', 'both']) {
      expectProblem(await app.get(`/escalations/${slug}`, key), 404, 'escalation.not_found')
      expectProblem(await app.patch(`/escalations/${slug}`, { name: 'N' }, key), 404, 'escalation.not_found')
      expectProblem(await app.del(`/escalations/${slug}?force=true`, key), 404, 'escalation.not_found')
      expectProblem(await put({ slug, steps: [at(60, 'ops')] }, key), 403, 'integration_key.target_denied')
    }
    expect((await app.del('/escalations/ours', key)).status).toBe(204)
  })

  test('without targets is named and read by a limited key, without its callbacks, and changed by the organization', async () => {
    const org = await createOrganization(app, 1)
    const ops = await addGroup(app, org, 'ops', org.members)
    const { key } = await addOrgKey(app, org, { target: { group_ids: [ops] } })
    const called = { ...LOUDER, callback_url: 'https://example.org/hook?token=secret' }
    await app.post(`${org.path}/escalations`, policy({ steps: [called] }), org.owner.token)
    const seen = [(await app.get('/escalations/night', key)).body, ...(await app.get('/escalations', key)).body.items]
    for (const { steps } of seen) expect(steps).toEqual([LOUDER])
    const alert = { title: 'T', body: 'B', acknowledge: { escalation: 'night' } }
    expect((await app.post('/notifications', alert, key)).status).toBe(201)
    const denied = 'integration_key.target_denied'
    expectProblem(await app.patch('/escalations/night', { name: 'N' }, key), 403, denied)
    expectProblem(await app.del('/escalations/night?force=true', key), 403, denied)
    expectProblem(await put({ steps: [{ after_seconds: 60, target: { groups: ['ops'] } }] }, key), 403, denied)
    // What it makes is inside its limit.
    expectProblem(await put({ slug: 'mine', steps: [LOUDER] }, key), 403, denied)
    const steps = [{ ...called, target: { groups: ['ops'] } }]
    expect((await put({ slug: 'mine', steps }, key)).body.steps).toEqual(steps)
    expectProblem(await app.patch('/escalations/mine', { steps: [LOUDER] }, key), 403, denied)
    const owned = await app.get(`${org.path}/escalations/night`, org.owner.token)
    expect(owned.body.steps).toEqual([called])
  })
})
