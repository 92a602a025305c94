// Senders of Bark: every form of a request, with the answers of bark-server.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../support/app.ts'
import { setUsed } from '../../../support/usage.ts'

const app = useTestApp({ HELIOGRAPH_BARK_HOST: 'bark.example' })

async function addSender(permissions: object = { notifications: 'send' }, plan?: 'free') {
  const user = await app.addUser(plan)
  const { body: key } = await app.post('/integrations/keys', { name: 'Backup', permissions }, user.token)
  const alias = await app.post(`/integrations/keys/${key.id}/aliases`, { door: 'bark' }, user.token)
  expect(alias.body.token).toMatch(/^[2-9A-HJ-NP-Za-km-z]{22}$/)
  return { user, key: key.key as string, alias: alias.body.token as string, keyId: key.id as string }
}
const inbox = async (token: string) => (await app.get('/notifications', token)).body.items

const form = (fields: Record<string, string>) => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

describe('a message', () => {
  test('200 by its path, with parameters in the query', async () => {
    const { user, alias } = await addSender()
    const answer = await app.get(`/bark/${alias}/Title/Body?group=ci&sound=minuet`)
    expect(answer).toMatchObject({
      status: 200,
      body: { code: 200, message: 'success', timestamp: expect.any(Number) },
    })
    expect(await inbox(user.token)).toMatchObject([
      {
        title: 'Title',
        body: 'Body',
        source: 'ci',
        source_display_name: 'ci',
        thread_id: 'bark:ci',
        sound: 'file:minuet',
      },
    ])
  })

  test('200: parts of a path are read like a query; a fifth part is a 404 with code 404', async () => {
    const { user, alias } = await addSender()
    await app.get(`/bark/${alias}/a%2Fb/c+d%26e`)
    await app.get(`/bark/${alias}/T/S/B/`)
    await app.get(`/bark/${alias}/only`)
    expect(await inbox(user.token)).toMatchObject([
      { title: 'Backup', body: 'only' },
      { title: 'T', subtitle: 'S', body: 'B' },
      { title: 'a/b', body: 'c d&e' },
    ])
    for (const parts of ['1/2/3/4', '1/2/3/4/5']) {
      expect(await app.get(`/bark/${alias}/${parts}`)).toMatchObject({ status: 404, body: { code: 404 } })
    }
  })

  test('200 for a text as long as a URL bears: it is cut like any other', async () => {
    const { user, alias } = await addSender()
    expect((await app.get(`/bark/${alias}/Title/${'a%2F'.repeat(1800)}`)).status).toBe(200)
    expect((await app.get(`/bark/${alias}/Title/${'x'.repeat(9000)}`)).status).toBe(200)
    const [long, short] = await inbox(user.token)
    expect(short.body).toBe('a/'.repeat(1800))
    expect(long.body).toHaveLength(4096)
    expect((await app.call('PUT', `/bark/${alias}/x`)).status).toBe(404)
  })

  const MESSAGE = { title: 'T', body: 'B', level: 'timeSensitive', badge: '1', url: 'https://x.example/' }
  const boundary = 'x1'
  const parts = (fields: Record<string, string>) =>
    `${Object.entries(fields)
      .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('')}--${boundary}--\r\n`

  test.each<[string, (alias: string) => Promise<{ status: number }>]>([
    ['JSON', (device_key) => app.post('/bark/push', { device_key, ...MESSAGE, badge: 1 })],
    ['a form', (device_key) => app.call('POST', '/bark/push', form({ device_key, ...MESSAGE }))],
    [
      'multipart',
      (device_key) =>
        app.call('POST', '/bark/push', {
          raw: parts({ device_key, ...MESSAGE }),
          headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        }),
    ],
    ['a form with the key in the path', (alias) => app.call('POST', `/bark/${alias}`, form(MESSAGE))],
    ['JSON with the key in the path', (alias) => app.post(`/bark/${alias}`, MESSAGE)],
    [
      'the host of the door',
      (alias) =>
        app.call('POST', `/${alias}`, {
          ...form(MESSAGE),
          headers: { ...form(MESSAGE).headers, host: 'bark.example' },
        }),
    ],
  ])('200 as %s: the same entry', async (_, send) => {
    const { user, alias } = await addSender()
    expect((await send(alias)).status).toBe(200)
    expect(await inbox(user.token)).toMatchObject([
      { title: 'T', body: 'B', level: 'time-sensitive', url: 'https://x.example/' },
    ])
  })

  test('the path wins over a form, a form over the query, and the query over JSON; names are in any case', async () => {
    const { user, alias } = await addSender()
    await app.call(
      'POST',
      `/bark/${alias}/path?BODY=query&Title=query&group=query`,
      form({ bOdy: 'form', title: 'form' }),
    )
    await app.post(`/bark/push?title=query`, {
      device_key: alias,
      title: 'json',
      body: 'json',
      nested: { subtitle: 'in' },
    })
    expect(await inbox(user.token)).toMatchObject([
      { title: 'query', body: 'json', subtitle: 'in' },
      { title: 'form', body: 'path', source: 'query' },
    ])
  })

  test('sounds have our names, and silence does not silence a critical alert', async () => {
    const { user, alias } = await addSender()
    await app.get(`/bark/${alias}/b?level=critical&volume=8&sound=silence`)
    await app.get(`/bark/${alias}/b?sound=alarm&call=1`)
    await app.get(`/bark/${alias}/b?level=unknown&sound=alarm.caf`)
    const [unknown, siren, critical] = await inbox(user.token)
    expect(unknown).toMatchObject({ level: 'active', sound: 'alert' })
    expect(siren.sound).toBe('siren')
    expect(critical.level).toBe('critical')
    expect(critical.sound).toBeUndefined()
  })

  test('icon, image and url are those of the notification, if its other devices may load them', async () => {
    const { user, alias } = await addSender()
    const [icon, image] = ['https://x.example/i.png', 'https://x.example/p.png']
    await app.post(`/bark/${alias}`, { body: 'b', icon, image, url: 'https://x.example/' })
    await app.post(`/bark/${alias}`, { body: 'b', image: 'http://192.168.1.5/p.png', url: 'weixin://dl/chat' })
    const [local, shown] = await inbox(user.token)
    expect(shown).toMatchObject({ icon_url: icon, media_url: image, media_type: 'image', url: 'https://x.example/' })
    expect(local).not.toHaveProperty('media_url')
  })

  test('markdown is the body; a message without text is an empty one; an encrypted one is kept unread', async () => {
    const { user, alias } = await addSender()
    await app.call('POST', `/bark/${alias}`, form({ markdown: '**hi**' }))
    await app.call('POST', `/bark/${alias}`, form({ ciphertext: 'c2VjcmV0', iv: '1234567890123456' }))
    await app.get(`/bark/${alias}`)
    expect(await inbox(user.token)).toMatchObject([
      { title: 'Backup', body: 'Empty Message' },
      { title: 'Encrypted notification' },
      { body: '**hi**', format: 'markdown' },
    ])
  })

  test('id names what delete=1 removes again, of this key only', async () => {
    const { user, alias, key } = await addSender()
    await app.get(`/bark/${alias}/one?id=x`)
    await app.get(`/bark/${key}/two?id=x`)
    const other = await app.addKey(user, { permissions: { notifications: 'send' } })
    await app.get(`/bark/${other}/three?id=x`)
    expect((await app.get(`/bark/${alias}?delete=1&id=x`)).body).toMatchObject({ code: 200 })
    expect(await inbox(user.token)).toMatchObject([{ body: 'three' }])
    expect((await app.get(`/bark/${alias}?delete=1&id=x`)).status).toBe(200)
  })
})

