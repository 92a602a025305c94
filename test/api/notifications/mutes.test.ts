// Mutes: what is muted is stored and not pushed, except what must be heard.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { createOrganization } from '../../support/organizations/organization.ts'
import { schedulesOf } from '../../support/schedules.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
  await addPhone(user)
})

const addPhone = ({ token }: TestUser) =>
  app.put(`/devices/phone`, { name: 'Phone', platform: 'ios', apns: apnsOf(token) }, token)
const apnsOf = (token: string) => ({
  device_token: Buffer.from(token).toString('hex').slice(0, 64),
  environment: 'sandbox',
})
const { plan, read, later, pass, used } = schedulesOf(app)
const send = async (members: object = {}, token = user.token) =>
  (await app.post('/notifications', { title: 'T', body: 'B', ...members }, token)).body
const mute = (target: object, seconds = 3600, token = user.token) =>
  app.put('/mutes', { ...target, until: later(seconds) }, token)
const timeline = async (id: number, token = user.token) =>
  (await app.get(`/notifications/${id}/timeline`, token)).body.items
const isPushed = async (members: object) => (await send(members)).pushed

describe('a muted notification', () => {
  test('is stored, not pushed and not charged; sender and timeline learn why', async () => {
    await mute({ source: 'ci' })
    const sent = await send({ source: 'ci' })
    expect(sent).toMatchObject({ pushed: false, delivery: 'none', reason: 'muted' })
    expect((await app.get('/notifications/unread-count', user.token)).body).toEqual({ count: 1 })
    expect(await used(user)).toBe(0)
    expect(await timeline(sent.id)).toMatchObject([
      { event: 'accepted' },
      { event: 'stored' },
      { event: 'muted', detail: `until ${later(3600)}` },
    ])
  })

  test('is one of the source, the thread or the key, and no other', async () => {
    const key = await app.addKey(user, { permissions: { notifications: 'send' } })
    const { id: key_id } = (await app.get('/auth/me', key)).body.integration_key
    await mute({ source: 'ci' })
    await mute({ thread_id: 'deploys' })
    await mute({ key_id })
    expect(await isPushed({ source: 'ci' })).toBe(false)
    expect(await isPushed({ thread_id: 'deploys' })).toBe(false)
    expect((await send({}, key)).reason).toBe('muted')
    expect(await isPushed({ source: 'nas', thread_id: 'ci' })).toBe(true)
  })

  test('of two mutes, the one that ends last is told', async () => {
    await mute({ source: 'ci' }, 7200)
    await mute({ thread_id: 'deploys' }, 3600)
    const { id } = await send({ source: 'ci', thread_id: 'deploys' })
    expect((await timeline(id)).at(-1)).toMatchObject({ event: 'muted', detail: `until ${later(7200)}` })
  })

  test('critical ones and alerts that ask to be acknowledged are pushed all the same', async () => {
    await mute({ source: 'ci' })
    expect(await isPushed({ source: 'ci', level: 'critical' })).toBe(true)
    expect(await isPushed({ source: 'ci', acknowledge: {} })).toBe(true)
    expect(await isPushed({ source: 'ci', level: 'time-sensitive' })).toBe(false)
  })

  test('push: false stays push_disabled', async () => {
    await mute({ source: 'ci' })
    expect(await send({ source: 'ci', push: false })).toMatchObject({ reason: 'push_disabled' })
  })

  test('is pushed again after the end', async () => {
    await mute({ source: 'ci' }, 60)
    app.advanceSeconds(60)
    expect(await isPushed({ source: 'ci' })).toBe(true)
    expect((await app.get('/mutes', user.token)).body).toEqual({ items: [] })
  })

  test('a schedule says so too', async () => {
    const id = await plan(user, { source: 'ci', send_at: later(60) })
    await mute({ source: 'ci' })
    await pass(60)
    expect(await read(user, id)).toMatchObject({ status: 'sent', delivery: 'none', reason: 'muted' })
  })

  test('a dry run says that nothing would be pushed', async () => {
    await mute({ source: 'ci' })
    const { body } = await app.post('/notifications?dry_run=true', { title: 'T', body: 'B', source: 'ci' }, user.token)
    expect(body.would.pushes).toEqual([])
  })

  test('a member mutes what an organization sends, for themselves', async () => {
    const org = await createOrganization(app, 2)
    const [ada, ben] = org.members as [TestUser, TestUser]
    for (const member of [ada, ben]) await addPhone(member)
    await mute({ source: 'ops' }, 3600, ada.token)
    await app.post(`${org.path}/notifications`, { title: 'T', body: 'B', source: 'ops' }, org.owner.token)
    const eventsOf = async ({ token }: TestUser) => {
      const [entry] = (await app.get('/notifications', token)).body.items
      return (await timeline(entry.id, token)).map(({ event }: { event: string }) => event)
    }
    await eventually(async () => expect(await eventsOf(ada)).toContain('muted'))
    expect(await eventsOf(ben)).not.toContain('muted')
  })
})

