// POST /notifications with a key of an organization and under its prefix, and GET of what was sent.
import { describe, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestUser } from '../../support/app.ts'
import { type ApplePhone, addPhone } from '../../support/devices/phone.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { addGroup, createOrganization, join, type TestOrganization } from '../../support/organizations/organization.ts'
import { addMembers, addOrgKey, addTag, inboxOf, type OrgKey, setTags } from '../../support/organizations/sends.ts'
import { setUsed } from '../../support/usage.ts'

const app = usePushApp()

const MESSAGE = { title: 'Water', body: 'in the cellar' }
const post = ({ key }: OrgKey, members: object = {}, query = '') =>
  app.post(`/notifications${query}`, { ...MESSAGE, ...members }, key)
const postAsAdmin = ({ path, admin }: TestOrganization, members: object = {}) =>
  app.post(`${path}/notifications`, { ...MESSAGE, ...members }, admin.token)
const usedBy = async ({ path, owner }: TestOrganization) => (await app.get(path, owner.token)).body.notifications_used
const useUp = ({ id }: TestOrganization, count: number) =>
  setUsed(app, { userId: id as TestUser['userId'] }, 'notifications', count)
const setFree = ({ id }: TestOrganization) =>
  app.app.ctx.db.transact((tx) => tx.execute(sql`update users set plan = 'free' where id = ${id}`))
const alerts = async (phone: ApplePhone) => (await phone.pushes()).filter((push) => push.aps?.alert).length

async function createCrew(memberCount = 2) {
  const org = await createOrganization(app, memberCount)
  const [first, second] = org.members as [TestUser, TestUser]
  return { org, first, second, key: await addOrgKey(app, org) }
}

describe('201 delivery', () => {
  test('all, of the devices that have a push channel and that the target allows', async () => {
    const { org, first, second, key } = await createCrew()
    await addTag(app, org, 'wall')
    const [tagged, plain] = [
      await addPhone(app, { app, user: first, name: 'Wall' }),
      await addPhone(app, { app, user: first }),
    ]
    await addPhone(app, { app, user: second })
    await setTags(app, first, tagged.id, ['wall'])
    const everyone = (await post(key)).body
    expect(everyone).toMatchObject({ delivery: 'all', recipients: { members: 4, devices: 3, stored: 4, done: true } })
    expect(everyone).not.toHaveProperty('reason')
    const wall = (await post(key, { target: { tags: ['wall'] } })).body
    expect(wall).toMatchObject({ delivery: 'all', recipients: { members: 1, devices: 1, stored: 1, done: true } })
    expect([await alerts(tagged), await alerts(plain)]).toEqual([2, 1])
  })

  test('partial and none with apns_rejected, for some or all devices that refused', async () => {
    const { first, second, key } = await createCrew()
    const phones = [await addPhone(app, { app, user: first }), await addPhone(app, { app, user: second })] as const
    app.apns.script(phones[0].token, { status: 400, reason: 'PayloadEmpty' })
    expect((await post(key)).body).toMatchObject({ delivery: 'partial', reason: 'apns_rejected' })
    for (const { token } of phones) app.apns.script(token, { status: 400, reason: 'PayloadEmpty' })
    expect((await post(key)).body).toMatchObject({ delivery: 'none', reason: 'apns_rejected' })
  })

  test('none with push_disabled: entries without a push, for those whom the target reaches, and free', async () => {
    const { org, first, second, key } = await createCrew()
    await addTag(app, org, 'wall')
    const phone = await addPhone(app, { app, user: first })
    await addPhone(app, { app, user: second })
    await setTags(app, first, phone.id, ['wall'])
    const { body } = await post(key, { push: false, target: { tags: ['wall'] } })
    expect(body).toMatchObject({ delivery: 'none', reason: 'push_disabled', recipients: { members: 1, stored: 1 } })
    expect([(await inboxOf(app, first)).length, (await inboxOf(app, second)).length]).toEqual([1, 0])
    expect([await alerts(phone), await usedBy(org)]).toEqual([0, 0])
  })

  test('a muted member gets the entry and no push, and is not among the devices', async () => {
    const { org, first, second, key } = await createCrew()
    const phones = [await addPhone(app, { app, user: first }), await addPhone(app, { app, user: second })] as const
    const muted_until = new Date(app.clock.now() + 60_000).toISOString()
    await app.patch(`${org.path}/members/me`, { muted_until }, first.token)
    expect((await post(key)).body).toMatchObject({ delivery: 'all', recipients: { members: 4, devices: 1, stored: 4 } })
    expect([await alerts(phones[0]), await alerts(phones[1])]).toEqual([0, 1])
    expect(await inboxOf(app, first)).toHaveLength(1)
    app.advanceSeconds(60)
    expect((await post(key)).body.recipients.devices).toBe(2)
  })

  test('more than 100 members: the first 100 have it with the answer, the others soon after, everyone once', async () => {
    const { org, key } = await createCrew()
    await addMembers(app.app.ctx.db, org.id, 150, app.clock.now())
    const sent = await post(key)
    expect(sent.body.recipients).toMatchObject({ members: 154 })
    expect(sent.body.recipients.stored).toBeGreaterThanOrEqual(100)
    await eventually(async () => {
      await app.runDueJobs()
      const { recipients } = (await app.get(`/notifications/${sent.body.id}`, key.key)).body
      expect(recipients).toEqual({ members: 154, devices: 0, stored: 154, done: true })
    })
  })
})

