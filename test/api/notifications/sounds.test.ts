// The sound of notifications: of the request, of the key that sends, and at each kind of device.
import { describe, expect, test } from 'vitest'
import { addBarkPhone, notify, useBarkApp } from '../../support/devices/bark-phone.ts'
import { addPhone } from '../../support/devices/phone.ts'
import { expectProblem } from '../../support/expect-problem.ts'

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

  test('422 for another word, 400 for none on a critical alert', async () => {
    const user = await app.addUser()
    expectProblem(await notify(app, user, { sound: 'x' }), 422, 'request.validation_failed')
    expectProblem(await notify(app, user, { sound: 'none', level: 'critical' }), 400, 'notification.invalid')
  })

  test('a key has one for what it sends without one; it does not silence a critical alert', async () => {
    const user = await app.addUser()
    const input = { name: 'Backup', permissions: { notifications: 'send' }, sound: 'chime' }
    const { id, key } = (await app.post('/integrations/keys', input, user.token)).body
    const send = async (members: object = {}) =>
      (await app.post('/notifications', { title: 'T', body: 'b', ...members }, key)).body.sound
    expect(await send()).toBe('chime')
    expect(await send({ sound: 'bell' })).toBe('bell')
    await app.patch(`/integrations/keys/${id}`, { sound: 'none' }, user.token)
    expect(await send()).toBe('none')
    expect(await send({ level: 'critical' })).toBeUndefined()
    await app.patch(`/integrations/keys/${id}`, { sound: null }, user.token)
    expect(await send()).toBeUndefined()
  })
})
