// A phone with the Bark app behind a bark-server of somebody else.
import { createDecipheriv } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openBarkServers } from '../../../../src/push/channels/bark/bark-server.ts'
import { type OpenChannels, openChannels } from '../../../../src/push/channels/channels.ts'
import type { Resolve } from '../../../../src/push/host-names.ts'
import { openOutbound } from '../../../../src/push/outbound-http.ts'
import { startTestApp } from '../../../support/app.ts'
import { notify } from '../../../support/devices/bark-phone.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { type FakeBarkServer, startFakeBarkServer } from '../../../support/fakes/fake-bark-server.ts'
import { letPass, usePushApp } from '../../../support/fakes/push-services.ts'

const app = usePushApp()
const KEY = 'phoneKey2345'

let server: FakeBarkServer
beforeEach(async () => {
  server = await startFakeBarkServer([KEY])
})
afterEach(() => server.close())

const add = async (address: string, members: object = {}) => {
  const user = await app.addUser()
  const answer = await app.post('/devices/apps', { kind: 'bark', name: 'iPhone', address, ...members }, user.token)
  return { user, answer }
}
const addPhone = async (members: object = {}) => {
  const { user, answer } = await add(`${server.url}/${KEY}/`, members)
  expect(answer.status, answer.text).toBe(201)
  return { user, device: answer.body.device, key: answer.body.encryption_key as string }
}
const passes = async (seconds: number) => {
  await letPass(app, seconds)
  await app.runDueJobs()
}
const deviceOf = async (token: string) => (await app.get('/devices', token)).body.items[0]

