// Organizations as people use them: from the first invitation to a message, whom a target reaches, what is refused, and a key
// for a contractor.
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { addGroup, createOrganization } from '../../support/organizations/organization.ts'
import {
  addOrgKey,
  addScreen,
  addTag,
  entryOf,
  inboxOf,
  type OrgKey,
  reached,
  setTags,
} from '../../support/organizations/sends.ts'

const app = useTestApp()

const MESSAGE = { title: 'Water', body: 'in the cellar' }
const send = ({ key }: OrgKey, members: object = {}) => app.post('/notifications', { ...MESSAGE, ...members }, key)
const later = (seconds: number) => new Date(app.clock.now() + seconds * 1000).toISOString()
const usedBy = async ({ token }: { token: string }) => (await app.get('/auth/me', token)).body.notifications_used
const unreadOf = async ({ token }: TestUser) => (await app.get('/notifications/unread-count', token)).body.count

// Groups ops {first, second} and sre {second, third}; the tag wall, on a device of the third member.
async function createCrew() {
  const org = await createOrganization(app, 3)
  const [first, second, third] = org.members as [TestUser, TestUser, TestUser]
  const groups = { ops: await addGroup(app, org, 'ops', [first, second]), sre: '' }
  groups.sre = await addGroup(app, org, 'sre', [second, third])
  const wall = await addTag(app, org, 'wall')
  const screen = await addScreen(app, third, ['wall'])
  return { org, first, second, third, groups, wall, screen, key: await addOrgKey(app, org) }
}

test('from nothing to a message', async () => {
  const [owner, admin, ...members] = (await Promise.all(Array.from({ length: 5 }, () => app.addUser()))) as [
    TestUser,
    TestUser,
    ...TestUser[],
  ]
  const [stranger, free] = [await app.addUser(), await app.addUser('free')]
  expectProblem(await app.post('/orgs', { name: 'Crew' }, free.token), 403, 'subscription.required')
  const org = (await app.post('/orgs', { name: 'Crew' }, owner.token)).body
  expect(org).toMatchObject({ role: 'owner', member_count: 1, plan: 'paid' })
  const path = `/orgs/${org.id}`

  const terms = { max_uses: 4, expires_in: 3600 }
  const invitation = (await app.post(`${path}/invitations`, terms, owner.token)).body
  for (const status of [201, 200]) {
    for (const { token } of [admin, ...members]) {
      expect((await app.post('/orgs/join', { code: invitation.code }, token)).status).toBe(status)
    }
  }
  expect((await app.get(path, owner.token)).body.member_count).toBe(5)
  expect((await app.patch(`${path}/members/${admin.userId}`, { role: 'admin' }, owner.token)).status).toBe(200)

  const created = await app.post(`${path}/keys`, { name: 'K', permissions: { notifications: 'send' } }, owner.token)
  expect(created.body).toMatchObject({ key: expect.stringMatching(/^hlk_/), is_default: false })
  expect(created.body).not.toHaveProperty('target')
  expect((await app.get(`${path}/keys`, owner.token)).body.items[0]).not.toHaveProperty('key')
  const { key } = created.body
  expect((await app.get('/auth/me', key)).body.id).toBe(org.id)

  const sent = await app.post('/notifications', MESSAGE, key)
  expect(sent.status).toBe(201)
  expect(sent.body).toMatchObject({
    ...MESSAGE,
    recipients: { members: 5, devices: 0, stored: 5, done: true },
    delivery: 'none',
    reason: 'no_apns_token',
  })
  expect(sent.body).not.toHaveProperty('target')
  const everyone = [owner, admin, ...members]
  const inboxes = await Promise.all(everyone.map((person) => inboxOf(app, person)))
  for (const [entry, ...others] of inboxes) {
    const origin = { org_id: org.id, org_name: 'Crew', org_notification_id: sent.body.id }
    expect([entry, others]).toMatchObject([{ ...MESSAGE, ...origin }, []])
    expect(entry).not.toHaveProperty('recipients')
  }
  expect(new Set([sent.body.id, ...inboxes.map(([entry]) => entry?.id)]).size).toBe(6)
  expect(await Promise.all(everyone.map(unreadOf))).toEqual([1, 1, 1, 1, 1])
  expect((await app.get(path, owner.token)).body.notifications_used).toBe(1)
  expect(await Promise.all(everyone.map(usedBy))).toEqual([0, 0, 0, 0, 0])
  expect(await inboxOf(app, stranger)).toEqual([])
  expectProblem(await app.get(path, stranger.token), 404, 'org.not_found')
})

