// Heartbeats of an organization: whom their alerts reach, and what its keys may set.
import { expect, test } from 'vitest'
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
