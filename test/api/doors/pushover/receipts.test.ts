// Emergency messages through the door for Pushover: receipts, cancellation and callbacks; glances and the questions on set-up.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../../support/app.ts'
import { type CallbackSink, startCallbackSink } from '../../../support/fakes/callback-sink.ts'
import { askPushover, form, newestOf, USER_KEY, UUID } from './client.ts'

let sink: CallbackSink
let app: TestApp
beforeAll(async () => {
  sink = await startCallbackSink(() => 0)
  app = await startTestApp({ HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.1' }, undefined, { ca: sink.ca })
})
afterAll(async () => {
  await app.stop()
  await sink.close()
})

const EMERGENCY = { message: 'Fire', priority: '2', retry: '60', expire: '3600' }

async function raise(user: TestUser, fields: Record<string, string> = {}): Promise<string> {
  const { status, body } = await askPushover(app, 'POST', '/messages.json', form(user, { ...EMERGENCY, ...fields }))
  expect([status, body]).toEqual([
    200,
    { status: 1, receipt: expect.stringMatching(/^[A-Za-z0-9]{30}$/), request: UUID },
  ])
  return String(body.receipt)
}

const look = (user: TestUser, receipt: string) =>
  askPushover(app, 'GET', `/receipts/${receipt}.json?token=${user.defaultKey}`)

async function acknowledge(user: TestUser): Promise<void> {
  const { id, actions } = await newestOf(app, user)
  const answer = await app.post(`/notifications/${id}/answer`, { action_id: actions[0].id }, user.token)
  expect(answer.status).toBe(200)
}

const seconds = () => Math.floor(app.clock.now() / 1000)

describe('GET /1/receipts/{receipt}.json', () => {
  test('200 after an alert that asks for a day, which ends after three hours', async () => {
    const user = await app.addUser()
    const receipt = await raise(user, { expire: '86400' })
    expect((await look(user, receipt)).body).toMatchObject({ expires_at: seconds() + 10_800 })
  })

  test('200 before and after the acknowledgement', async () => {
    const user = await app.addUser()
    const receipt = await raise(user)
    const raisedAt = seconds()
    const waiting = {
      status: 1,
      acknowledged: 0,
      acknowledged_at: 0,
      acknowledged_by: '',
      acknowledged_by_device: '',
      last_delivered_at: expect.any(Number),
      expired: 0,
      expires_at: raisedAt + 3600,
      called_back: 0,
      called_back_at: 0,
      request: UUID,
    }
    expect((await look(user, receipt)).body).toEqual(waiting)
    app.advanceSeconds(30)
    await acknowledge(user)
    expect((await look(user, receipt)).body).toEqual({
      ...waiting,
      acknowledged: 1,
      acknowledged_at: raisedAt + 30,
      acknowledged_by: USER_KEY,
    })
  })

  test('200 after it has expired', async () => {
    const user = await app.addUser()
    const receipt = await raise(user, { expire: '60' })
    app.advanceSeconds(61)
    await app.runDueJobs()
    expect((await look(user, receipt)).body).toMatchObject({ acknowledged: 0, expired: 1 })
  })

  test('404 for an unknown receipt, and for one of somebody else', async () => {
    const [user, other] = [await app.addUser(), await app.addUser()]
    const receipt = await raise(other)
    for (const id of [receipt, 'r'.repeat(30), `r${'0'.repeat(29)}`, 'x']) {
      expect(await look(user, id)).toMatchObject({
        status: 404,
        body: {
          receipt: 'not found',
          errors: ['receipt not found; may be invalid or expired'],
          status: 0,
          request: UUID,
        },
      })
    }
  })

  test('400 for an unknown token', async () => {
    const user = await app.addUser()
    const receipt = await raise(user)
    const { status, body } = await askPushover(app, 'GET', `/receipts/${receipt}.json?token=nobody`)
    expect([status, body.token]).toEqual([400, 'invalid'])
  })
})

describe('cancellation', () => {
  test('200 for POST /1/receipts/{receipt}/cancel.json: it repeats no more', async () => {
    const user = await app.addUser()
    const receipt = await raise(user)
    const canceled = await askPushover(app, 'POST', `/receipts/${receipt}/cancel.json`, form(user))
    expect([canceled.status, canceled.body]).toEqual([200, { status: 1, request: UUID }])
    expect((await look(user, receipt)).body).toMatchObject({ acknowledged: 0, expired: 1 })
    const { id } = await newestOf(app, user)
    expect((await app.get(`/notifications/receipts/${id}`, user.token)).body.status).toBe('canceled')
  })

  test('200 for POST /1/receipts/cancel_by_tag/{tag}.json with the number of receipts', async () => {
    const user = await app.addUser()
    for (const tags of ['nas,disk', 'disk', 'nas, with space', '']) await raise(user, { tags })
    const cancel = async (tag: string) =>
      (await askPushover(app, 'POST', `/receipts/cancel_by_tag/${tag}.json`, form(user))).body
    expect(await cancel('nas')).toEqual({ status: 1, canceled: 2, request: UUID })
    expect(await cancel('nas')).toMatchObject({ canceled: 0 })
  })

  test('404 for an unknown receipt', async () => {
    const user = await app.addUser()
    expect((await askPushover(app, 'POST', `/receipts/${'r'.repeat(30)}/cancel.json`, form(user))).status).toBe(404)
  })
})

describe('the callback', () => {
  test('is an unsigned form, as Pushover sends it', async () => {
    const user = await app.addUser()
    const receiver = sink.receiver({ status: 500 }, { status: 200 })
    const receipt = await raise(user, { callback: receiver.url })
    await acknowledge(user)
    const acknowledgedAt = seconds()
    await app.runDueJobs()
    app.advanceSeconds(60)
    await app.runDueJobs()
    expect(receiver.received).toHaveLength(2)
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual([])
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      receipt,
      acknowledged: '1',
      acknowledged_at: String(acknowledgedAt),
      acknowledged_by: USER_KEY,
      acknowledged_by_device: '',
    })
    expect((await look(user, receipt)).body).toMatchObject({ called_back: 1, called_back_at: seconds() })
  })

  test('is not sent when the alert expires', async () => {
    const user = await app.addUser()
    const receiver = sink.receiver({ status: 200 })
    await raise(user, { callback: receiver.url, expire: '60' })
    app.advanceSeconds(61)
    await app.runDueJobs()
    await app.runDueJobs()
    expect(receiver.received).toEqual([])
  })

  test('400 if it points to an address that the operator has not opened', async () => {
    const guarded = await startTestApp()
    onTestFinished(() => guarded.stop())
    const user = await guarded.addUser()
    for (const callback of ['http://127.0.0.1/x', 'https://10.0.0.1/x', 'nonsense']) {
      const { status, body } = await askPushover(
        guarded,
        'POST',
        '/messages.json',
        form(user, { ...EMERGENCY, callback }),
      )
      expect([status, body.callback]).toEqual([400, 'is invalid'])
    }
  })
})

