// Schedules of an organization: the target is applied to the members, groups and tags as they are when it is sent.
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { addGroup, createOrganization, join } from '../../support/organizations/organization.ts'
import {
  addMembers,
  addOrgKey,
  addScreen,
  addTag,
  inboxOf,
  type OrgKey,
  reached,
} from '../../support/organizations/sends.ts'
import { setUsed } from '../../support/usage.ts'

const app = useTestApp()

const MESSAGE = { title: 'Water', body: 'in the cellar' }
const later = (seconds: number) => new Date(app.clock.now() + seconds * 1000).toISOString()
const plan = (key: string, members: object = {}) =>
  app.post('/notifications/scheduled', { ...MESSAGE, send_at: later(60), ...members }, key)
const read = async ({ key }: OrgKey, id: number) => (await app.get(`/notifications/scheduled/${id}`, key)).body
const head = async ({ key }: OrgKey, id: number) => (await app.get(`/notifications/${id}`, key)).body

async function pass(seconds: number) {
  app.advanceSeconds(seconds)
  await app.runDueJobs()
}

async function createCrew() {
  const org = await createOrganization(app, 3)
  const [first, second, third] = org.members as [TestUser, TestUser, TestUser]
  const ops = await addGroup(app, org, 'ops', [first, second])
  return { org, first, second, third, ops, key: await addOrgKey(app, org) }
}

describe('groups that change', () => {
  test('a renamed group is shown with its new name and reaches the same people', async () => {
    const { org, first, second, third, ops, key } = await createCrew()
    const planned = await plan(key.key, { target: { groups: ['ops'] } })
    expect(planned.status).toBe(201)
    expect(planned.body.target).toEqual({ groups: ['ops'] })
    await app.patch(`${org.path}/groups/${ops}`, { name: 'first-line' }, org.owner.token)
    expect((await read(key, planned.body.id)).target).toEqual({ groups: ['first-line'] })
    await pass(60)
    const sent = await read(key, planned.body.id)
    expect(sent).toMatchObject({ status: 'sent', target: { groups: ['first-line'] } })
    expect(await reached(app, [first, second, third], sent.notification_id)).toEqual([true, true, false])
    expect((await head(key, sent.notification_id)).recipients).toMatchObject({ members: 2, stored: 2, done: true })
  })

  test('a name that is given twice counts once, so a renamed group is not mistaken for another', async () => {
    const { org, third, ops, key } = await createCrew()
    await addGroup(app, org, 'night', [third])
    const planned = await plan(key.key, { target: { groups: ['ops', 'ops', 'night'] } })
    expect(planned.body.target).toEqual({ groups: ['ops', 'night'] })
    await app.patch(`${org.path}/groups/${ops}`, { name: 'day' }, org.owner.token)
    expect((await read(key, planned.body.id)).target).toEqual({ groups: ['day', 'night'] })
  })

  test('a deleted group reaches nobody, and the schedule is sent all the same', async () => {
    const { org, first, second, third, ops, key } = await createCrew()
    const { id } = (await plan(key.key, { target: { groups: ['ops'] } })).body
    const group = `${org.path}/groups/${ops}`
    const refused = await app.del(group, org.owner.token)
    expectProblem(refused, 409, 'org.in_use')
    expect(refused.body.used_by).toMatchObject({ keys: 0, schedules: 1, activities: 0 })
    expect((await app.del(`${group}?force=true`, org.owner.token)).status).toBe(204)
    expect((await read(key, id)).target).toEqual({ groups: ['ops'] })
    await pass(60)
    const sent = await read(key, id)
    expect(sent).toMatchObject({ status: 'sent', delivery: 'none', reason: 'no_apns_token' })
    expect((await head(key, sent.notification_id)).recipients.members).toBe(0)
    expect(await reached(app, [org.owner, first, second, third], sent.notification_id)).toEqual(Array(4).fill(false))
  })

  test('a deleted group that is made again under its old name is another group', async () => {
    const { org, first, second, third, ops, key } = await createCrew()
    const { id } = (await plan(key.key, { target: { groups: ['ops'] } })).body
    await app.del(`${org.path}/groups/${ops}?force=true`, org.owner.token)
    await addGroup(app, org, 'ops', [third])
    await pass(60)
    const { notification_id } = await read(key, id)
    expect(await reached(app, [first, second, third], notification_id)).toEqual([false, false, false])
  })

  test('who enters the group before a send gets it; who has left does not', async () => {
    const { org, first, second, third, ops, key } = await createCrew()
    const recurrence = { cron: '*/15 * * * *', timezone: 'UTC', count: 2 }
    const { id } = (await plan(key.key, { send_at: undefined, recurrence, target: { groups: ['ops'] } })).body
    const group = `${org.path}/groups/${ops}/members`
    await app.put(`${group}/${third.userId}`, undefined, org.owner.token)
    await app.del(`${group}/${first.userId}`, org.owner.token)
    await pass(900)
    const one = (await read(key, id)).notification_id
    expect(await reached(app, [first, second, third], one)).toEqual([false, true, true])
    await app.put(group, { user_ids: [first.userId] }, org.owner.token)
    await pass(900)
    const two = (await read(key, id)).notification_id
    expect(two).not.toBe(one)
    expect(await reached(app, [first, second, third], two)).toEqual([true, false, false])
  })

  test('a member who has left the organization is not reached by a target that names them', async () => {
    const { org, first, second, key } = await createCrew()
    const { id } = (await plan(key.key, { target: { members: [first.userId, second.userId] } })).body
    await app.del(`${org.path}/members/me`, first.token)
    await pass(60)
    const { notification_id } = await read(key, id)
    expect(await reached(app, [first, second], notification_id)).toEqual([false, true])
  })

  test('who joins the organization before the send is reached by a schedule for everyone', async () => {
    const { org, key } = await createCrew()
    const { id } = (await plan(key.key)).body
    const late = await app.addUser()
    await join(app, org, [late])
    await pass(60)
    expect(await reached(app, [late], (await read(key, id)).notification_id)).toEqual([true])
  })
})

