// The sound of notifications: of the request, of the key that sends, and at each kind of device.
import { describe, expect, test } from 'vitest'
import { addBarkPhone, notify, useBarkApp } from '../../support/devices/bark-phone.ts'
import { addPhone } from '../../support/devices/phone.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { addHook } from '../../support/hooks/hook.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'
import { schedulesOf } from '../../support/schedules.ts'

const app = useBarkApp()

describe('sound', () => {
  test.each([
    [{ sound: 'bell' }, 'bell.caf', 'bell.caf'],
    [{ sound: 'ding' }, 'ding.caf', 'glass.caf'],
    [{ sound: 'file:mine' }, 'mine.caf', 'mine.caf'],
    [{ sound: 'none' }, undefined, 'silence.caf'],
    [{}, 'default', '1107'],
    [{ sound: 'bell', level: 'passive' }, undefined, 'silence.caf'],
    [{ sound: 'siren', level: 'critical' }, { critical: 1, name: 'siren.caf', volume: 1 }, 'alarm.caf'],
  ])('%j is %j in an app of ours and %s at Bark', async (members, own, bark) => {
    const user = await app.addUser()
    const [phone, other] = [await addPhone(app, { app, user }), await addBarkPhone(app, user)]
    const { status, body } = await notify(app, user, members)
    expect([status, body.sound]).toEqual([201, (members as { sound?: string }).sound])
    const pushed = app.apns.requests.findLast(({ token }) => token === phone.token)
    expect(JSON.parse(pushed?.payload ?? '').aps.sound).toEqual(own)
    expect(other.pushes()[0]?.payload.aps.sound).toBe(bark)
  })

  test('of a schedule, a webhook and a heartbeat is that of what they send', async () => {
    const user = await app.addUser()
    const newest = async () => (await app.get('/notifications?limit=1', user.token)).body.items[0].sound
    const { later, pass, plan, read } = schedulesOf(app)
    const scheduled = await plan(user, { send_at: later(60), sound: 'chime' })
    expect((await read(user, scheduled)).sound).toBe('chime')
    await pass(60)
    expect(await newest()).toBe('chime')
    await (await addHook(app, { kind: 'auto', options: { sound: 'ding' } }, user)).send({ title: 'T', body: 'b' })
    expect(await newest()).toBe('ding')
    const heartbeats = heartbeatsOf(app)
    const heartbeat = await heartbeats.add(user, { sound: 'siren' })
    await heartbeats.ping(heartbeat)
    await heartbeats.ping(heartbeat, '/fail')
    expect([heartbeat, await newest()]).toMatchObject([{ sound: 'siren' }, 'siren'])
    await heartbeats.ping(heartbeat)
    expect(await newest()).toBeUndefined()
    const path = '/heartbeats/backup'
    expect((await app.patch(path, { sound: null }, user.token)).body).not.toHaveProperty('sound')
    expectProblem(await app.patch(path, { sound: 'x' }, user.token), 422, 'request.validation_failed')
    const silent = { sound: 'none', level: 'critical' }
    expectProblem(await app.patch(path, silent, user.token), 400, 'notification.invalid')
  })

  test('422 for another word, 400 for none on a critical alert', async () => {
    const user = await app.addUser()
    expectProblem(await notify(app, user, { sound: 'x' }), 422, 'request.validation_failed')
    expectProblem(await notify(app, user, { sound: 'none', level: 'critical' }), 400, 'notification.invalid')
  })

  test('a key has one for what it sends without one; it does not silence a critical alert', async () => {
    const user = await app.addUser()
    const input = { name: 'Backup', permissions: { notifications: 'send' }, sound: 'chime' }
    const { id, key } = (await app.post('/integrations/keys', input, user.token)).body
    const send = async (members: object = {}) => {
      const { status, body } = await app.post('/notifications', { title: 'T', body: 'b', ...members }, key)
      expect(status).toBe(201)
      return body.sound
    }
    expect(await send()).toBe('chime')
    expect(await send({ sound: 'bell' })).toBe('bell')
    await app.patch(`/integrations/keys/${id}`, { sound: 'none' }, user.token)
    expect(await send()).toBe('none')
    expect(await send({ level: 'critical' })).toBeUndefined()
    await app.patch(`/integrations/keys/${id}`, { sound: null }, user.token)
    expect(await send()).toBeUndefined()
  })
})