describe('what senders ask on set-up', () => {
  test('200 for users/validate.json with the devices of the account; 400 for a device that it has not', async () => {
    const user = await app.addUser()
    const device = { name: 'Phone', platform: 'macos' }
    expect((await app.put('/devices/phone-1', device, user.token)).status).toBe(201)
    const validate = (fields: Record<string, string>) =>
      askPushover(app, 'POST', '/users/validate.json', form(user, fields))
    const { status, body } = await validate({ device: 'phone' })
    expect([status, body]).toEqual([
      200,
      { status: 1, group: 0, devices: ['Phone'], licenses: expect.any(Array), request: UUID },
    ])
    expect(await validate({ device: 'watch' })).toMatchObject({
      status: 400,
      body: { device: 'invalid for this user', errors: ['device name is not valid for this user'], status: 0 },
    })
    expect(await validate({ user: '' })).toMatchObject({ status: 400, body: { user: 'invalid' } })
    expect(await validate({ token: 'nobody' })).toMatchObject({ status: 400, body: { token: 'invalid' } })
  })

  test('200 for sounds.json and apps/limits.json', async () => {
    const user = await app.addUser('free')
    const sounds = await askPushover(app, 'GET', `/sounds.json?token=${user.defaultKey}`)
    expect([sounds.status, sounds.body]).toMatchObject([200, { status: 1, sounds: { pushover: 'Pushover (default)' } }])
    const { status, body } = await askPushover(app, 'GET', `/apps/limits.json?token=${user.defaultKey}`)
    expect([status, body]).toEqual([
      200,
      { status: 1, limit: 500, remaining: 500, reset: expect.any(Number), request: UUID },
    ])
  })
})

