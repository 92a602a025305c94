// A message of Bark's senders reaches a phone with the Bark app as bark-server would have sent it: 40 sets of parameters, compared
// payload by payload. `asBarkServer` states what is known of bark-server; what may differ is left out of the comparison there.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addBarkPhone, BARK_TOPIC, type BarkPayload, notify, useBarkApp } from '../../../support/devices/bark-phone.ts'
import { addBrowser, addPhone } from '../../../support/devices/phone.ts'

const app = useBarkApp()

type Parameters = Record<string, unknown>

const SETS: Parameters[] = [
  { body: 'only a body' },
  { title: 'T', body: 'B' },
  { title: 'T', subtitle: 'S', body: 'B' },
  { title: 'only a title' },
  { subtitle: 'only a subtitle' },
  {},
  { body: 'B', sound: 'minuet' },
  { body: 'B', sound: 'minuet.caf' },
  { body: 'B', sound: 'alarm', call: '1' },
  { body: 'B', group: 'ci' },
  { body: 'B', group: 'Gruppe mit Ümlaut' },
  { body: 'B', level: 'passive' },
  { body: 'B', level: 'active' },
  { body: 'B', level: 'timeSensitive' },
  { body: 'B', level: 'critical' },
  { body: 'B', level: 'critical', volume: '8' },
  { body: 'B', level: 'critical', volume: 0 },
  { body: 'B', level: 'nonsense' },
  { body: 'B', badge: 3 },
  { body: 'B', badge: '0' },
  { body: 'B', autoCopy: '1', copy: 'copied text' },
  { body: 'B', copy: 'Ⅸ 漢字 🎉' },
  { body: 'B', isArchive: '0' },
  { body: 'B', isArchive: 1 },
  { body: 'B', icon: 'https://x.example/i.png' },
  { body: 'B', icon: 'http://192.168.1.5/i.png' },
  { body: 'B', image: 'https://x.example/p.png' },
  { body: 'B', image: 'http://192.168.1.5/p.jpg' },
  { body: 'B', url: 'https://x.example/a?b=c' },
  { body: 'B', url: 'weixin://dl/chat' },
  { body: 'B', action: 'none' },
  { body: 'B', ttl: 2_592_000 },
  { body: 'B', id: 'job-1' },
  { body: 'B', id: 'a'.repeat(64) },
  { body: 'B', id: 'b'.repeat(100) },
  { markdown: '# Hi\n**there**' },
  { body: 'B', MixedCase: 'value', flag: true, nothing: null },
  { body: 'B', nested: { inner: 'flat', number: 1.5 }, list: [1, 'two'] },
  { ciphertext: 'dGhlIHNlY3JldA==', iv: '1234567890123456' },
  { title: 'multi\nline', body: '"quoted" \\ & <tags>', delete: '0' },
]

test('there are 40 sets', () => {
  expect(SETS).toHaveLength(40)
})

function asBarkServer(parameters: Parameters): Partial<BarkPayload> {
  const flat = Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [[name, value]],
  )
  const textOf = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : String(value))
  const texts = new Map(
    flat.flatMap(([name, value]) => (value === null ? [] : [[String(name).toLowerCase(), textOf(value)]])) as [
      string,
      string,
    ][],
  )
  const take = (name: string) => {
    const value = texts.get(name)
    texts.delete(name)
    return value
  }
  const [title, subtitle, body, sound] = [take('title'), take('subtitle'), take('body'), take('sound')]
  const alert = title || subtitle || body ? { title, subtitle, body } : { body: 'Empty Message' }
  const id = texts.get('id')
  if (id && id.length > 64) texts.set('id', createHash('sha256').update(id).digest('base64url'))
  return JSON.parse(
    JSON.stringify({
      aps: {
        alert,
        sound: sound ? (sound.endsWith('.caf') ? sound : `${sound}.caf`) : '1107',
        category: 'myNotificationCategory',
        'mutable-content': 1,
        'thread-id': texts.get('group'),
      },
      ...Object.fromEntries(texts),
    }),
  )
}

// Ours alone, as the specification of the door allows.
function comparable({ aps, ...others }: BarkPayload, hasId: boolean): object {
  const { 'interruption-level': _, ...rest } = aps
  const { id, ...withoutId } = others
  return { aps: rest, ...(hasId ? others : withoutId) }
}