describe('the address', () => {
  test('is asked for the server and the phone first; then pushes go there as JSON', async () => {
    const { user, device } = await addPhone()
    expect(server.paths).toEqual(['/ping', `/register/${KEY}`])
    expect(device).toMatchObject({ platform: 'bark', channel: 'http' })
    const { body } = await notify(app, user, { level: 'time-sensitive' })
    expect(body.delivery).toBe('all')
    expect(server.pushed[0]?.body).toMatchObject({
      device_key: KEY,
      title: 'Disk full',
      body: '/var has 0 bytes left.',
      level: 'timeSensitive',
      id: expect.stringMatching(/^hl/),
    })
    const { items } = (await app.get(`/notifications/${body.id}/timeline`, user.token)).body
    const host = new URL(server.url).host
    expect(items).toContainEqual(
      expect.objectContaining({ event: 'push_accepted', detail: `handed to ${host}, not yet to Apple` }),
    )
    expect(await deviceOf(user.token)).toMatchObject({ host, connected: true })
    expect(JSON.stringify(await deviceOf(user.token))).not.toContain(KEY)
  })

  test('may have a user and a password, which are sent as a header', async () => {
    const { user, answer } = await add(`${server.url.replace('//', '//me:secret@')}/${KEY}`)
    expect(answer.status).toBe(201)
    await notify(app, user)
    expect(server.pushed[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`)
  })

  test.each([
    ['no address', 'hello'],
    ['no key', 'https://bark.example.org/'],
    ['a private network', 'https://10.0.0.5/abc'],
    ['plain http to the world', 'http://93.184.216.34/abc'],
  ])('422 device.address_invalid: %s', async (_, address) => {
    expectProblem((await add(address)).answer, 422, 'device.address_invalid')
    expect(server.paths).toEqual([])
  })

  test('422 device.address_invalid: a key that the server does not know, and a redirect, of which nothing is told', async () => {
    const unknown = (await add(`${server.url}/unknown`)).answer
    expectProblem(unknown, 422, 'device.address_invalid')
    expect(unknown.text).not.toContain('key not found')
    expectProblem((await add(`${server.url}/moved/${KEY}`)).answer, 422, 'device.address_invalid')
    expect(server.paths.at(-1)).toBe('/moved/ping')
  })

  test('422 device.address_invalid: an answer that never ends is read to 16 KB, and nothing of it is told', async () => {
    const endless = (await add(`${server.url}/endless/${KEY}`)).answer
    expectProblem(endless, 422, 'device.address_invalid')
    expect(endless.text).not.toContain('xxx')
    await server.endlessEnded
  })

  test('that leads to another machine than when it was added is refused when a push connects', async () => {
    let addresses = [{ address: '127.0.0.1', family: 4 as const }]
    const settings = { HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.1,::1' }
    const own = await startTestApp(settings, undefined, { openChannels: resolvedBy(async () => addresses) })
    onTestFinished(() => own.stop())
    const user = await own.addUser()
    const address = `${server.url.replace('127.0.0.1', 'bark.localhost')}/${KEY}`
    const added = await own.post('/devices/apps', { kind: 'bark', name: 'iPhone', address }, user.token)
    expect(added.status, added.text).toBe(201)
    expect((await notify(own, user)).body.delivery).toBe('all')
    addresses = [{ address: '10.0.0.5', family: 4 }]
    server.closeConnections()
    const { id, delivery } = (await notify(own, user)).body
    expect([delivery, server.pushed.length]).toEqual(['none', 1])
    const { items } = (await own.get(`/notifications/${id}/timeline`, user.token)).body
    expect(items).toContainEqual(expect.objectContaining({ event: 'push_rejected' }))
    expect(JSON.stringify(items)).not.toContain('10.0.0.5')
  })

  test('422 for a key of the wrong length, and for ECB', async () => {
    for (const encrypt of [
      { algorithm: 'AES256', mode: 'GCM', key: 'x'.repeat(16) },
      { algorithm: 'AES128', mode: 'ECB', key: 'x'.repeat(16) },
    ]) {
      expectProblem((await add(`${server.url}/${KEY}`, { encrypt })).answer, 422, 'request.validation_failed')
    }
  })
})

describe('the server', () => {
  test('that does not know the phone any more: the device is off after one request, until the owner tries again', async () => {
    const { user, device } = await addPhone()
    server.answers = [{ status: 400, message: 'failed to get device token: nothing here' }, { status: 200 }]
    expect((await notify(app, user)).body.delivery).toBe('none')
    await notify(app, user)
    expect(server.pushed).toHaveLength(1)
    expect(await deviceOf(user.token)).toMatchObject({
      connected: false,
      last_push_error: 'bark-server: does not know the phone',
    })
    expect((await app.post(`/devices/${device.id}/retry`, undefined, user.token)).body.connected).toBe(true)
    expect((await notify(app, user)).body.delivery).toBe('all')
  })

  test('a device that is deleted while the owner tries again is not found', async () => {
    const user = await app.addUser()
    const tryAgain = () => app.post('/devices/tablet/retry', undefined, user.token)
    for (let round = 0; round < 20; round++) {
      await app.put('/devices/tablet', { name: 'Tablet', platform: 'android' }, user.token)
      const answers = Promise.all(Array.from({ length: 8 }, tryAgain))
      await app.del('/devices/tablet', user.token)
      for (const { status, text } of await answers) expect([200, 404], text).toContain(status)
    }
  })

  test('that refuses three in a row is not asked again, until the owner gives an address', async () => {
    const { user, device } = await addPhone()
    // One that it takes begins the count anew.
    const teapot = { status: 418, message: 'teapot' }
    server.answers = [teapot, teapot, { status: 200 }, teapot]
    for (let i = 0; i < 5; i++) await notify(app, user)
    expect(await deviceOf(user.token)).toMatchObject({ connected: true })
    for (let i = 0; i < 2; i++) await notify(app, user)
    expect(server.pushed).toHaveLength(6)
    expect(await deviceOf(user.token)).toMatchObject({ connected: false })
    server.answers = []
    const changed = await app.patch(`/devices/${device.id}`, { address: `${server.url}/other/${KEY}/` }, user.token)
    expect(changed).toMatchObject({ status: 200, body: { connected: true } })
    await notify(app, user)
    expect(server.paths.at(-1)).toBe('/other/push')
    const refused = await app.patch(`/devices/${device.id}`, { address: `${server.url}/unknown` }, user.token)
    expectProblem(refused, 422, 'device.address_invalid')
    await notify(app, user)
    expect(server.paths.at(-1)).toBe('/other/push')
  })

  test.each(['BadDeviceToken', 'Unregistered'])('that Apple tells %s: the device is off', async (reason) => {
    const { user } = await addPhone()
    server.answers = [{ status: 500, message: `push failed: APNS push failed: ${reason}` }]
    for (let i = 0; i < 2; i++) await notify(app, user)
    expect(server.pushed).toHaveLength(1)
    const last_push_error = 'bark-server: Apple does not know the phone any more'
    expect(await deviceOf(user.token)).toMatchObject({ connected: false, last_push_error })
  })

  test('that asks to wait is asked again after that time', async () => {
    const { user } = await addPhone()
    server.answers = [{ status: 429, message: 'slow down', headers: { 'retry-after': '90' } }, { status: 200 }]
    expect((await notify(app, user)).body.delivery).toBe('none')
    await passes(80)
    expect(server.pushed).toHaveLength(1)
    await passes(15)
    expect(server.pushed).toHaveLength(2)
    await passes(200)
    expect(server.pushed).toHaveLength(2)
  })

  test('that fails five times in a row is asked once a minute, and what waits arrives once when it is back', async () => {
    const { user } = await addPhone()
    server.answers = [{ status: 500, message: 'push failed: boom' }]
    for (let i = 0; i < 6; i++) await notify(app, user, { title: `n${i}` })
    const { id } = (await notify(app, user, { title: 'n6' })).body
    const asked = server.pushed.length
    expect(asked).toBe(5)
    // It was not sent, so that is no attempt.
    const { items } = (await app.get(`/notifications/${id}/timeline`, user.token)).body
    expect(items.map(({ event }: { event: string }) => event)).not.toContain('retried')
    await passes(30)
    expect(server.pushed).toHaveLength(asked)
    await passes(40)
    expect(server.pushed).toHaveLength(asked + 1)
    server.answers = []
    for (let minute = 0; minute < 12; minute++) await passes(60)
    const titles = server.pushed.slice(asked + 1).map(({ body }) => body.title)
    expect(titles.toSorted()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'])
  })

  test('that fails for an hour: what is critical is tried until then, the rest is given up', async () => {
    const { user } = await addPhone()
    server.answers = [{ status: 502, message: 'bad gateway' }]
    const given = (await notify(app, user, { title: 'given up' })).body.id
    await notify(app, user, { title: 'kept', level: 'critical' })
    const minutes = async (count: number) => {
      for (let minute = 0; minute < count; minute++) {
        app.advanceSeconds(60)
        await app.runDueJobs()
      }
    }
    await minutes(60)
    server.answers = []
    const failed = server.pushed.length
    await minutes(12)
    expect(server.pushed.slice(failed).map(({ body }) => body.title)).toEqual(['kept'])
    const { items } = (await app.get(`/notifications/${given}/timeline`, user.token)).body
    const attempts = items.filter(({ event }: { event: string }) => event === 'retried')
    expect([attempts.length, items.at(-1).event]).toEqual([6, 'push_rejected'])
  })

  test('that fails for one account is asked at once for another', async () => {
    const [{ user: failing }, { user: other }] = [await addPhone(), await addPhone()]
    server.answers = [{ status: 500, message: 'push failed: boom' }]
    for (let i = 0; i < 6; i++) await notify(app, failing)
    server.answers = []
    expect((await notify(app, failing)).body.delivery).toBe('none')
    expect((await notify(app, other)).body.delivery).toBe('all')
  })
})

describe('encryption', () => {
  test.each([
    ['a key that is made', true],
    ['a key that the app has', { algorithm: 'AES128', mode: 'CBC', key: 'ABCDEFGHIJKLMNOP' }],
  ])('with %s, the server learns the phone, the tag, a placeholder and nothing else', async (_, encrypt) => {
    const { user, key } = await addPhone({ encrypt })
    await notify(app, user, { title: 'Kanarienvogel', body: 'x'.repeat(4000), source: 'Kanarienvogel' })
    const { ciphertext, iv, id, ...others } = server.pushed[0]?.body ?? {}
    expect(others).toEqual({ device_key: KEY, body: 'Encrypted notification' })
    expect(id).toMatch(/^hl/)
    expect(Buffer.byteLength(JSON.stringify(server.pushed[0]?.body))).toBeLessThanOrEqual(4096)
    const open = JSON.parse(decrypt(encrypt === true, key ?? 'ABCDEFGHIJKLMNOP', iv ?? '', ciphertext ?? ''))
    expect(open).toMatchObject({ title: 'Kanarienvogel', group: 'Kanarienvogel', level: 'active' })
  })
})

test('encryption can be switched on and off later; a key that is made is shown once', async () => {
  const { user, device } = await addPhone()
  const change = async (encrypt: unknown) => (await app.patch(`/devices/${device.id}`, { encrypt }, user.token)).body
  const { encryption_key: key } = await change(true)
  expect(key).toMatch(/^\w{32}$/)
  expect(JSON.stringify(await deviceOf(user.token))).not.toContain(key)
  await notify(app, user)
  const { iv = '', ciphertext = '' } = server.pushed[0]?.body ?? {}
  expect(JSON.parse(decrypt(true, key, iv, ciphertext))).toMatchObject({ title: 'Disk full' })
  expect(await change(false)).not.toHaveProperty('encryption_key')
  await notify(app, user)
  expect(server.pushed[1]?.body).toMatchObject({ title: 'Disk full' })
})

// Channels whose names are resolved by `resolve` when they connect to a bark-server.
const resolvedBy =
  (resolve: Resolve): OpenChannels =>
  (options, parts) => ({
    ...openChannels(options, parts),
    barkServers: openBarkServers({
      outbound: openOutbound({ allow: options.outboundAllow, log: parts.log, resolve }),
      clock: parts.clock,
    }),
  })

function decrypt(isGcm: boolean, key: string, iv: string, ciphertext: string): string {
  const bytes = Buffer.from(ciphertext, 'base64')
  if (!isGcm) {
    const cbc = createDecipheriv('aes-128-cbc', Buffer.from(key), Buffer.from(iv))
    return Buffer.concat([cbc.update(bytes), cbc.final()]).toString()
  }
  const gcm = createDecipheriv('aes-256-gcm', Buffer.from(key), Buffer.from(iv)).setAuthTag(bytes.subarray(-16))
  return Buffer.concat([gcm.update(bytes.subarray(0, -16)), gcm.final()]).toString()
}