describe('.xml', () => {
  const xml = async (method: string, path: string, fields: Record<string, string>) => {
    const isGet = method === 'GET'
    const query = isGet ? `?${new URLSearchParams(fields)}` : ''
    const body = isGet ? undefined : new URLSearchParams(fields)
    const response = await fetch(`${app.url}/pushover/1${path}${query}`, { method, body })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }
  const REQUEST = '<request>[0-9a-f-]{36}</request>'

  test('200 for messages, with a receipt that can be read and canceled', async () => {
    const user = await app.addUser()
    const token = user.defaultKey
    const emergency = { token, user: USER_KEY, message: 'M', priority: '2', retry: '60', expire: '3600' }
    const { status, type, text } = await xml('POST', '/messages.xml', emergency)
    expect([status, type]).toEqual([200, 'application/xml; charset=utf-8'])
    expect(text).toMatch(
      new RegExp(
        `^<\\?xml version="1.0" encoding="UTF-8"\\?>\n<hash>\n<status type="integer">1</status>\n<receipt>\\w{30}</receipt>\n${REQUEST}\n</hash>\n$`,
      ),
    )
    const receipt = /<receipt>(\w+)/.exec(text)?.[1]
    expect((await xml('POST', `/receipts/${receipt}/cancel.xml`, { token })).status).toBe(200)
    expect((await xml('GET', `/receipts/${receipt}.xml`, { token })).text).toContain(
      '<expired type="integer">1</expired>',
    )
  })

  test('200 for users/validate, sounds and limits', async () => {
    const user = await app.addUser('free')
    const token = user.defaultKey
    await app.put('/devices/phone-1', { name: 'A & <B>', platform: 'macos' }, user.token)
    const validated = await xml('POST', '/users/validate.xml', { token, user: USER_KEY })
    expect(validated.text).toContain('<devices type="array">\n<device>A &amp; &lt;B&gt;</device>\n</devices>')
    expect((await xml('GET', '/sounds.xml', { token })).text).toContain(
      '<sounds>\n<pushover>Pushover (default)</pushover>',
    )
    expect((await xml('GET', '/apps/limits.xml', { token })).text).toContain('<limit type="integer">500</limit>')
  })

  test('errors, too', async () => {
    const { status, text } = await xml('POST', '/messages.xml', { token: 'x', user: USER_KEY, message: 'M' })
    expect(status).toBe(400)
    expect(text).toContain('<errors type="array">\n<error>application token is invalid</error>\n</errors>')
    expect(text).toContain('<status type="integer">0</status>')
  })
})

describe('POST /1/glances.json', () => {
  const glance = (user: TestUser, fields: Record<string, string>) =>
    askPushover(app, 'POST', '/glances.json', form(user, fields))
  const widget = async (user: TestUser) => (await app.get('/widgets/glance', user.token)).body.content

  test('200 shows a widget, and later ones change what they name', async () => {
    const user = await app.addUser()
    const { status, body } = await glance(user, { title: 'Sales', text: 'today', subtext: 'net', count: '-3' })
    expect([status, body]).toEqual([200, { status: 1, request: UUID }])
    expect(await widget(user)).toMatchObject({ template: 'value', value: -3, label: 'Sales', subtitle: 'today · net' })
    await glance(user, { percent: '75' })
    expect(await widget(user)).toMatchObject({
      template: 'progress',
      value: 0.75,
      label: 'Sales',
      subtitle: 'today · net',
    })
    await glance(user, { text: 'yesterday' })
    expect(await widget(user)).toMatchObject({ template: 'progress', value: 0.75, subtitle: 'yesterday' })
  })

  test('400 for values out of range, and without any', async () => {
    const user = await app.addUser()
    expect(await glance(user, { percent: '101' })).toMatchObject({ status: 400, body: { percent: 'is invalid' } })
    expect(await glance(user, { count: '1.5' })).toMatchObject({ status: 400, body: { count: 'is invalid' } })
    expect((await glance(user, {})).status).toBe(400)
  })

  test('403 for a key that may not write widgets', async () => {
    const user = await app.addUser()
    const token = await app.addKey(user, { permissions: { notifications: 'send' } })
    expect((await glance(user, { token, count: '1' })).status).toBe(403)
  })
})
