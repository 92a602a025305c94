// Messages through the door for Pushover: what they become, and how they are answered.
import { describe, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../../../src/contract/limits.ts'
import { startTestApp, type TestUser, useTestApp } from '../../../support/app.ts'
import { setUsed } from '../../../support/usage.ts'
import { askPushover, form, newestOf, USER_KEY, UUID } from './client.ts'

const app = useTestApp({ HELIOGRAPH_PUBLIC_URL: 'https://push.example.org' })

const ask = (path: string, init: RequestInit) => askPushover(app, 'POST', path, init)
const send = (user: TestUser, fields: Record<string, string> = {}) =>
  ask('/messages.json', form(user, { message: 'M', ...fields }))
const newest = (user: TestUser) => newestOf(app, user)

async function addAlias(user: TestUser): Promise<string> {
  const key = { name: 'Backup', permissions: { notifications: 'send' } }
  const { id } = (await app.post('/integrations/keys', key, user.token)).body
  return (await app.post(`/integrations/keys/${id}/aliases`, { door: 'pushover' }, user.token)).body.token
}

const refused = (field: string, reason: string, sentence = `${field} ${reason}`) => ({
  [field]: reason,
  errors: [sentence],
  status: 0,
  request: UUID,
})

describe('POST /1/messages.json', () => {
  test('200 with the answer of Pushover and the limits in headers', async () => {
    const user = await app.addUser('free')
    const { status, body, headers } = await send(user)
    expect([status, body]).toEqual([200, { status: 1, request: UUID }])
    expect(headers.get('x-limit-app-limit')).toBe('500')
    expect(headers.get('x-limit-app-remaining')).toBe('499')
    expect(Number(headers.get('x-limit-app-reset'))).toBeGreaterThan(app.clock.now() / 1000)
    // A message of the lowest priority is not pushed, and only pushes are charged.
    const remainingAfter = async (priority: string) =>
      (await send(user, { priority })).headers.get('x-limit-app-remaining')
    expect([await remainingAfter('1'), await remainingAfter('-2'), await remainingAfter('0')]).toEqual([
      '498',
      '498',
      '497',
    ])
  })

  const ENCODINGS: [string, (fields: Record<string, string>) => [string, RequestInit]][] = [
    ['a form', (fields) => ['', { body: new URLSearchParams(fields) }]],
    ['a form without a media type', (fields) => ['', { body: Buffer.from(`${new URLSearchParams(fields)}`) }]],
    ['multipart', (fields) => ['', { body: toFormData(fields) }]],
    ['JSON', (fields) => ['', { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }]],
    ['the query', (fields) => [`?${new URLSearchParams(fields)}`, {}]],
  ]

  test.each(ENCODINGS)('200 with the fields in %s', async (_name, encode) => {
    const user = await app.addUser()
    const fields = {
      token: await addAlias(user),
      user: USER_KEY,
      title: 'Täglich & "gut"',
      message: 'Fertig ✓ 100% +1',
      priority: '1',
      url: 'https://a.example/1?x=1&y=2',
      url_title: 'Open',
      sound: 'bike',
      device: 'phone',
    }
    const [query, init] = encode(fields)
    expect(await ask(`/messages.json${query}`, init)).toMatchObject({ status: 200, body: { status: 1 } })
    expect(await newest(user)).toMatchObject({
      title: fields.title,
      body: fields.message,
      level: 'time-sensitive',
      source: 'Backup',
      source_display_name: 'Backup',
      thread_id: expect.stringMatching(/^pushover:/),
      url: fields.url,
      actions: [{ id: 'url', title: 'Open', url: fields.url, foreground: true }],
    })
  })

  test('200 for multipart without a line break before its end, as pushover-notifications from npm sends it', async () => {
    const user = await app.addUser()
    const fields = { token: user.defaultKey, user: USER_KEY, message: 'M', sound: 'echo' }
    const parts = Object.entries(fields).map(
      ([name, value]) => `--x1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
    )
    for (const end of ['--x1--\r\n', '--x1--', '\r\n--x1--', '\r\n--x1--\r\nepilogue']) {
      const init = { body: parts.join('\r\n') + end, headers: { 'content-type': 'multipart/form-data; boundary=x1' } }
      expect((await ask('/messages.json', init)).status).toBe(200)
    }
  })

  test('200 with an alias, a key or a full-access token', async () => {
    const user = await app.addUser()
    for (const token of [await addAlias(user), user.defaultKey, user.token]) {
      expect((await send(user, { token })).status).toBe(200)
    }
  })

  test.each([
    [{ priority: '-2' }, 'passive', false],
    [{ priority: '-1' }, 'passive', true],
    [{}, 'active', true],
    [{ priority: '0' }, 'active', true],
    [{ sound: 'none' }, 'passive', true],
    [{ sound: 'siren' }, 'time-sensitive', true],
    [{ priority: '-1', sound: 'siren' }, 'passive', true],
    [{ priority: '1' }, 'time-sensitive', true],
    [{ priority: '2', retry: '30', expire: '60' }, 'critical', true],
  ])('200 with %j: the level %s, pushed: %s', async (fields, level, pushed) => {
    const user = await app.addUser()
    expect((await send(user, fields as Record<string, string>)).status).toBe(200)
    expect(await newest(user)).toMatchObject({ level, pushed })
  })

  test('200 without a title: the name of the application', async () => {
    const user = await app.addUser()
    const token = await addAlias(user)
    for (const title of ['', ' ']) {
      await send(user, { token, title })
      expect((await newest(user)).title).toBe('Backup')
    }
  })

  test('200 with html as plain text', async () => {
    const user = await app.addUser()
    const message =
      '<b>Disk</b> <font color="#f00">full</font>: <a href="https://a.example/x">see</a>&lt;1&amp;2&#33;<script>x'
    await send(user, { message, html: '1' })
    expect((await newest(user)).body).toBe('Disk full: see (https://a.example/x)<1&2!x')
    await send(user, { message: '<b>raw</b>' })
    expect((await newest(user)).body).toBe('<b>raw</b>')
  })

  test('200 with a long message, which is cut, and a javascript: link, which is left out', async () => {
    const user = await app.addUser()
    const title = 'T\r\nX-Injected: 1'
    expect(
      (await send(user, { title, message: 'ä'.repeat(5000), url: 'javascript:alert(1)', url_title: 'x' })).status,
    ).toBe(200)
    const notification = await newest(user)
    expect(notification.body).toBe(`${'ä'.repeat(4095)}…`)
    expect(notification).not.toHaveProperty('url')
    expect(notification).not.toHaveProperty('actions')
  })

  test.each([
    [{ message: '' }, refused('message', 'cannot be blank')],
    [{ user: '' }, refused('user', 'invalid', 'user identifier is not a valid user, group, or subscribed user key')],
    [{ priority: '3' }, refused('priority', 'is invalid', 'priority is invalid, can only be -2, -1, 0, 1, or 2')],
    [{ priority: 'high' }, refused('priority', 'is invalid', 'priority is invalid, can only be -2, -1, 0, 1, or 2')],
    [{ priority: '2', retry: '30' }, refused('expire', 'must be supplied with priority=2')],
    [{ priority: '2', expire: '60' }, refused('retry', 'must be supplied with priority=2')],
    [
      { priority: '2', retry: '29', expire: '60' },
      refused('retry', 'is too small, must be at least 30 seconds', 'retry is invalid'),
    ],
    [{ priority: '2', retry: 'x', expire: '60' }, refused('retry', 'is invalid')],
    [
      { priority: '2', retry: '30', expire: '60', callback: 'ftp://a.example' },
      refused('callback', 'is invalid', 'callback must be an https URL'),
    ],
    [{ html: '1', monospace: '1' }, refused('html', 'cannot be used with monospace')],
  ])('400 for %j', async (fields, body) => {
    const user = await app.addUser()
    expect(await send(user, fields as Record<string, string>)).toMatchObject({ status: 400, body })
    expect((await app.get('/notifications', user.token)).body.items).toEqual([])
  })

  test('200 for an encrypted message: it is kept unread, and shown as a placeholder', async () => {
    const user = await app.addUser()
    const sealed = { encrypted: '1', message: 'c2VhbGVk', title: 'dGl0bGU=', url: 'https://sealed.example' }
    expect(await send(user, sealed)).toMatchObject({ status: 200 })
    const [shown] = (await app.get('/notifications', user.token)).body.items
    expect(shown).toMatchObject({ title: 'Encrypted notification', body: 'Sealed by its sender for another app.' })
    expect(shown).not.toHaveProperty('url')
  })

  test('400 for a body that cannot be read', async () => {
    const user = await app.addUser()
    const token = user.defaultKey
    const json = { 'content-type': 'application/json' }
    const bodies: RequestInit[] = [
      { body: '{', headers: json },
      { body: '[]', headers: json },
      { body: `{"token":"${token}","user":${'['.repeat(500)}${']'.repeat(500)}}`, headers: json },
      { body: 'no boundary', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      {
        body: '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\nA',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
    ]
    for (const init of bodies) {
      const { status, body } = await ask('/messages.json', init)
      expect([status, body.status, Object.keys(body)]).toEqual([400, 0, ['errors', 'status', 'request']])
    }
  })

  test('400 without a token, with an unknown one, and with one of another door', async () => {
    const user = await app.addUser()
    const { id } = (await app.post('/integrations/keys', { name: 'k' }, user.token)).body
    const { body: ntfy } = await app.post(`/integrations/keys/${id}/aliases`, { door: 'ntfy' }, user.token)
    for (const token of ['', 'a'.repeat(30), ntfy.token, '\u0000']) {
      const body = refused('token', 'invalid', 'application token is invalid')
      expect(await send(user, { token })).toMatchObject({ status: 400, body })
    }
    app.advanceSeconds(60)
  })

  test('403 for a key that may not send', async () => {
    const user = await app.addUser()
    const token = await app.addKey(user, { permissions: { widgets: 'write' } })
    expect(await send(user, { token })).toMatchObject({ status: 403, body: { token: 'not permitted', status: 0 } })
  })

  test('404 for any other path', async () => {
    const answer = await ask('/nothing.json', {})
    expect(answer).toMatchObject({ status: 404, body: { errors: ['resource not found'], status: 0, request: UUID } })
  })

  test('413 for more than a megabyte of fields', async () => {
    const user = await app.addUser()
    expect(await send(user, { message: 'x'.repeat(1024 * 1024) })).toMatchObject({ status: 413, body: { status: 0 } })
    const large = toFormData({ token: user.defaultKey, user: USER_KEY, message: 'x'.repeat(70_000) })
    expect((await ask('/messages.json', { body: large })).status).toBe(413)
  })

  test('429 when the quota is used up', async () => {
    const user = await app.addUser('free')
    await setUsed(app, user, 'notifications', 500)
    const { status, body, headers } = await send(user)
    expect([status, body.status]).toEqual([429, 0])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('429 for more alerts than may wait to be acknowledged, which senders try again', async () => {
    const user = await app.addUser()
    const alert = () => send(user, { priority: '2', retry: '60', expire: '3600' })
    const answers = await Promise.all(Array.from({ length: LIMITS.receipt.maxOpen }, alert))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await alert()).toMatchObject({ status: 429, body: { status: 0, errors: [expect.any(String)] } })
  })

  test('429 after 20 refused tokens a minute', async () => {
    app.advanceSeconds(60)
    const user = await app.addUser()
    const statuses = []
    for (let i = 0; i < 21; i++) statuses.push((await send(user, { token: 'b'.repeat(30) })).status)
    expect(statuses).toEqual([...Array(20).fill(400), 429])
    app.advanceSeconds(60)
    expect((await send(user)).status).toBe(200)
  })
})

const ALMOST_1_MB = 1024 * 1024 - 500

test.each([
  ['a megabyte of escapes', '%C3%A4'.repeat(ALMOST_1_MB / 6), 200],
  ['escapes that are no text', '%ff%fe'.repeat(ALMOST_1_MB / 6), 200],
  ['a quarter million fields', '&a=b'.repeat(ALMOST_1_MB / 4), 400],
  ['tags without an end', `${encodeURIComponent('<a href=x ').repeat(ALMOST_1_MB / 20)}&html=1`, 200],
  ['many links', `${encodeURIComponent('<a href=x>').repeat(ALMOST_1_MB / 20)}&html=1`, 200],
  ['entities', `${encodeURIComponent('&#1114112;').repeat(ALMOST_1_MB / 20)}&html=1`, 200],
])('%s: never a 5xx', async (_name, message, status) => {
  const user = await app.addUser()
  const body = `token=${user.defaultKey}&user=me&message=${message}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await ask('/messages.json', { body, headers })).status).toBe(status)
})

describe('an attachment', () => {
  const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array(2000).keys()])

  const multipart = (user: TestUser, content: Uint8Array<ArrayBuffer>, order: 'token first' | 'file first') => {
    const body = new FormData()
    if (order === 'file first') body.set('attachment', new Blob([content]), 'cat.png')
    for (const [name, value] of Object.entries({ token: user.defaultKey, user: USER_KEY, message: 'M' }))
      body.set(name, value)
    if (order === 'token first') body.set('attachment', new Blob([content]), 'cat.png')
    return { body }
  }

  const media = async (user: TestUser) => {
    const { media_url } = await newest(user)
    expect(media_url).toMatch(/^https:\/\/push\.example\.org\/files\//)
    const file = await fetch(`${app.url}${new URL(media_url).pathname}`)
    return { type: file.headers.get('content-type'), bytes: Buffer.from(await file.arrayBuffer()) }
  }

  test.each(['token first', 'file first'] as const)(
    '200 in multipart, %s: the media of the notification',
    async (order) => {
      const user = await app.addUser()
      expect((await ask('/messages.json', multipart(user, PNG, order))).status).toBe(200)
      expect(await media(user)).toEqual({ type: 'image/png', bytes: Buffer.from(PNG) })
    },
  )

  test('200 in multipart with more than a request in memory may have, with the boundary almost in it', async () => {
    const user = await app.addUser()
    const content = Buffer.concat([PNG, Buffer.from('\r\n------WebKit\r\n--'), Buffer.alloc(1_200_000, '\r\n-')])
    expect((await ask('/messages.json', multipart(user, new Uint8Array(content), 'token first'))).status).toBe(200)
    expect((await media(user)).bytes.equals(content)).toBe(true)
  })

  test('200 in base64, in a form and in JSON', async () => {
    const user = await app.addUser()
    const attachment_base64 = Buffer.from(PNG).toString('base64')
    const fields = { attachment_base64, attachment_type: 'image/png' }
    expect((await send(user, fields)).status).toBe(200)
    expect((await media(user)).bytes.equals(PNG)).toBe(true)
    const body = JSON.stringify({ token: user.defaultKey, user: USER_KEY, message: 'M', ...fields })
    expect((await ask('/messages.json', { body, headers: { 'content-type': 'application/json' } })).status).toBe(200)
    expect((await media(user)).bytes.equals(PNG)).toBe(true)
  })

  test('200 with a file that is no picture: a link', async () => {
    const user = await app.addUser()
    await ask('/messages.json', multipart(user, new Uint8Array([1, 0, 2]), 'token first'))
    expect((await newest(user)).actions).toMatchObject([{ title: 'Open cat.png', foreground: true }])
  })

  test('413 if it is too large, 400 if the message is refused; nothing is kept', async () => {
    const user = await app.addUser()
    const large = await ask('/messages.json', multipart(user, new Uint8Array(15 * 1024 * 1024 + 1), 'token first'))
    expect(large).toMatchObject({ status: 413, body: { attachment: 'is too large', status: 0, request: UUID } })
    const unnamed = await ask('/messages.json', multipart(user, new Uint8Array(1024 * 1024 + 1), 'file first'))
    expect(unnamed.status).toBe(413)
    const blank = multipart(user, PNG, 'token first')
    blank.body.set('message', '')
    expect((await ask('/messages.json', blank)).status).toBe(400)
    const { body } = await fetch(`${app.url}/ntfy/v1/account`, {
      headers: { authorization: `Bearer ${user.defaultKey}` },
    }).then(async (response) => ({ body: (await response.json()) as { stats: Record<string, number> } }))
    expect(body.stats.attachment_total_size).toBe(0)
  })

  test('400 when the operator has switched uploads off', async () => {
    const closed = await startTestApp({ HELIOGRAPH_ATTACHMENT_MB: '0' })
    onTestFinished(() => closed.stop())
    const user = await closed.addUser()
    const { status, body } = await askPushover(closed, 'POST', '/messages.json', multipart(user, PNG, 'token first'))
    expect([status, body.attachment]).toEqual([400, 'is not allowed on this server'])
  })
})

function toFormData(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}