describe('under the prefix', () => {
  test('201 for an admin: to everyone or a target, sent by no key, and counted on the organization', async () => {
    const { org, first } = await createCrew()
    await addGroup(app, org, 'ops', [first])
    const { status, body } = await postAsAdmin(org, { target: { groups: ['ops'] }, acknowledge: {} })
    expect([status, body.recipients.members, body.target]).toEqual([201, 1, { groups: ['ops'] }])
    expect((await postAsAdmin(org)).body.recipients.members).toBe(4)
    expect(await usedBy(org)).toBe(2)
    const withCallback = await postAsAdmin(org, { acknowledge: {}, callback_url: 'https://example.com/' })
    expectProblem(withCallback, 400, 'notification.invalid')
  })
})

describe('refusals, in their order', () => {
  test('422 encryption, then 403 limit, then 422 unknown, then 422 activity, then 429 quota; nothing is stored', async () => {
    const { org, first, key } = await createCrew()
    const ops = await addGroup(app, org, 'ops', [first])
    const limited = await addOrgKey(app, org, { target: { group_ids: [ops] } })
    await setFree(org)
    await useUp(org, 500)
    const unknown = { target: { groups: ['nope'] } }
    const encrypted = await app.post('/notifications', { encrypted: 'pw1.x', ...unknown }, key.key)
    expectProblem(encrypted, 422, 'notification.encryption_unavailable')
    expectProblem(await post(limited, unknown), 403, 'integration_key.target_denied')
    expectProblem(await post(key, unknown), 422, 'org.target_unknown')
    expectProblem(await post(key, { activity_slug: 'none' }), 422, 'notification.activity_not_found')
    const spent = await post(key)
    expectProblem(spent, 429, 'quota.exceeded')
    expect(spent.body).toMatchObject({ limit: 500 })
    expect(await inboxOf(app, first)).toEqual([])
    expect((await app.get('/notifications', key.key)).body.items).toEqual([])
  })

  test('400 for acknowledge to more than 1,000 members; 1,000 are fine', async () => {
    const { org, key } = await createCrew()
    await addMembers(app.app.ctx.db, org.id, 996, app.clock.now())
    expect((await post(key, { acknowledge: {} })).status).toBe(201)
    await addMembers(app.app.ctx.db, org.id, 1, app.clock.now())
    const before = await usedBy(org)
    const refused = await post(key, { acknowledge: {} })
    expectProblem(refused, 400, 'notification.invalid')
    expect(locations(refused)).toEqual(['body.acknowledge'])
    expect(await usedBy(org)).toBe(before)
    expect((await app.get('/notifications', key.key)).body.items).toHaveLength(1)
    expect((await post(key)).status).toBe(201)
  })

  test('422 for an activity that is not the organization’s; 201 for one that is', async () => {
    const { first, key } = await createCrew()
    await app.post('/activities', { slug: 'own', name: 'Own' }, first.token)
    expectProblem(await post(key, { activity_slug: 'own' }), 422, 'notification.activity_not_found')
    await app.post('/activities', { slug: 'deploy', name: 'Deploy' }, key.key)
    expect((await post(key, { activity_slug: 'deploy' })).status).toBe(201)
  })
})

