// The Bark app of a phone registers with this server, and nobody else takes its place or silences it unseen.
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../support/app.ts'
import { addBarkPhone, BARK_TOPIC, notify, useBarkApp } from '../../../support/devices/bark-phone.ts'
import { expectProblem } from '../../../support/expect-problem.ts'

const app = useBarkApp()

const devices = async (token: string) => (await app.get('/devices', token)).body.items
const other = 'ab'.repeat(32)

describe('POST /devices/apps for Bark', () => {
  test('422 device.channel_unavailable without a key file, and the other way is named', async () => {
    const plain = await startTestApp()
    try {
      const { token } = await plain.addUser()
      const answer = await plain.post('/devices/apps', { kind: 'bark', name: 'iPhone' }, token)
      expectProblem(answer, 422, 'device.channel_unavailable')
      expect(answer.body.detail).toContain('address')
    } finally {
      await plain.stop()
    }
  })

  test('201: an address for one phone, which then gets pushes from Apple', async () => {
    const user = await app.addUser()
    const { status, body } = await app.post('/devices/apps', { kind: 'bark', name: 'iPhone' }, user.token)
    expect(status).toBe(201)
    expect(body.server_url).toMatch(/\/bark\/p-[2-9A-HJ-NP-Za-km-z]{22}$/)
    expect(body.deep_link).toBe(`bark://addServer?address=${encodeURIComponent(body.server_url)}`)
    const path = new URL(body.server_url).pathname
    expect((await app.get(`${path}/ping`)).body).toMatchObject({ code: 200, message: 'pong' })
    const registered = await app.get(`${path}/register?devicetoken=${other}&key=`)
    expect(registered).toMatchObject({ status: 200, body: { code: 200, data: { device_token: other } } })
    const { key } = registered.body.data
    expect((await app.get(`${path}/register/${key}`)).status).toBe(200)
    expect((await app.get(`${path}/register/wrong`)).body).toMatchObject({ code: 400 })
    const [device] = await devices(user.token)
    expect(device).toMatchObject({ platform: 'bark', channel: 'apns', connected: true, options: { ring: 'critical' } })
    expect(JSON.stringify(await devices(user.token))).not.toMatch(new RegExp(`${other}|${key}|p-`))
    // Another phone cannot use it.
    expect((await app.get(`${path}/register?devicetoken=${'cd'.repeat(32)}&key=`)).body.code).toBe(403)
  })

  test('a phone that does not register within ten minutes is forgotten with its address', async () => {
    const user = await app.addUser()
    const { body } = await app.post('/devices/apps', { kind: 'bark', name: 'iPhone' }, user.token)
    app.advanceSeconds(601)
    await app.runDueJobs()
    expect(await devices(user.token)).toEqual([])
    const path = new URL(body.server_url).pathname
    expect(await app.get(`${path}/ping`)).toMatchObject({ status: 200, body: { code: 404 } })
    expect(await app.get(`${path}/register?devicetoken=${other}&key=`)).toMatchObject({
      status: 200,
      body: { code: 403, message: expect.stringContaining('Heliograph') },
    })
  })
})

