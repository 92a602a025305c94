// Storm shields: what is pushed, what is held, and the summary at most once a minute.
import { beforeEach, describe, expect, test } from 'vitest'
import { authenticate, readCredentials } from '../../../src/operations/authenticate.ts'
import { sendNotification } from '../../../src/operations/notifications/send.ts'
import type { TestUser } from '../../support/app.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { type ApplePhone, addPhone } from '../../support/devices/phone.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { isNightly } from '../../support/nightly.ts'
import { createOrganization } from '../../support/organizations/organization.ts'
import { schedulesOf } from '../../support/schedules.ts'

const app = usePushApp()
const { pass, used, later } = schedulesOf(app)

let user: TestUser
let phone: ApplePhone
beforeEach(async () => {
  // What the test before has pushed is over a minute old.
  await pass(120)
  user = await app.addUser()
  phone = await addPhone(app, { app, user })
})

const addKey = async (pushes_per_minute: number | null, members: object = {}) => {
  const storm = pushes_per_minute === null ? null : { pushes_per_minute }
  const input = { name: 'CI', permissions: { notifications: 'send' }, storm, ...members }
  return (await app.post('/integrations/keys', input, user.token)).body
}
const send = async (token: string, members: object = {}) => {
  const { status, text, body } = await app.post('/notifications', { title: 'T', body: 'B', ...members }, token)
  if (status !== 201) throw new Error(text)
  return body
}
const sendSome = async (token: string, count: number, members: object = {}) => {
  const reasons = []
  for (let number = 0; number < count; number++) reasons.push((await send(token, members)).reason ?? 'pushed')
  return reasons
}
const titles = async () => (await phone.pushes()).map(({ aps }) => aps?.alert?.title)
const unread = async () => (await app.get('/notifications/unread-count', user.token)).body.count

describe('a key with a storm shield', () => {
  test('pushes up to its limit; the rest is stored, not pushed and not charged, and the timeline says why', async () => {
    const { key } = await addKey(3)
    expect(await sendSome(key, 5)).toEqual(['pushed', 'pushed', 'pushed', 'storm', 'storm'])
    const last = await send(key)
    expect(last).toMatchObject({ pushed: false, delivery: 'none', reason: 'storm' })
    expect(await used(user)).toBe(3)
    expect(await unread()).toBe(6)
    expect((await app.get(`/notifications/${last.id}/timeline`, user.token)).body.items.at(-1)).toMatchObject({
      event: 'storm',
      detail: 'more than 3 pushes a minute',
    })
    const dry = await app.post('/notifications?dry_run=true', { title: 'T', body: 'B' }, key)
    expect(dry.body.would).toMatchObject({ pushes: [], reason: 'storm' })
  })

  test('pushes again when a minute has passed, and other keys are not held', async () => {
    const { key } = await addKey(1)
    expect(await sendSome(key, 2)).toEqual(['pushed', 'storm'])
    expect(await sendSome(user.defaultKey, 2)).toEqual(['pushed', 'pushed'])
    app.advanceSeconds(60)
    expect(await sendSome(key, 2)).toEqual(['pushed', 'storm'])
  })

  test('critical ones and alerts pass, and count toward the limit', async () => {
    const { key } = await addKey(2)
    expect(await sendSome(key, 1, { level: 'critical' })).toEqual(['pushed'])
    expect(await sendSome(key, 1, { acknowledge: {} })).toEqual(['pushed'])
    expect(await sendSome(key, 1)).toEqual(['storm'])
    expect(await sendSome(key, 1, { level: 'critical' })).toEqual(['pushed'])
    expect(await sendSome(key, 1, { push: false })).toEqual(['push_disabled'])
  })

  test('what is muted or held by quiet hours does not count', async () => {
    const { key } = await addKey(1)
    await app.post('/auth/me/quiet-hours/now', { until: later(30) }, user.token)
    expect(await sendSome(key, 3)).toEqual(['quiet_hours', 'quiet_hours', 'quiet_hours'])
    await app.del('/auth/me/quiet-hours/now', user.token)
    expect(await sendSome(key, 2)).toEqual(['pushed', 'storm'])
  })

  test('senders at the same time are counted one after the other', async () => {
    const { key } = await addKey(5)
    const sent = await Promise.all(Array.from({ length: 20 }, () => send(key)))
    expect(sent.filter(({ reason }) => reason === 'storm')).toHaveLength(15)
    expect(await titles()).toHaveLength(5)
  })
})

