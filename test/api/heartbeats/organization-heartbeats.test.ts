// Heartbeats of an organization: whom their alerts reach, and what its keys may set.
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'
import { addGroup, createOrganization } from '../../support/organizations/organization.ts'
import { addOrgKey, inboxOf } from '../../support/organizations/sends.ts'

const app = useTestApp()
const { ping } = heartbeatsOf(app)

test('the alert reaches the members of its target, and its end the same ones', async () => {
  const org = await createOrganization(app, 2)
  const [inside, outside] = org.members as [TestUser, TestUser]
  await addGroup(app, org, 'ops', [inside])
  const created = await app.post(
    `${org.path}/heartbeats`,
    { slug: 'db', name: 'Database', every_seconds: 600, target: { groups: ['ops'] }, acknowledge: {} },
    org.owner.token,
  )
  expect(created.status).toBe(201)
  const path = new URL(created.body.ping_url).pathname
  await ping({ path })
  app.advanceSeconds(900)
  await app.runDueJobs()
  const titles = async (person: TestUser) => (await inboxOf(app, person)).map(({ title }) => title)
  expect(await titles(inside)).toEqual(['Database is down'])
  expect(await titles(outside)).toEqual([])
  await ping({ path })
  expect(await titles(inside)).toEqual(['Database is up again, down for 1 min', 'Database is down'])
  const { items } = (await app.get(`${org.path}/notifications/receipts`, org.owner.token)).body
  expect(items).toMatchObject([{ status: 'canceled', cancel_reason: 'resolved' }])
  expectProblem(await app.get(`${org.path}/heartbeats/db`, outside.token), 403, 'org.role_denied')
})

test('400 for a widget; a limited key sets no wider target; a group that a heartbeat names is in use', async () => {
  const org = await createOrganization(app)
  const [ops, dev] = [await addGroup(app, org, 'ops'), await addGroup(app, org, 'dev')]
  const input = { slug: 'db', name: 'Database', every_seconds: 600, target: { groups: ['ops'] } }
  const put = (members: object, token: string) => app.post('/heartbeats', { ...input, ...members }, token)
  const { key } = await addOrgKey(app, org)
  expectProblem(await put({ widget: true }, key), 400, 'heartbeat.invalid')
  expect((await put({}, key)).status).toBe(201)
  const refused = await app.del(`${org.path}/groups/${ops}`, org.owner.token)
  expectProblem(refused, 409, 'org.in_use')
  expect(refused.body.used_by.heartbeats).toBe(1)
  const limited = await addOrgKey(app, org, { target: { group_ids: [dev] } })
  expectProblem(await put({ slug: 'other' }, limited.key), 403, 'integration_key.target_denied')
})