describe('a key whose limit is narrowed after planning', () => {
  test('reaches nobody outside the new limit', async () => {
    const { org, first, second, third, key } = await createCrew()
    const sre = await addGroup(app, org, 'sre', [third])
    const everyone = (await plan(key.key)).body.id
    const outside = (await plan(key.key, { target: { groups: ['ops'] } })).body.id
    const limit = { target: { group_ids: [sre] } }
    expect((await app.patch(`${org.path}/keys/${key.id}`, limit, org.owner.token)).status).toBe(200)
    await pass(60)
    const people = [org.owner, first, second, third]
    const reach = async (id: number) => reached(app, people, (await read(key, id)).notification_id)
    expect(await reach(everyone)).toEqual([false, false, false, true])
    expect(await reach(outside)).toEqual([false, false, false, false])
  })
})

describe('who sees them, and what they count against', () => {
  test('a limited key sees its own; owners and admins see all under the prefix; members see none', async () => {
    const { org, first, ops, key } = await createCrew()
    const limited = await addOrgKey(app, org, { target: { group_ids: [ops] } })
    const [others, own] = [(await plan(key.key)).body.id, (await plan(limited.key)).body.id]
    const listed = async (path: string, token: string) =>
      (await app.get(`${path}/notifications/scheduled`, token)).body.items.map(({ id }: { id: number }) => id).sort()
    expect(await listed('', limited.key)).toEqual([own])
    expectProblem(
      await app.get(`/notifications/scheduled/${others}`, limited.key),
      404,
      'scheduled_notification.not_found',
    )
    expect(await listed(org.path, org.admin.token)).toEqual([others, own].sort())
    expect(await listed('', first.token)).toEqual([])
    expect((await app.del(`${org.path}/notifications/scheduled/${own}`, org.admin.token)).status).toBe(204)
    expect(await listed('', limited.key)).toEqual([])
  })

  test('409 for the 26th pending one of the organization; the owner still plans 25', async () => {
    const { org, key } = await createCrew()
    const other = await addOrgKey(app, org)
    for (let planned = 0; planned < 25; planned++) {
      expect((await plan(planned % 2 ? key.key : other.key)).status).toBe(201)
    }
    expectProblem(await plan(key.key), 409, 'scheduled_notification.limit_exceeded')
    const prefixed = await app.post(
      `${org.path}/notifications/scheduled`,
      { ...MESSAGE, send_at: later(60) },
      org.admin.token,
    )
    expectProblem(prefixed, 409, 'scheduled_notification.limit_exceeded')
    for (let planned = 0; planned < 25; planned++) expect((await plan(org.owner.token)).status).toBe(201)
  })

  test('out of the organization’s quota when it is due: failed, and nobody has an entry', async () => {
    const { org, first, key } = await createCrew()
    const { id } = (await plan(key.key)).body
    await setUsed(app, { userId: org.id as TestUser['userId'] }, 'notifications', 5000)
    await pass(60)
    expect(await read(key, id)).toMatchObject({ status: 'failed', failure_reason: 'quota_exceeded' })
    expect(await inboxOf(app, first)).toEqual([])
  })

  test('422 and 403 for a target that a send would be refused for, and nothing is planned', async () => {
    const { org, ops, third, key } = await createCrew()
    const limited = await addOrgKey(app, org, { target: { group_ids: [ops] } })
    await addGroup(app, org, 'sre', [third])
    const unknown = await plan(key.key, { target: { groups: ['ops', 'nope'] } })
    expectProblem(unknown, 422, 'org.target_unknown')
    expect(locations(unknown)).toEqual(['body.target.groups[1]'])
    expectProblem(await plan(key.key, { target: {} }), 422, 'org.target_invalid')
    expectProblem(await plan(limited.key, { target: { groups: ['sre'] } }), 403, 'integration_key.target_denied')
    expectProblem(await plan(limited.key, { target: { groups: ['nope'] } }), 403, 'integration_key.target_denied')
    const encrypted = await plan(key.key, { title: undefined, body: undefined, encrypted: 'pw1.x' })
    expectProblem(encrypted, 422, 'notification.encryption_unavailable')
    const { items } = (await app.get(`${org.path}/notifications/scheduled`, org.owner.token)).body
    expect(items).toEqual([])
  })
})

test('an alert that reaches more than 1,000 when it is due is sent once, without repeats', async () => {
  const { org, key } = await createCrew()
  const { id } = (await plan(key.key, { acknowledge: {} })).body
  await addMembers(app.app.ctx.db, org.id, 1000, app.clock.now())
  await pass(60)
  const { status, notification_id } = await read(key, id)
  expect(status).toBe('sent')
  expect((await head(key, notification_id)).recipients.members).toBe(1005)
  expectProblem(
    await app.get(`/notifications/receipts/${notification_id}`, key.key),
    404,
    'notification_receipt.not_found',
  )
})

test('a tag is a condition of the moment of the send', async () => {
  const { org, first, second, key } = await createCrew()
  await addTag(app, org, 'wall')
  const { id } = (await plan(key.key, { target: { tags: ['wall'] } })).body
  await addScreen(app, second, ['wall'])
  await pass(60)
  expect(await reached(app, [first, second], (await read(key, id)).notification_id)).toEqual([false, true])
})