describe('GET /register of a phone that is registered', () => {
  test('200 at every launch, and at most one write a minute', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    const [before] = await devices(user.token)
    app.advanceSeconds(30)
    expect(await phone.register()).toMatchObject({ status: 200, body: { code: 200, data: { key: phone.key } } })
    expect((await devices(user.token))[0].last_seen_at).toBe(before.last_seen_at)
    app.advanceSeconds(60)
    await phone.register()
    expect((await devices(user.token))[0].last_seen_at).not.toBe(before.last_seen_at)
  })

  test('another token needs the owner: code 403, pushes go on to the phone until they allow the other one', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    expect(await phone.register({ devicetoken: other })).toMatchObject({
      status: 200,
      body: { code: 403, message: 'Allow this phone in Heliograph under Devices.' },
    })
    await app.runDueJobs()
    expect(phone.pushes().map(({ payload }) => payload.aps.alert?.title)).toEqual([
      'Another phone asks for the messages of iPhone',
    ])
    await notify(app, user)
    expect(phone.pushes()).toHaveLength(1)
    const third = 'ef'.repeat(32)
    await phone.register({ devicetoken: third })
    await app.runDueJobs()
    expect(phone.pushes()[0]?.payload.aps.alert?.body).toContain('Several phones')
    const [{ pending }] = await devices(user.token)
    const approve = (pending_id: string) => app.post(`/devices/${phone.deviceId}/approve`, { pending_id }, user.token)
    expectProblem(await approve('another'), 409, 'device.nothing_pending')
    // What was approved is the phone that the person saw, not one that asked a moment later.
    await phone.register({ devicetoken: 'aa'.repeat(32) })
    expect((await approve(pending.id)).status).toBe(200)
    phone.token = third
    phone.pushes()
    await notify(app, user)
    expect(phone.pushes()).toHaveLength(1)
    expectProblem(await approve(pending.id), 409, 'device.nothing_pending')
  })

  test('devicetoken=deleted is asked about; only urgent messages arrive meanwhile, and nothing after a day', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    expect((await phone.register({ devicetoken: 'deleted', key: 'wrong' })).body.code).toBe(403)
    expect((await phone.register({ devicetoken: 'deleted' })).body.code).toBe(200)
    await app.runDueJobs()
    const [notice] = phone.pushes()
    expect(notice?.payload).toMatchObject({ level: 'timeSensitive', url: expect.stringContaining('/answers/') })
    const held = (await notify(app, user)).body
    expect(held.delivery).toBe('none')
    expect((await app.get(`/notifications/${held.id}/timeline`, user.token)).body.items).toContainEqual(
      expect.objectContaining({ event: 'held', device: 'iPhone' }),
    )
    await notify(app, user, { level: 'critical' })
    expect(phone.pushes().map(({ payload }) => payload.level)).toEqual(['critical'])
    // Quiet as they are, neither live activities nor the ends of notifications arrive.
    await app.patch(`/devices/${phone.deviceId}`, { options: { activities: true } }, user.token)
    await app.post('/activities', { slug: 'wash', name: 'Washing' }, user.token)
    const change = { state: 'ongoing', content: { template: 'generic', state: 'Half' } }
    expect((await app.patch('/activities/wash', change, user.token)).status).toBe(200)
    await app.runDueJobs()
    expect(phone.pushes()).toEqual([])
    app.advanceSeconds(86_401)
    await app.runDueJobs()
    await notify(app, user, { level: 'critical' })
    expect(phone.pushes()).toEqual([])
    expect((await devices(user.token))[0]).toMatchObject({
      connected: false,
      last_push_error: 'removed in the Bark app',
    })
    // The app was opened again: the same phone is connected as before, with a new key.
    const again = await phone.register({ key: '' })
    expect(again.body.data?.key).not.toBe(phone.key)
    await notify(app, user)
    expect(phone.pushes()).toHaveLength(1)
  })

  test.each([
    ['bark-keep', 1],
    ['bark-disconnect', 0],
  ])('the answer %s to that question decides', async (action_id, pushes) => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    await phone.register({ devicetoken: 'deleted' })
    await app.runDueJobs()
    const [{ id }] = (await app.get('/notifications', user.token)).body.items
    expect((await app.post(`/notifications/${id}/answer`, { action_id }, user.token)).status).toBe(200)
    await app.runDueJobs()
    phone.pushes()
    await notify(app, user)
    expect(phone.pushes()).toHaveLength(pushes)
    expect((await phone.register()).body.code).toBe(pushes === 1 ? 200 : 403)
  })

  test('wrong codes are counted like unknown tokens of senders', async () => {
    const codes: number[] = []
    for (let i = 0; i < 21; i++) {
      codes.push((await app.get(`/bark/p-${'x'.repeat(22)}/register?devicetoken=${other}&key=`)).body.code)
    }
    expect(codes.at(0)).toBe(403)
    expect(codes.at(-1)).toBe(429)
    app.advanceSeconds(61)
    expect((await app.get('/bark/register?devicetoken=x')).body).toMatchObject({ code: 403 })
  })
})

test('a phone in two accounts gets what each of them sends', async () => {
  const [one, two] = [await app.addUser(), await app.addUser()]
  const phone = await addBarkPhone(app, one)
  const second = await addBarkPhone(app, two)
  await second.register({ devicetoken: phone.token })
  const [{ pending }] = await devices(two.token)
  await app.post(`/devices/${second.deviceId}/approve`, { pending_id: pending.id }, two.token)
  await app.runDueJobs()
  phone.pushes()
  await notify(app, one)
  await notify(app, two)
  expect(phone.pushes().map(({ headers }) => headers['apns-topic'])).toEqual([BARK_TOPIC, BARK_TOPIC])
})
