// Entries: a notification of an organization in the inboxes of its members. Recall, retention and what leaving keeps.
import { describe, expect, onTestFinished, test } from 'vitest'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { startTestApp, type TestUser } from '../../support/app.ts'
import { addPhone } from '../../support/devices/phone.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { createOrganization } from '../../support/organizations/organization.ts'
import {
  addMembers,
  addOrgKey,
  countEntries,
  entryOf,
  inboxOf,
  type OrgKey,
} from '../../support/organizations/sends.ts'

const app = usePushApp()

const MESSAGE = { title: 'Water', body: 'in the cellar', source: 'sensor', thread_id: 'cellar' }

async function post({ key }: OrgKey, members: object = {}): Promise<number> {
  const { status, text, body } = await app.post('/notifications', { ...MESSAGE, ...members }, key)
  if (status !== 201) throw new Error(text)
  return body.id
}

async function createCrew() {
  const org = await createOrganization(app, 2)
  const [first, second] = org.members as [TestUser, TestUser]
  return { org, first, second, key: await addOrgKey(app, org) }
}

const idsOf = async (query: string, token: string): Promise<number[]> =>
  (await app.get(`/notifications?${query}`, token)).body.items.map(({ id }: { id: number }) => id)
const unreadOf = async ({ token }: TestUser) => (await app.get('/notifications/unread-count', token)).body.count
const settle = async () => {
  while ((await app.runDueJobs()) > 0);
}

describe('an entry is a row of the inbox', () => {
  test('found by search, by the filters of the inbox and by org_id, next to one’s own', async () => {
    const { org, first, key } = await createCrew()
    const elsewhere = await createOrganization(app, 0)
    const own = (await app.post('/notifications', { title: 'Own', body: 'B' }, first.token)).body.id
    const entry = await entryOf(app, first, await post(key))
    expect(await idsOf('', first.token)).toEqual([entry, own])
    for (const query of ['q=cellar', 'source=sensor', 'thread_id=cellar', `org_id=${org.id}`, 'q=WATER&unread=true']) {
      expect(await idsOf(query, first.token)).toEqual([entry])
    }
    expect(await idsOf(`org_id=${elsewhere.id}`, first.token)).toEqual([])
    expect(await idsOf('', first.defaultKey)).toEqual([entry, own])
  })

  test('read by one member, it stays unread for the others', async () => {
    const { first, second, key } = await createCrew()
    const headId = await post(key)
    const entry = await entryOf(app, first, headId)
    const foreign = await entryOf(app, second, headId)
    const read = await app.post('/notifications/read', { ids: [entry, foreign] }, first.token)
    expect(read.body).toEqual({ updated: 1 })
    expect([await unreadOf(first), await unreadOf(second)]).toEqual([0, 1])
    expect(await idsOf('unread=true', first.token)).toEqual([])
    expect((await app.get(`/notifications/${headId}`, key.key)).body.recipients.stored).toBe(4)
  })

  test('the timeline of an entry names the member’s own devices only', async () => {
    const { first, second, key } = await createCrew()
    await addPhone(app, { app, user: first, name: 'Phone of the first' })
    await addPhone(app, { app, user: second, name: 'Phone of the second' })
    const headId = await post(key)
    const path = `/notifications/${await entryOf(app, first, headId)}/timeline`
    const { body, text } = await app.get(path, first.token)
    expect(body.items.map(({ event }: { event: string }) => event)).toContain('push_accepted')
    expect(text).toContain('Phone of the first')
    expect(text).not.toContain('Phone of the second')
    expectProblem(await app.get(path, second.token), 404, 'notification.not_found')
  })

  test('owners and admins see no device and no reading in the timeline of the head', async () => {
    const { org, first, key } = await createCrew()
    await addPhone(app, { app, user: first, name: 'Phone of the first' })
    const headId = await post(key)
    await app.post('/notifications/read', { all: true }, first.token)
    const { status, text, body } = await app.get(`${org.path}/notifications/${headId}/timeline`, org.owner.token)
    expect(status).toBe(200)
    expect(text).not.toContain('Phone of the first')
    expect(body.items.map(({ event }: { event: string }) => event)).not.toContain('read')
  })

  test('deleted by one member, it stays with the others, and the alert goes on', async () => {
    const { first, second, key } = await createCrew()
    const headId = await post(key, { acknowledge: {} })
    expect((await app.del(`/notifications/${await entryOf(app, first, headId)}`, first.token)).status).toBe(204)
    expect(await inboxOf(app, first)).toEqual([])
    expect(await inboxOf(app, second)).toHaveLength(1)
    expect((await app.get(`/notifications/receipts/${headId}`, key.key)).body.status).toBe('active')
    const { recipients } = (await app.get(`/notifications/${headId}`, key.key)).body
    expect(recipients).toMatchObject({ members: 4, done: true })
  })

  test('notification.created is in the member’s feed, whole, with the organization', async () => {
    const { org, first, key } = await createCrew()
    const stream = await openEvents(app.url, first.token)
    const headId = await post(key)
    await eventually(() => expect(stream.types()).toEqual(['notification.created']))
    expect(stream.events[0]?.data.data).toMatchObject({
      id: await entryOf(app, first, headId),
      title: 'Water',
      org_id: org.id,
      org_name: 'Example',
      org_notification_id: headId,
    })
    stream.close()
  })

  test('shows the present name of the organization, and the last one after it was deleted', async () => {
    const { org, first, key } = await createCrew()
    const own = (await app.post('/notifications', { title: 'Own', body: 'B' }, first.token)).body
    const entry = await entryOf(app, first, await post(key))
    const expectName = async (org_name: string) => {
      expect((await app.get(`/notifications/${entry}`, first.token)).body.org_name).toBe(org_name)
      expect(await inboxOf(app, first)).toMatchObject([{ id: entry, org_id: org.id, org_name }, { id: own.id }])
    }
    await app.patch(org.path, { name: 'Renamed' }, org.owner.token)
    await expectName('Renamed')
    await app.patch(org.path, { name: 'Last' }, org.owner.token)
    expect((await app.del(org.path, org.owner.token)).status).toBe(204)
    await expectName('Last')
    await settle()
    await expectName('Last')
    expect((await app.get(`/notifications/${own.id}`, first.token)).body.org_name).toBeUndefined()
  })

  test('a push carries the id of the entry, and the badge counts it', async () => {
    const { first, key } = await createCrew()
    const phone = await addPhone(app, { app, user: first })
    const entry = await entryOf(app, first, await post(key))
    expect(await phone.pushes()).toMatchObject([{ notification_id: entry, aps: { badge: 1 } }])
    await post(key, { level: 'critical', volume: 0.5 })
    expect((await phone.pushes()).at(-1)).toMatchObject({ aps: { sound: { critical: 1, volume: 0.5 } } })
  })

  test('stays with someone who has left: readable, searchable and deletable', async () => {
    const { org, first, key } = await createCrew()
    const entry = await entryOf(app, first, await post(key))
    await app.del(`${org.path}/members/me`, first.token)
    expect(await idsOf('q=cellar', first.token)).toEqual([entry])
    const kept = (await app.get(`/notifications/${entry}`, first.token)).body
    expect(kept).toMatchObject({ org_id: org.id, org_name: 'Example' })
    await post(key)
    expect(await idsOf('', first.token)).toEqual([entry])
    expect((await app.del(`/notifications/${entry}`, first.token)).status).toBe(204)
  })
})