describe('a key that is limited to a group', () => {
  type Slugs = { items: { slug: string }[] }
  const INPUT = { name: 'Database', every_seconds: 600 }
  const slugsIn = ({ items }: Slugs) => items.map(({ slug }) => slug)

  async function setUp() {
    const org = await createOrganization(app, 2)
    const [ours, theirs] = org.members as [TestUser, TestUser]
    const [ops] = [await addGroup(app, org, 'ops', [ours]), await addGroup(app, org, 'sre', [theirs])]
    const { key } = await addOrgKey(app, org, { target: { group_ids: [ops] } })
    const byOwner = (slug: string, more: object = {}) =>
      app.post(`${org.path}/heartbeats`, { ...INPUT, slug, ...more }, org.owner.token)
    const read = async (slug: string) => (await app.get(`${org.path}/heartbeats/${slug}`, org.owner.token)).body
    return { org, ops, key, byOwner, read }
  }

  test('sees, changes and takes over those whose target is inside, and nothing of the others', async () => {
    const { key, byOwner, read } = await setUp()
    await byOwner('ours', { target: { groups: ['ops'] } })
    await byOwner('theirs', { target: { groups: ['sre'] } })
    await byOwner('everyone')
    const before = [await read('theirs'), await read('everyone')]
    expect(slugsIn((await app.get('/heartbeats', key)).body)).toEqual(['ours'])
    expect((await app.patch('/heartbeats/ours', { name: 'Renamed' }, key)).body.name).toBe('Renamed')
    expect((await app.post('/heartbeats', { ...INPUT, slug: 'ours' }, key)).status).toBe(200)
    for (const slug of ['theirs', 'everyone']) {
      expectProblem(await app.get(`/heartbeats/${slug}`, key), 404, 'heartbeat.not_found')
      expectProblem(await app.get(`/heartbeats/${slug}/pings`, key), 404, 'heartbeat.not_found')
      expectProblem(await app.patch(`/heartbeats/${slug}`, { name: 'Mine' }, key), 404, 'heartbeat.not_found')
      for (const verb of ['pause', 'resume', 'roll']) {
        expectProblem(await app.post(`/heartbeats/${slug}/${verb}`, undefined, key), 404, 'heartbeat.not_found')
      }
      expectProblem(await app.del(`/heartbeats/${slug}`, key), 404, 'heartbeat.not_found')
      expectProblem(await app.post('/heartbeats', { ...INPUT, slug }, key), 403, 'integration_key.target_denied')
    }
    expect([await read('theirs'), await read('everyone')]).toEqual(before)
  })

  test('reaches its whole limit without a target, and the owner sees that; by its present name', async () => {
    const { org, ops, key, read } = await setUp()
    expect((await app.post('/heartbeats', { ...INPUT, slug: 'mine' }, key)).body.target).toEqual({ groups: ['ops'] })
    expect((await read('mine')).target).toEqual({ groups: ['ops'] })
    await app.patch(`${org.path}/groups/${ops}`, { name: 'first-line' }, org.owner.token)
    expect((await read('mine')).target).toEqual({ groups: ['first-line'] })
    // The present name is also the one that a change builds on.
    expect((await app.patch('/heartbeats/mine', { target: { members: null } }, key)).status).toBe(200)
    expectProblem(await app.patch('/heartbeats/mine', { target: null }, key), 403, 'integration_key.target_denied')
    expect((await app.patch(`${org.path}/heartbeats/mine`, { target: null }, org.owner.token)).body).not.toHaveProperty(
      'target',
    )
    expectProblem(await app.get('/heartbeats/mine', key), 404, 'heartbeat.not_found')
  })

  test('does not see one whose alert escalates to others: its pings could write to them', async () => {
    const { org, key, byOwner } = await setUp()
    const policy = { slug: 'up', name: 'Up', steps: [{ after_seconds: 60, target: { groups: ['sre'] } }] }
    await app.post(`${org.path}/escalations`, policy, org.owner.token)
    await byOwner('ours', { target: { groups: ['ops'] }, acknowledge: { escalation: 'up' } })
    expect(slugsIn((await app.get('/heartbeats', key)).body)).toEqual([])
    expectProblem(await app.get('/heartbeats/ours', key), 404, 'heartbeat.not_found')
    expectProblem(await app.post('/heartbeats', { ...INPUT, slug: 'ours' }, key), 403, 'integration_key.target_denied')
    await app.patch(
      `${org.path}/escalations/up`,
      { steps: [{ after_seconds: 60, level: 'critical' }] },
      org.owner.token,
    )
    expect((await app.get('/heartbeats/ours', key)).status).toBe(200)
  })
})

test('the organization has a ping key, which a limited key neither sees nor rolls', async () => {
  const org = await createOrganization(app, 1)
  const [member] = org.members as [TestUser]
  const group = await addGroup(app, org, 'ops')
  const limited = await addOrgKey(app, org, { target: { group_ids: [group] } })
  const { key } = await addOrgKey(app, org)
  const { ping_key } = (await app.get(`${org.path}/heartbeats`, org.owner.token)).body
  expect((await app.get('/heartbeats', key)).body.ping_key).toBe(ping_key)
  expect((await app.get('/heartbeats', limited.key)).body).not.toHaveProperty('ping_key')
  const roll = (token: string) => app.post('/heartbeats/ping-key/roll', undefined, token)
  expectProblem(await roll(limited.key), 403, 'integration_key.target_denied')
  expect((await app.get(`/ping/${ping_key}/nightly/fail?create=1`)).status).toBe(201)
  expect((await inboxOf(app, member)).map(({ title }) => title)).toEqual(['nightly is down'])
  const rolled = await app.post(`${org.path}/heartbeats/ping-key/roll`, undefined, org.owner.token)
  expect(rolled.body.ping_key).not.toBe(ping_key)
  expect((await app.get(`/ping/${ping_key}/nightly`)).status).toBe(404)
  expect((await app.get(`/ping/${rolled.body.ping_key}/nightly`)).status).toBe(200)
})