describe('the summary', () => {
  test('comes a minute after the first that is held, once, with their highest level, and is not charged', async () => {
    const { key } = await addKey(1)
    await sendSome(key, 2)
    await send(key, { level: 'time-sensitive' })
    await sendSome(key, 2)
    await pass(59)
    expect(await titles()).toEqual(['T'])
    await pass(1)
    expect(await titles()).toEqual(['T', 'CI: 4 more in the last minute'])
    const [summary] = (await app.get('/notifications', user.token)).body.items
    expect(summary).toMatchObject({ level: 'time-sensitive', read_at: expect.any(String) })
    // The server sends it, not the key.
    expect(summary).not.toHaveProperty('key_id')
    expect([await used(user), await unread()]).toEqual([1, 5])
    await pass(600)
    expect(await titles()).toHaveLength(2)
    await sendSome(key, 2, { level: 'passive' })
    await pass(60)
    expect((await app.get('/notifications?limit=1', user.token)).body.items).toMatchObject([
      { title: 'CI: 1 more in the last minute', level: 'passive' },
    ])
  })

  test('is not sent if the key is muted or it is quiet by then', async () => {
    const { key, id: key_id } = await addKey(1)
    await sendSome(key, 2)
    await app.put('/mutes', { key_id, until: later(3600) }, user.token)
    await pass(60)
    expect(await titles()).toEqual(['T'])
  })

  test('is not sent for a key that was deleted', async () => {
    const { key, id } = await addKey(1)
    await sendSome(key, 2)
    await app.del(`/integrations/keys/${id}`, user.token)
    await pass(60)
    expect(await titles()).toEqual(['T'])
  })
})

describe('a storm of thousands in a minute', () => {
  // At the level of the operation, because what is shown is the counting and not the requests.
  const count = isPostgres() && !isNightly ? 500 : 5000

  test('makes at most one push a minute beyond the limit, and loses none from the inbox', async () => {
    const { key } = await addKey(30)
    const caller = await authenticate(app.app.ctx, readCredentials(key))
    const steps = 50
    for (let step = 0; step < steps; step++) {
      const input = { title: 'Alert', body: `${step}` }
      await Promise.all(Array.from({ length: count / steps }, () => sendNotification(app.app.ctx, caller, input)))
      app.advanceSeconds(1)
    }
    await pass(120)
    const pushed = await titles()
    expect(pushed.filter((title) => title === 'Alert')).toHaveLength(30)
    expect(pushed.slice(30)).toEqual([`CI: ${count - 30} more in the last minute`])
    expect(await unread()).toBe(count)
  })
})

describe.skipIf(sqliteSuffices())('hooks', () => {
  const addHook = async (members: object = {}) =>
    (await app.post('/integrations/hooks', { name: 'Kuma', kind: 'generic', ...members }, user.token)).body
  const call = async ({ url }: { url: string }, count: number) => {
    for (let number = 0; number < count; number++) {
      await app.post(new URL(url).pathname, { title: `Down ${number}`, message: 'B' })
    }
  }

  test('have a shield of 30 unless they are given another, or none', async () => {
    const made = await addHook()
    expect(made.storm).toEqual({ pushes_per_minute: 30 })
    expect(await addHook({ storm: null })).not.toHaveProperty('storm')
    const changed = await app.patch(`/integrations/hooks/${made.id}`, { storm: { pushes_per_minute: 2 } }, user.token)
    expect(changed.body.storm).toEqual({ pushes_per_minute: 2 })
    await call(made, 4)
    expect(await titles()).toHaveLength(2)
    await pass(60)
    expect((await titles()).at(-1)).toBe('Kuma: 2 more in the last minute')
  })

  test('the shield of the key of a hook holds, too', async () => {
    const key = await addKey(1)
    await call(await addHook({ key_id: key.id }), 3)
    expect(await titles()).toHaveLength(1)
    await pass(60)
    expect((await titles()).at(-1)).toBe('CI: 2 more in the last minute')
  })
})

describe.skipIf(sqliteSuffices())('a key of an organization', () => {
  test('is shielded for all members, and the summary goes to those whom the storm was for', async () => {
    const org = await createOrganization(app, 2)
    const [ada, ben] = org.members as [TestUser, TestUser]
    const phones = [await addPhone(app, { app, user: ada }), await addPhone(app, { app, user: ben })]
    const input = { name: 'Ops', permissions: { notifications: 'send' }, storm: { pushes_per_minute: 1 } }
    const { key } = (await app.post(`${org.path}/keys`, input, org.owner.token)).body
    const target = { members: [ada.userId] }
    expect(await sendSome(key, 3, { target })).toEqual(['pushed', 'storm', 'storm'])
    await pass(60)
    const heard = await Promise.all(phones.map(async (one) => (await one.pushes()).map(({ aps }) => aps?.alert?.title)))
    expect(heard).toEqual([['T', 'Ops: 2 more in the last minute'], []])
    await pass(60)
    for (const { userId } of [ada, ada, ben]) await send(key, { target: { members: [userId] } })
    await pass(60)
    expect((await phones[1]?.pushes())?.map(({ aps }) => aps?.alert?.title)).toEqual(['Ops: 2 more in the last minute'])
  })
})

test('422 for a limit out of range', async () => {
  for (const pushes_per_minute of [0, 601]) {
    const refused = await app.post('/integrations/keys', { name: 'CI', storm: { pushes_per_minute } }, user.token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['body.storm.pushes_per_minute'])
  }
})
