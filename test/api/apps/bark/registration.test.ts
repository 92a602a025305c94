// The Bark app of a phone registers with this server, and nobody else takes its place or silences it unseen.
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestUser } from '../../../support/app.ts'
import { addApp, pollNtfy } from '../../../support/devices/app-streams.ts'
import { addBarkPhone, BARK_TOPIC, notify, useBarkApp } from '../../../support/devices/bark-phone.ts'
import { openEvents } from '../../../support/event-reader.ts'
import { eventually } from '../../../support/eventually.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { setUsed } from '../../../support/usage.ts'

// The address of a phone is below that of the server all the same: this host is for senders.
const app = useBarkApp({ HELIOGRAPH_BARK_HOST: 'bark.example' })

const devices = async (token: string) => (await app.get('/devices', token)).body.items
const other = 'ab'.repeat(32)
const titlesOf = async (user: TestUser) =>
  (await app.get('/notifications', user.token)).body.items.map(({ title }: { title: string }) => title)

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
    expect(Date.parse(body.expires_at)).toBe(app.clock.now() + 600_000)
    expect(body.server_url).toMatch(new RegExp(`^${app.url}/bark/p-[2-9A-HJ-NP-Za-km-z]{22}$`))
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
    const used = await app.get(`${path}/register?devicetoken=${'cd'.repeat(32)}&key=`)
    expect(used.body).toMatchObject({ code: 403, message: expect.stringContaining('Add a phone') })
  })

  test('a token that Apple cannot have made is refused with code 400, and the address stays open', async () => {
    const user = await app.addUser()
    const { body } = await app.post('/devices/apps', { kind: 'bark', name: 'iPhone' }, user.token)
    const { pathname } = new URL(body.server_url)
    for (const token of ['a'.repeat(161), 'hello, this is no token', '']) {
      const refused = await app.get(`${pathname}/register?devicetoken=${encodeURIComponent(token)}&key=`)
      expect(refused).toMatchObject({ status: 200, body: { code: 400 } })
    }
    expect((await app.get(`${pathname}/register?devicetoken=${other}&key=`)).body.code).toBe(200)
  })

  test('409 device.limit_exceeded: it counts like any device, also before it has registered', async () => {
    const user = await app.addUser('free')
    const add = () => app.post('/devices/apps', { kind: 'bark', name: 'iPhone' }, user.token)
    for (let count = 0; count < 3; count++) expect((await add()).status).toBe(201)
    expectProblem(await add(), 409, 'device.limit_exceeded')
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

  test('device.pending tells of another token, a notice at most once an hour; it is forgotten after a day', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    const { events, close, types } = await openEvents(app.url, user.token)
    await phone.register({ devicetoken: other })
    await phone.register({ devicetoken: other })
    await eventually(() => expect(types().filter((type) => type === 'device.pending')).toHaveLength(1))
    expect(events.find(({ event }) => event === 'device.pending')?.data).toMatchObject({ data: { id: phone.deviceId } })
    close()
    expect(await titlesOf(user)).toHaveLength(1)
    // The second one is always told of, because then somebody else may have the address.
    await phone.register({ devicetoken: 'cd'.repeat(32) })
    await phone.register({ devicetoken: 'ef'.repeat(32) })
    expect(await titlesOf(user)).toHaveLength(2)
    app.advanceSeconds(3601)
    await phone.register({ devicetoken: 'aa'.repeat(32) })
    expect(await titlesOf(user)).toHaveLength(3)
    const [{ pending }] = await devices(user.token)
    app.advanceSeconds(86_401)
    expect((await devices(user.token))[0]).not.toHaveProperty('pending')
    const late = await app.post(`/devices/${phone.deviceId}/approve`, { pending_id: pending.id }, user.token)
    expectProblem(late, 409, 'device.nothing_pending')
  })

  test('the notices are free, and quiet hours and mutes do not hold them', async () => {
    const user = await app.addUser('free')
    const phone = await addBarkPhone(app, user)
    await setUsed(app, user, 'notifications', 500)
    const until = new Date(app.clock.now() + 3_600_000).toISOString()
    await app.post('/auth/me/quiet-hours/now', { until }, user.token)
    const mute = { source: 'heliograph', until }
    expect((await app.put('/mutes', mute, user.token)).status).toBeLessThan(300)
    await phone.register({ devicetoken: other })
    await phone.register({ devicetoken: 'deleted' })
    await app.runDueJobs()
    expect(phone.pushes().map(({ payload }) => payload.level)).toEqual(['timeSensitive', 'timeSensitive'])
    const { items } = (await app.get('/notifications', user.token)).body
    expect(items.map(({ source, level }: { source: string; level: string }) => [source, level])).toEqual(
      Array(2).fill(['heliograph', 'time-sensitive']),
    )
  })

  test('after devicetoken=deleted, both phones ask; the same phone comes back within the day with a new key', async () => {
    const user = await app.addUser()
    const [phone, second] = [await addBarkPhone(app, user), await addApp(app, user)]
    await phone.register({ devicetoken: 'deleted' })
    await app.runDueJobs()
    const [notice] = phone.pushes()
    const page = new URL(notice?.payload.url ?? '')
    expect((await app.get(page.pathname)).text).toMatch(/Disconnect.*Keep/s)
    const [asked] = await pollNtfy(app, second, 'inbox/json?poll=1')
    expect(asked.actions.map(({ label }: { label: string }) => label)).toEqual(['Disconnect', 'Keep'])
    await notify(app, user, { level: 'time-sensitive' })
    expect(phone.pushes()).toHaveLength(1)
    await notify(app, user)
    expect(phone.pushes()).toEqual([])
    app.advanceSeconds(80_000)
    const again = await phone.register({ key: '' })
    expect(again.body).toMatchObject({ code: 200, data: { device_token: phone.token } })
    expect(again.body.data?.key).not.toBe(phone.key)
    phone.key = again.body.data?.key ?? ''
    // What was held is not sent later.
    await app.runDueJobs()
    expect(phone.pushes()).toEqual([])
    app.advanceSeconds(10_000)
    await app.runDueJobs()
    await notify(app, user)
    expect(phone.pushes()).toHaveLength(1)
    expect((await phone.register()).body.code).toBe(200)
  })

  test('once the device is deleted, its address and its key are nothing any more', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    expect((await app.del(`/devices/${phone.deviceId}`, user.token)).status).toBe(204)
    expect((await phone.register()).body.code).toBe(403)
    expect((await app.get(`${phone.path}/ping`)).body.code).toBe(404)
    expect((await app.get(`${phone.path}/register/${phone.key}`)).body.code).toBe(400)
    await notify(app, user)
    expect(phone.pushes()).toEqual([])
  })

  test('devicetoken=deleted is asked about; only urgent messages arrive meanwhile, and nothing after a day', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    expect((await phone.register({ devicetoken: 'deleted', key: 'wrong' })).body.code).toBe(403)
    for (let n = 0; n < 2; n++) expect((await phone.register({ devicetoken: 'deleted' })).body.code).toBe(200)
    expect(await titlesOf(user)).toEqual(['Disconnect iPhone?'])
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
    // The app shows the text of an answer only if its status is 200.
    const ping = await app.get(`/bark/p-${'x'.repeat(22)}/ping`)
    expect(ping).toMatchObject({ status: 200, body: { code: 429, message: expect.stringContaining('Wait') } })
    expect((await app.get('/bark/nobody/text')).status).toBe(429)
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