describe('a message as bark-server would have sent it', () => {
  test.each(SETS.map((parameters) => [JSON.stringify(parameters), parameters] as const))(
    '%s',
    async (_, parameters) => {
      const user = await app.addUser()
      const phone = await addBarkPhone(app, user)
      const sent = await app.post('/bark/push', { device_key: user.defaultKey, ...parameters })
      expect(sent.body).toMatchObject({ code: 200 })
      const [push, ...others] = phone.pushes()
      expect(others).toEqual([])
      expect(comparable(push?.payload as BarkPayload, 'id' in parameters)).toEqual(asBarkServer(parameters))
      expect(push?.headers).toMatchObject({
        'apns-topic': BARK_TOPIC,
        'apns-push-type': 'alert',
        'apns-collapse-id': push?.payload.id,
        'apns-expiration': String(Math.floor(app.clock.now() / 1000) + 86_400),
      })
    },
  )

  test('id twice is one message on the phone; delete=1 takes it away in the background', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    for (const body of ['one', 'two']) await app.get(`/bark/${user.defaultKey}/${body}?id=x`)
    expect(phone.pushes().map(({ headers }) => headers['apns-collapse-id'])).toEqual(['x', 'x'])
    await app.get(`/bark/${user.defaultKey}?delete=1&id=x`)
    await app.runDueJobs()
    const [withdrawn, ...others] = phone.pushes()
    expect(others).toEqual([])
    expect(withdrawn).toMatchObject({
      headers: { 'apns-push-type': 'background', 'apns-collapse-id': 'x' },
      payload: { delete: '1', id: 'x' },
    })
    expect((await app.get('/notifications', user.token)).body.items).toEqual([])
  })

  test('an encrypted message reaches a phone that we encrypt for as it is: the app decrypts once', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user, { encrypt: true })
    const sealed = { ciphertext: 'dGhlIHNlY3JldA==', iv: '1234567890123456' }
    await app.post('/bark/push', { device_key: user.defaultKey, ...sealed, group: 'ci', id: 'job' })
    const { aps, ...others } = phone.pushes()[0]?.payload ?? { aps: {} }
    expect(others).toEqual({ ...sealed, id: 'job' })
    expect(aps.alert).toEqual({ body: 'Encrypted notification' })
    expect(aps).not.toHaveProperty('thread-id')
  })

  test('a deletion is not encrypted: the app finds the message by its id', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user, { encrypt: true })
    await app.get(`/bark/${user.defaultKey}/b?id=job`)
    phone.pushes()
    await app.get(`/bark/${user.defaultKey}?delete=1&id=job`)
    await app.runDueJobs()
    const { aps, ...others } = phone.pushes()[0]?.payload ?? { aps: {} }
    expect([others, aps]).toEqual([{ delete: '1', id: 'job' }, expect.objectContaining({ 'content-available': 1 })])
  })

  test('reading an older message of an id leaves the newer one on the phone', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    for (const body of ['one', 'two']) await app.get(`/bark/${user.defaultKey}/${body}?id=x`)
    phone.pushes()
    const [newer, older] = (await app.get('/notifications', user.token)).body.items
    const read = async (id: number) => {
      await app.post('/notifications/read', { ids: [id] }, user.token)
      await app.runDueJobs()
      return phone.pushes().map(({ payload }) => payload.delete)
    }
    expect([await read(older.id), await read(newer.id)]).toEqual([[], ['1']])
  })

  test('an encrypted message is unread here: a browser gets a placeholder', async () => {
    const user = await app.addUser()
    const browser = await addBrowser(app, { app, user })
    await app.post('/bark/push', {
      device_key: user.defaultKey,
      ciphertext: 'dGhlIHNlY3JldA==',
      iv: '1234567890123456',
    })
    expect((await browser.screen()).banners).toEqual(['Encrypted notification'])
  })

  test.each([
    ['8', 0.8],
    ['', 0.5],
    ['nonsense', 0.5],
    ['11', 1],
  ])('volume %j of a critical message is %d in an app of ours', async (volume, own) => {
    const user = await app.addUser()
    const phone = await addPhone(app, { app, user })
    await app.get(`/bark/${user.defaultKey}/b?level=critical&volume=${volume}`)
    const pushed = app.apns.requests.findLast(({ token }) => token === phone.token)
    expect(JSON.parse(pushed?.payload ?? '').aps.sound).toMatchObject({ critical: 1, volume: own })
  })

  test('the key of a phone sends nothing: 400, and the message says where keys are', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    for (const path of [
      `/bark/${phone.key}/hello`,
      `${phone.path}/${phone.key}/hello`,
      `${phone.path}/${phone.key}/`,
    ]) {
      const answer = await app.get(path)
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 400, message: expect.stringMatching(/Devices.*Keys/) },
      })
    }
    expect((await app.get('/notifications', user.token)).body.items).toEqual([])
  })

  test('the keys of a batch are not parameters of the message', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    await app.post('/bark/push', { device_keys: [user.defaultKey], body: 'b', extra: 'e' })
    const pushed = app.apns.requests.findLast(({ token }) => token === phone.token)
    expect(JSON.parse(pushed?.payload ?? '')).toMatchObject({ extra: 'e' })
    expect(pushed?.payload).not.toContain(user.defaultKey)
  })

  test('a message that is too long for Apple is shortened', async () => {
    const user = await app.addUser()
    const phone = await addBarkPhone(app, user)
    await app.post('/bark/push', {
      device_key: user.defaultKey,
      body: 'ü'.repeat(4000),
      copy: 'c'.repeat(3000),
      id: 'long',
    })
    const payload = app.apns.requests.findLast(({ token }) => token === phone.token)?.payload ?? ''
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(4096)
    expect(JSON.parse(payload).id).toBe('long')
    await notify(app, user)
  })
})