describe('recall', () => {
  test('204: entries and banners go, the alert is canceled as deleted, and feeds say so', async () => {
    const { org, first, second, key } = await createCrew()
    const phone = await addPhone(app, { app, user: first })
    const headId = await post(key, { acknowledge: {} })
    const entry = await entryOf(app, first, headId)
    expect((await phone.screen()).banners).toEqual(['Water'])
    // One that was read is not among the unread ones any more.
    await app.post('/notifications/read', { all: true }, second.token)
    const stream = await openEvents(app.url, first.token)
    expect((await app.del(`${org.path}/notifications/${headId}`, org.admin.token)).status).toBe(204)
    await settle()
    expect([await inboxOf(app, first), await inboxOf(app, second)]).toEqual([[], []])
    expect([await unreadOf(first), await unreadOf(second)]).toEqual([0, 0])
    expect((await phone.screen()).banners).toEqual([])
    const receipt = (await app.get(`/notifications/receipts/${headId}`, key.key)).body
    expect(receipt).toMatchObject({ status: 'canceled', cancel_reason: 'deleted' })
    await eventually(() => expect(stream.types()).toContain('notification.deleted'))
    const deleted = stream.events.find(({ event }) => event === 'notification.deleted')
    expect(deleted?.data.data).toMatchObject({ id: entry })
    stream.close()
    expectProblem(await app.get(`/notifications/${headId}`, key.key), 404, 'notification.not_found')
    const again = await app.del(`${org.path}/notifications/${headId}`, org.admin.token)
    expectProblem(again, 404, 'notification.not_found')
  })

  test('of a fan-out under way: nobody keeps an entry', async () => {
    const { org, key } = await createCrew()
    await addMembers(app.app.ctx.db, org.id, 250, app.clock.now())
    const headId = await post(key)
    expect((await app.del(`${org.path}/notifications/${headId}`, org.owner.token)).status).toBe(204)
    await settle()
    await eventually(async () => expect(await countEntries(app.app.ctx.db, headId)).toEqual(new Map()))
  })

  test('403 for a key, 404 for a member and another organization', async () => {
    const { first, key } = await createCrew()
    const other = await createOrganization(app, 0)
    const headId = await post(key)
    expectProblem(await app.del(`/notifications/${headId}`, key.key), 403, 'integration_key.permission_denied')
    expectProblem(await app.del(`/notifications/${headId}`, first.token), 404, 'notification.not_found')
    const foreign = await app.del(`${other.path}/notifications/${headId}`, other.owner.token)
    expectProblem(foreign, 404, 'notification.not_found')
    expect(await inboxOf(app, first)).toHaveLength(1)
  })
})

test('the head is kept 90 days; unread entries are kept as long as others that are unread', async () => {
  const server = await startTestApp()
  onTestFinished(() => server.stop())
  const org = await createOrganization(server)
  const { key } = await addOrgKey(server, org)
  const { id } = (await server.post('/notifications', MESSAGE, key)).body
  const [reader, other] = [org.admin, org.members[0] as TestUser]
  await server.post('/notifications/read', { all: true }, reader.token)
  const keepHouse = async (seconds: number) => {
    server.advanceSeconds(seconds)
    await scheduleHousekeeping(server.app.ctx)
    await server.runDueJobs()
  }
  for (let month = 0; month < 3; month++) await keepHouse(30 * 86_400)
  expect((await server.get(`/notifications/${id}`, key)).status).toBe(200)
  expect(await inboxOf(server, reader)).toHaveLength(1)
  await keepHouse(1)
  expectProblem(await server.get(`/notifications/${id}`, key), 404, 'notification.not_found')
  expect(await inboxOf(server, reader)).toEqual([])
  expect(await inboxOf(server, other)).toMatchObject([{ title: 'Water', org_notification_id: id }])
})