describe('quota and caps of the organization', () => {
  test('429 quota.exceeded after 500 of a free one, while a member’s own sends go on', async () => {
    const { org, first, key } = await createCrew()
    await setFree(org)
    await useUp(org, 499)
    expect((await post(key)).status).toBe(201)
    const spent = await post(key)
    expectProblem(spent, 429, 'quota.exceeded')
    expect(spent.body.limit).toBe(500)
    expectProblem(await postAsAdmin(org), 429, 'quota.exceeded')
    expect((await post(key, { push: false })).status).toBe(201)
    expect((await app.post('/notifications', MESSAGE, first.defaultKey)).status).toBe(201)
  })

  test('409 for the 26th active receipt, over all its keys, while the owner opens one', async () => {
    const { org, key } = await createCrew()
    const ops = await addGroup(app, org, 'ops')
    const limited = await addOrgKey(app, org, { target: { group_ids: [ops] } })
    for (let open = 0; open < 25; open++) {
      expect((await post(open % 2 ? key : limited, { acknowledge: {} })).status).toBe(201)
    }
    expectProblem(await post(key, { acknowledge: {} }), 409, 'notification_receipt.limit_exceeded')
    expectProblem(await post(limited, { acknowledge: {} }), 409, 'notification_receipt.limit_exceeded')
    const own = await app.post('/notifications', { ...MESSAGE, acknowledge: {} }, org.owner.defaultKey)
    expect(own.status).toBe(201)
  })
})

describe('Idempotency-Key', () => {
  test('the same head again, and one entry each', async () => {
    const { org, first, key } = await createCrew()
    const call = (body: object) =>
      app.call('POST', '/notifications', { token: key.key, body, headers: { 'idempotency-key': 'deploy-7' } })
    const [one, two] = [await call(MESSAGE), await call(MESSAGE)]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(two.body.id).toBe(one.body.id)
    expect(two.body.recipients).toEqual(one.body.recipients)
    expect(await inboxOf(app, first)).toHaveLength(1)
    expect(await usedBy(org)).toBe(1)
    expect((await call({ ...MESSAGE, target: { members: [first.userId] } })).status).toBe(422)
  })
})

describe('?dry_run=true', () => {
  test('200 with how many it would reach; nothing is stored, sent or counted', async () => {
    const { org, first, key } = await createCrew()
    const phone = await addPhone(app, { app, user: first })
    const { status, body } = await post(key, { target: { members: [first.userId] } }, '?dry_run=true')
    expect(status).toBe(200)
    expect(body).toMatchObject({ valid: true, would: { recipients: { members: 1, devices: 1 } } })
    expect(body.would.recipients).not.toHaveProperty('stored')
    expect([await alerts(phone), await usedBy(org)]).toEqual([0, 0])
    expect(await inboxOf(app, first)).toEqual([])
    expect((await app.get('/notifications', key.key)).body.items).toEqual([])
    expectProblem(await post(key, { target: { groups: ['nope'] } }, '?dry_run=true'), 422, 'org.target_unknown')
  })
})

describe('GET of what was sent', () => {
  test('an unlimited key and the prefix list all of it, with target and recipients; it is never unread', async () => {
    const { org, first, key } = await createCrew()
    const other = await addOrgKey(app, org)
    const target = { members: [first.userId] }
    const ids = [(await post(key, { target })).body.id, (await post(other)).body.id, (await postAsAdmin(org)).body.id]
    for (const [path, token] of [
      ['', key.key],
      [org.path, org.admin.token],
    ] as const) {
      const { items } = (await app.get(`${path}/notifications`, token)).body
      expect(items.map(({ id }: { id: number }) => id)).toEqual(ids.toReversed())
      expect(items[2]).toMatchObject({ target, recipients: { members: 1, devices: 0, stored: 1, done: true } })
      expect((await app.get(`${path}/notifications?unread=true`, token)).body.items).toEqual([])
    }
    expect((await app.get('/notifications/unread-count', key.key)).body.count).toBe(0)
    expect((await app.get('/notifications', org.owner.token)).body.items).toHaveLength(2)
  })

  test('404 for members and strangers, and for a limited key that did not send it', async () => {
    const { org, first, key } = await createCrew()
    const ops = await addGroup(app, org, 'ops', [first])
    const limited = await addOrgKey(app, org, { target: { group_ids: [ops] } })
    const { id } = (await post(key)).body
    for (const token of [first.token, first.defaultKey, (await app.addUser()).token, limited.key]) {
      expectProblem(await app.get(`/notifications/${id}`, token), 404, 'notification.not_found')
    }
  })

  test('the organization’s feed has notification.created of the head', async () => {
    const { org, key } = await createCrew()
    const stream = await openEvents(app.url + org.path, org.admin.token)
    const { id } = (await post(key)).body
    await eventually(() => expect(stream.types()).toContain('notification.created'))
    expect(stream.events.at(-1)?.data.data).toMatchObject({ id, title: 'Water' })
    stream.close()
  })

  test('who joins later is not reached by it', async () => {
    const { org, key } = await createCrew()
    const { id } = (await post(key)).body
    const late = await app.addUser()
    await join(app, org, [late])
    expect(await inboxOf(app, late)).toEqual([])
    expect((await app.get(`/notifications/${id}`, key.key)).body.recipients.members).toBe(4)
  })
})