describe('a refusal', () => {
  test('400 without a key, 400 for an unknown one and for a full-access token, 403 without the right to send', async () => {
    expect(await app.post('/bark/push', { title: 'x' })).toMatchObject({
      status: 400,
      body: { code: 400, message: 'device key is empty', timestamp: expect.any(Number) },
    })
    const unknown = await app.get('/bark/nobody/x')
    expect(unknown).toMatchObject({ status: 400, body: { code: 400 } })
    expect(unknown.body.message).toMatch(/^failed to get device token/)
    const { user } = await addSender()
    const full = await app.get(`/bark/${user.token}/x`)
    expect(full).toMatchObject({ status: 400, body: { code: 400 } })
    expect(full.body.message).toMatch(/^failed to get device token: .*Keys/)
    const { key } = await addSender({ widgets: 'read' })
    const denied = await app.get(`/bark/${key}/x`)
    expect(denied).toMatchObject({ status: 403, body: { code: 403 } })
    for (const { body } of [unknown, full, denied]) expect(Object.keys(body)).toEqual(['code', 'message', 'timestamp'])
    app.advanceSeconds(61)
  })

  test('429 with Retry-After without quota; in a batch it is the code of that key, as 403 is', async () => {
    const { user, alias } = await addSender(undefined, 'free')
    await setUsed(app, user, 'notifications', 500)
    const refused = await app.get(`/bark/${alias}/x`)
    expect(refused).toMatchObject({ status: 429, body: { code: 429, message: expect.stringContaining('500') } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const [{ key: denied }, other] = [await addSender({ widgets: 'read' }), await addSender()]
    const batch = await app.post('/bark/push', { device_keys: [alias, denied, other.alias], body: 'b' })
    expect(batch).toMatchObject({ status: 200, body: { data: [{ code: 429 }, { code: 403 }, { code: 200 }] } })
    expect(batch.headers.get('retry-after')).toBe(refused.headers.get('retry-after'))
  })

  test('a batch says for each key what became of it; more than 100 keys are 400', async () => {
    const senders = [await addSender(), await addSender(), await addSender()]
    const [one, revoked, three] = senders as [
      (typeof senders)[number],
      (typeof senders)[number],
      (typeof senders)[number],
    ]
    await app.del(`/integrations/keys/${revoked.keyId}`, revoked.user.token)
    // Without what a comma too many makes.
    const device_keys = `${senders.map(({ alias }) => alias).join(', ')},`
    const answer = await app.post('/bark/push', { device_keys, body: 'all' })
    expect(answer).toMatchObject({ status: 200, body: { code: 200 } })
    expect(answer.body.data).toMatchObject([
      { code: 200, device_key: one.alias },
      { code: 400, device_key: revoked.alias, message: expect.any(String) },
      { code: 200, device_key: three.alias },
    ])
    expect(answer.body.data).toHaveLength(3)
    expect(await inbox(three.user.token)).toMatchObject([{ body: 'all' }])
    const many = Array.from({ length: 101 }, () => one.alias).join(',')
    expect(await app.post('/bark/push', { device_keys: many, body: 'all' })).toMatchObject({ status: 400 })
  })

  test('413 for parameters that no phone could get, 400 for a body that is no object', async () => {
    const { alias } = await addSender()
    const large = await app.call('POST', `/bark/${alias}`, form({ copy: 'x'.repeat(9000) }))
    expect(large).toMatchObject({ status: 413, body: { code: 413 } })
    const many = Object.fromEntries(Array.from({ length: 15_000 }, (_, number) => [`n${number}`, number / 7]))
    for (const body of [many, { inner: many }]) expect((await app.post(`/bark/${alias}`, body)).status).toBe(413)
    expect(await app.post(`/bark/${alias}`, ['x'])).toMatchObject({ status: 400, body: { code: 400 } })
  })

  test('204 for HEAD and for a link that is only looked at; a browser gets a page, and nothing is sent', async () => {
    const { user, alias } = await addSender()
    expect((await app.call('HEAD', `/bark/${alias}/x`)).status).toBe(204)
    for (const [name, value] of [
      ['purpose', 'prefetch'],
      ['sec-purpose', 'prefetch;prerender'],
      ['sec-purpose', 'prerender'],
      ['x-moz', 'prefetch'],
    ] as const) {
      expect((await app.call('GET', `/bark/${alias}/x`, { headers: { [name]: value } })).status).toBe(204)
    }
    // Whatever the key: the page tells nobody whether there is one.
    for (const key of [alias, 'nobody']) {
      const page = await app.call('GET', `/bark/${key}`, { headers: { accept: 'text/html,*/*' } })
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.text).toContain('/KEY/Title/Subtitle/Body')
    }
    expect(await inbox(user.token)).toEqual([])
  })

  test('200 for a link with a text that a person opens: it is sent', async () => {
    const { user, alias } = await addSender()
    const opened = await app.call('GET', `/bark/${alias}/Open`, { headers: { accept: 'text/html,*/*' } })
    expect(opened.body).toMatchObject({ code: 200, message: 'success' })
    expect(await inbox(user.token)).toMatchObject([{ body: 'Open' }])
  })

  test('what bark-server says of itself', async () => {
    expect((await app.get('/bark/')).text).toBe('ok')
    expect((await app.get('/bark/healthz')).text).toBe('ok')
    expect((await app.get('/bark/ping')).body).toMatchObject({ code: 200, message: 'pong' })
    expect((await app.get('/bark/info')).body).toMatchObject({ version: expect.any(String) })
  })
})