test('whom each target reaches', async () => {
  const { first, second, third, screen, key, org } = await createCrew()
  const members = [first, second, third]
  const reach = async (target: object) => {
    const { status, body } = await send(key, { target })
    expect(status).toBe(201)
    const whom = await reached(app, members, body.id)
    expect(body.recipients.members).toBe(whom.filter(Boolean).length)
    expect((await app.get(`/notifications/${body.id}`, key.key)).body).toMatchObject({ target })
    expect(await reached(app, [org.owner, org.admin], body.id)).toEqual([false, false])
    return whom
  }
  expect(await reach({ groups: ['ops'] })).toEqual([true, true, false])
  expect(await reach({ groups: ['ops', 'sre'] })).toEqual([true, true, true])
  expect(await reach({ groups: ['ops'], members: [second.userId, third.userId] })).toEqual([false, true, false])
  expect(await reach({ tags: ['wall'] })).toEqual([false, false, true])
  expect(await reach({ groups: ['ops'], tags: ['wall'] })).toEqual([false, false, false])
  expect(await reach({ groups: ['ops'], tags: null, members: null })).toEqual([true, true, false])
  expect(await reach({ members: [first.userId, first.userId] })).toEqual([true, false, false])
  expect((await inboxOf(app, first)).length).toBe(4)
  await setTags(app, third, screen, [])
  expect(await reach({ tags: ['wall'] })).toEqual([false, false, false])
})

test('nobody reached is no error: it is stored and counted, and says so', async () => {
  const { org, key } = await createCrew()
  const { status, body } = await send(key, { target: { groups: ['ops'], tags: ['wall'] } })
  expect(status).toBe(201)
  expect(body).toMatchObject({ delivery: 'none', reason: 'no_apns_token' })
  expect(body.recipients).toEqual({ members: 0, devices: 0, stored: 0, done: true })
  expect((await app.get(org.path, org.owner.token)).body.notifications_used).toBe(1)
})

describe('refused targets', () => {
  test('store nothing, reach nobody and cost nothing', async () => {
    const { org, first, second, third, key } = await createCrew()
    const stranger = await app.addUser()
    expect((await app.del(`${org.path}/members/me`, third.token)).status).toBe(204)
    const refuse = async (target: unknown, code: string) => {
      const answers = await Promise.all([
        send(key, { target }),
        app.post('/notifications/scheduled', { ...MESSAGE, send_at: later(60), target }, key.key),
        app.post('/activities', { slug: 'new', name: 'New', target }, key.key),
        app.patch('/activities/deploy', { state: 'ongoing', target }, key.key),
      ])
      for (const answer of answers) {
        expectProblem(answer, 422, code)
        expect(locations(answer)).toEqual(locations(answers[0]))
      }
      return locations(answers[0])
    }
    await app.post('/activities', { slug: 'deploy', name: 'Deploy' }, key.key)
    expect(await refuse({ groups: ['ops', 'nope'] }, 'org.target_unknown')).toEqual(['body.target.groups[1]'])
    const people = { members: [first.userId, stranger.userId, third.userId] }
    expect(await refuse(people, 'org.target_unknown')).toEqual(['body.target.members[1]', 'body.target.members[2]'])
    expect(await refuse({ tags: ['nope'] }, 'org.target_unknown')).toEqual(['body.target.tags[0]'])
    for (const target of [{}, { groups: [] }, { groups: null }, { groups: [' '] }, { groups: ['x'.repeat(65)] }]) {
      await refuse(target, 'org.target_invalid')
    }
    const malformed = [
      { groups: Array(21).fill('ops') },
      { tags: Array(21).fill('wall') },
      { members: Array(101).fill(first.userId) },
      { people: ['ops'] },
      { groups: 'ops' },
      [],
    ]
    for (const target of malformed) await refuse(target, 'request.validation_failed')
    const encrypted = await app.post('/notifications', { encrypted: 'pw1.x', target: { groups: ['nope'] } }, key.key)
    expectProblem(encrypted, 422, 'notification.encryption_unavailable')

    for (const person of [org.owner, first, second]) expect(await inboxOf(app, person)).toEqual([])
    expect((await app.get('/notifications', key.key)).body.items).toEqual([])
    expect((await app.get('/notifications/scheduled', key.key)).body.items).toEqual([])
    const activities = (await app.get('/activities', key.key)).body.items
    expect(activities).toMatchObject([{ slug: 'deploy', state: 'ended' }])
    expect((await app.get(org.path, org.owner.token)).body).toMatchObject({
      notifications_used: 0,
      live_activity_updates_used: 0,
    })
  })

  test('422 org.target_unavailable on every endpoint for a person and a personal key', async () => {
    const { org } = await createCrew()
    const personal = await app.addKey(org.owner, SCHEDULES_AND_ACTIVITIES)
    const target = { groups: ['ops'] }
    for (const token of [org.owner.token, personal]) {
      await app.post('/activities', { slug: 'own', name: 'Own' }, token)
      for (const answer of [
        await app.post('/notifications', { ...MESSAGE, target }, token),
        await app.post('/notifications/scheduled', { ...MESSAGE, send_at: later(60), target }, token),
        await app.post('/activities', { slug: 'new', name: 'New', target }, token),
        await app.patch('/activities/own', { state: 'ongoing', target }, token),
      ]) {
        expectProblem(answer, 422, 'org.target_unavailable')
      }
      const malformed = await app.post('/notifications', { ...MESSAGE, target: { people: [] } }, token)
      expectProblem(malformed, 422, 'request.validation_failed')
      expect((await app.post('/notifications', { ...MESSAGE, target: null }, token)).status).toBe(201)
    }
  })
})