describe('PUT /mutes', () => {
  test('201, then 200 with the same id and the new end; event streams learn of it', async () => {
    const events = await openEvents(app.url, user.token)
    const first = await mute({ source: 'ci' })
    expect(first.status).toBe(201)
    expect(first.body).toEqual({ id: expect.any(String), source: 'ci', until: later(3600), created_at: later(0) })
    const second = await mute({ source: 'ci' }, 60)
    expect([second.status, second.body]).toEqual([200, { ...first.body, until: later(60) }])
    expect((await app.get('/mutes', user.token)).body.items).toEqual([second.body])
    await app.del(`/mutes/${first.body.id}`, user.token)
    await eventually(() => expect(events.types()).toEqual(['mute.updated', 'mute.updated', 'mute.deleted']))
    events.close()
  })

  test('the list has the one that ends next first', async () => {
    for (const [source, seconds] of [
      ['b', 7200],
      ['c', 60],
      ['a', 3600],
    ] as const)
      await mute({ source }, seconds)
    const { items } = (await app.get('/mutes', user.token)).body
    expect(items.map(({ source }: { source: string }) => source)).toEqual(['c', 'a', 'b'])
  })

  test('404 for a key of another account, 409 over the cap', async () => {
    const stranger = await app.addUser()
    const [theirs] = (await app.get('/integrations/keys', stranger.token)).body
    expectProblem(await mute({ key_id: theirs.id }), 404, 'integration_key.not_found')
    for (let count = 0; count < LIMITS.mute.maxPerAccount; count++) await mute({ source: `s${count}` })
    expectProblem(await mute({ source: 'one more' }), 409, 'mute.limit_exceeded')
    expect((await mute({ source: 's0' }, 60)).status).toBe(200)
  })

  test('422 for no target, two targets, and an end in the past or too far ahead', async () => {
    for (const target of [{}, { source: 'a', thread_id: 'b' }]) {
      expectProblem(await mute(target), 422, 'request.validation_failed')
    }
    for (const seconds of [0, 30 * 86_400 + 1]) {
      const refused = await mute({ source: 'a' }, seconds)
      expectProblem(refused, 422, 'request.validation_failed')
      expect(locations(refused)).toEqual(['body.until'])
    }
    expect((await mute({ source: 'a' }, 30 * 86_400)).status).toBe(201)
  })
})

describe('DELETE /mutes/{mute_id}', () => {
  test('204 and it is pushed again; 404 for one of another account', async () => {
    const { id } = (await mute({ source: 'ci' })).body
    const stranger = await app.addUser()
    expectProblem(await app.del(`/mutes/${id}`, stranger.token), 404, 'mute.not_found')
    expect((await app.del(`/mutes/${id}`, user.token)).status).toBe(204)
    expect(await isPushed({ source: 'ci' })).toBe(true)
  })
})