const SCHEDULES_AND_ACTIVITIES = { permissions: { notifications: 'schedule', activities: 'manage' } }

test('the contractor’s key reaches its limit and no more, until the limit is lifted', async () => {
  const { org, first, second, third, wall, key } = await createCrew()
  await addTag(app, org, 'floor')
  const contractor = await addOrgKey(app, org, { target: { tag_ids: [wall] } })
  const { items } = (await app.get(`${org.path}/keys`, org.owner.token)).body
  expect(items.find(({ id }: OrgKey) => id === contractor.id).target).toEqual({ group_ids: [], tag_ids: [wall] })
  const everyone = [org.owner, org.admin, first, second, third]

  const own = (await send(contractor)).body
  expect(await reached(app, everyone, own.id)).toEqual([false, false, false, false, true])
  const nobody = await send(contractor, { target: { groups: ['ops'], tags: ['wall'] } })
  expect([nobody.status, nobody.body.recipients.members]).toEqual([201, 0])
  const inside = await send(contractor, { target: { groups: ['sre'] } })
  expect(await reached(app, everyone, inside.body.id)).toEqual([false, false, false, false, true])

  const refused = await Promise.all(
    [['floor'], ['nope'], ['wall', 'floor']].map((tags) => send(contractor, { target: { tags } })),
  )
  for (const answer of refused) expectProblem(answer, 403, 'integration_key.target_denied')
  const details = refused.map(({ body }) => body.detail)
  expect(details[0]).toBe(details[1])

  const question = { acknowledge: {}, actions: [{ id: 'yes', title: 'Yes' }] }
  const others = (await send(key, question)).body.id
  const receipt = await app.get(`/notifications/receipts/${others}`, contractor.key)
  expectProblem(receipt, 404, 'notification_receipt.not_found')
  const answer = await app.get(`/notifications/answers/${others}`, contractor.key)
  expectProblem(answer, 404, 'notification_answer.not_found')
  expectProblem(await app.get(`/notifications/${others}`, contractor.key), 404, 'notification.not_found')
  const listed = (await app.get('/notifications', contractor.key)).body.items
  expect(listed.map(({ id }: { id: number }) => id)).toEqual([inside.body.id, nobody.body.id, own.id])
  expect((await app.get('/notifications', key.key)).body.items).toHaveLength(4)

  const lift = await app.patch(`${org.path}/keys/${contractor.id}`, { target: null }, org.owner.token)
  expect(lift.status).toBe(200)
  const open = (await send(contractor)).body
  expect(open.recipients.members).toBe(5)
  expect(await entryOf(app, org.owner, open.id)).toBeGreaterThan(0)
})
