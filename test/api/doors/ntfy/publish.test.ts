// Publishing through the door for ntfy: what messages become, and how they are answered.
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../../support/app.ts'
import { schedulesOf } from '../../../support/schedules.ts'
import { setUsed } from '../../../support/usage.ts'
import { askNtfy, headersFor, inboxOf, newestOf } from './client.ts'
import { EXAMPLES, ID_OF_ACTION, JSON_EXAMPLES } from './examples.ts'

const app = useTestApp()

const ask = (method: string, path: string, init?: RequestInit) => askNtfy(app, method, path, init)
const newest = (user: TestUser) => newestOf(app, user)

function publish(user: TestUser, path: string, headers: Record<string, string> = {}, body = 'x') {
  return ask('POST', path, { headers: headersFor(user, headers), body })
}

const publishJson = (user: TestUser, body: unknown, path = '') =>
  ask('POST', path, { headers: headersFor(user), body: JSON.stringify(body) })

// Server-made ids of actions vary. Members that the table calls undefined must be there to be compared.
function withoutActionIds(notification: { url?: string; actions?: { id: string }[] }): object {
  const actions = notification.actions?.map((action) =>
    /^[A-Za-z0-9]{10}$/.test(action.id) && action.id !== 'attachment' ? { ...action, id: ID_OF_ACTION } : action,
  )
  return { ...notification, url: notification.url, actions }
}

describe('200 for the examples of the documentation', () => {
  test.each(EXAMPLES)('$name', async ({ method = 'POST', path, headers, body, notification }) => {
    const user = await app.addUser()
    const { status, text } = await ask(method, path, { headers: headersFor(user, headers), body })
    expect(status, text).toBe(200)
    expect(withoutActionIds(await newest(user))).toMatchObject(notification)
  })

  test.each(JSON_EXAMPLES)('as JSON: $name', async ({ body, headers, notification }) => {
    const user = await app.addUser()
    for (const path of ['', '/']) {
      const init = { headers: headersFor(user, headers), body: JSON.stringify(body) }
      const { status, text } = await ask('POST', path, init)
      expect(status, text).toBe(200)
      expect(withoutActionIds(await newest(user))).toMatchObject(notification)
    }
  })
})

describe('the answer', () => {
  test('200 is the message as ntfy writes it, on a line', async () => {
    const user = await app.addUser()
    const headers = {
      Title: 'T',
      Priority: '4',
      Tags: 'warning,nas',
      Click: 'https://a.example',
      Icon: 'https://a.example/i.png',
      Attach: 'https://a.example/x/f.pdf',
      Actions: 'view, Open, https://a.example, clear=true',
      Markdown: '1',
    }
    const sent = await publish(user, '/alerts', headers, 'M')
    expect(sent.status).toBe(200)
    expect(sent.body).toEqual({
      id: expect.stringMatching(/^n[A-Za-z0-9]{11}$/),
      time: Math.floor(app.clock.now() / 1000),
      expires: Math.floor(app.clock.now() / 1000) + 86_400,
      event: 'message',
      topic: 'alerts',
      title: 'T',
      message: 'M',
      priority: 4,
      tags: ['warning', 'nas'],
      click: 'https://a.example',
      icon: 'https://a.example/i.png',
      actions: [
        {
          id: expect.stringMatching(/^[A-Za-z0-9]{10}$/),
          action: 'view',
          label: 'Open',
          clear: true,
          url: 'https://a.example',
        },
      ],
      attachment: { name: 'f.pdf', url: 'https://a.example/x/f.pdf' },
      content_type: 'text/markdown',
    })
    expect(sent.text.endsWith('}\n')).toBe(true)
    expect(sent.headers.get('content-type')).toMatch(/^application\/json/)
    expect(sent.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('200 without members that are not set', async () => {
    const { body } = await publish(await app.addUser(), '/alerts', {}, 'M')
    expect(Object.keys(body)).toEqual(['id', 'time', 'expires', 'event', 'topic', 'message'])
  })

  test('200 to a poll request of another server, which is no message', async () => {
    const user = await app.addUser()
    const { status, body } = await publish(user, '/t', { 'X-Poll-ID': 'abc' }, 'body')
    expect([status, body.event, body.poll_id]).toEqual([200, 'poll_request', 'abc'])
    expect(await inboxOf(app, user)).toEqual([])
  })
})

describe('bodies', () => {
  test('200 for UnifiedPush: the bytes as they came', async () => {
    const user = await app.addUser()
    const { body: text } = await publish(user, '/t?up=1', {}, ' {"a":1} ')
    expect([text.message, text.encoding]).toEqual([' {"a":1} ', undefined])
    const init = {
      headers: { ...headersFor(user), 'content-encoding': 'aes128gcm' },
      body: new Uint8Array([0, 255, 1]),
    }
    const { status, body: binary } = await ask('POST', '/t', init)
    expect([status, binary.message, binary.encoding]).toEqual([200, 'AP8B', 'base64'])
  })

  test('200 with text of 4096 bytes as a message; with more as a file', async () => {
    const user = await app.addUser()
    const longest = 'ä'.repeat(2048)
    expect((await publish(user, '/t', {}, longest)).body.message).toBe(longest)
    const { status, body } = await publish(user, '/t', {}, `${longest}x`)
    expect([status, body.message]).toEqual([200, 'You received a file: attachment.txt'])
  })

  test('200 with an attached address and more text than a message has, which is cut between characters', async () => {
    const user = await app.addUser()
    const { body } = await publish(user, '/t', { Attach: 'https://a.example/a' }, `x${'ä'.repeat(3000)}`)
    expect(body.message).toBe(`x${'ä'.repeat(2047)}`)
  })

  test('200 with U+0000, which is left out', async () => {
    const user = await app.addUser()
    expect((await publish(user, '/t', { Title: '=?UTF-8?Q?a=00b?=' }, 'x\u0000y')).status).toBe(200)
    expect(await newest(user)).toMatchObject({ title: 'ab', body: 'xy' })
  })

  test('200 with a title of 16 KB, which is cut', async () => {
    const user = await app.addUser()
    const { status } = await publish(user, `/t?title=${'a'.repeat(10_000)}`)
    expect([status, (await newest(user)).title]).toEqual([200, `${'a'.repeat(255)}…`])
  })
})

describe('hostile values', () => {
  const NAMES = ['message', 'title', 'tags', 'click', 'icon', 'attach', 'filename', 'actions', 'delay', 'email', 'sid']
  const VALUES = [
    '\u0000',
    'a\u0000b',
    '\r\nX-Injected: 1',
    'https://a.example/\u0000',
    'https://',
    'view, \u0000, https://a.example/\u0000, headers.\u0000=\r\n',
    `[${'['.repeat(2000)}`,
    '"'.repeat(4000),
    'http, a, https://a.example, headers.__proto__=x, headers.a\u0000=b',
    '=?utf-8?q?'.repeat(500),
  ]

  test.each(NAMES)('200 or 400 for each of them as %s', async (name) => {
    const user = await app.addUser()
    for (const value of VALUES) {
      const { status, text } = await publish(user, `/t?${name}=${encodeURIComponent(value)}`)
      expect([200, 400], `${JSON.stringify(value)}: ${text}`).toContain(status)
    }
  })
})

describe('delayed messages', () => {
  const { pass } = schedulesOf(app)
  const pending = async (user: TestUser) => (await app.get('/notifications/scheduled', user.token)).body.items

  test.each(['Delay', 'At', 'In', 'X-Delay'])('200 with %s: a schedule, sent when it is due', async (name) => {
    const user = await app.addUser()
    const { status, body } = await publish(user, '/t', { [name]: '30 min', Title: 'T', Markdown: '1' }, 'later')
    expect([status, body.time]).toEqual([200, Math.floor(app.clock.now() / 1000) + 1800])
    expect(body.id).toMatch(/^[A-Za-z0-9]{12}$/)
    expect(await pending(user)).toMatchObject([{ title: 'T', body: 'later', status: 'scheduled' }])
    expect(await inboxOf(app, user)).toEqual([])
    await pass(1801)
    expect(await inboxOf(app, user)).toMatchObject([{ title: 'T', body: 'later', format: 'markdown', source: 't' }])
  })

  test('200: an update, a deletion and a clearing of its sequence replace or end a message that waits', async () => {
    const user = await app.addUser()
    await publish(user, '/t/seq', { Delay: '1h' }, 'first')
    await publish(user, '/t/seq', { Delay: '2h' }, 'second')
    expect(await pending(user)).toMatchObject([{ body: 'second' }])
    await publish(user, '/other/seq', { Delay: '1h' }, 'of another topic')
    await ask('PUT', '/t/seq/clear', { headers: headersFor(user) })
    expect(await pending(user)).toMatchObject([{ body: 'of another topic' }])
    const { body } = await publish(user, '/t', { Delay: '1h' }, 'without a sequence')
    expect((await ask('DELETE', `/t/${body.id}`, { headers: headersFor(user) })).status).toBe(200)
    expect(await pending(user)).toHaveLength(1)
  })

  test('429: an update over the quota leaves the message that waits', async () => {
    const user = await app.addUser('free')
    await publish(user, '/t/seq', { Delay: '1h' }, 'first')
    await setUsed(app, user, 'notifications', 500)
    expect((await publish(user, '/t/seq', { Delay: '2h' }, 'second')).status).toBe(429)
    expect(await pending(user)).toMatchObject([{ body: 'first' }])
  })

  test('200: one that was sent is deleted by the id of its answer', async () => {
    const user = await app.addUser()
    const { body } = await publish(user, '/t', { Delay: '1h' })
    await pass(3601)
    expect(await inboxOf(app, user)).toHaveLength(1)
    await ask('DELETE', `/t/${body.id}`, { headers: headersFor(user) })
    expect(await inboxOf(app, user)).toEqual([])
  })

  test('403 for a key that may send but not schedule', async () => {
    const user = await app.addUser()
    const defaultKey = await app.addKey(user, { permissions: { notifications: 'send' } })
    const { status, body } = await publish({ ...user, defaultKey }, '/t', { Delay: '1h' })
    expect([status, body.code]).toEqual([403, 40301])
  })
})

describe('400', () => {
  test.each<[string, Record<string, string>, number]>([
    ['/t', { Priority: 'important' }, 40007],
    ['/t', { Delay: 'soon' }, 40004],
    ['/t', { Delay: '9s' }, 40005],
    ['/t', { Delay: '366d' }, 40006],
    ['/t', { Delay: '1h', Cache: 'no' }, 40002],
    ['/t', { Delay: '1h', Email: 'ada@example.org' }, 40003],
    ['/t', { Email: 'ada@example.org' }, 40001],
    ['/t', { Call: 'yes' }, 40032],
    ['/t', { Icon: 'ftp://a.example' }, 40021],
    ['/t', { Attach: '/etc/passwd' }, 40013],
    ['/t', { Actions: 'ring, Bell' }, 40018],
    ['/t', { 'X-Sequence-ID': 'a b' }, 40049],
    ['/t?template=mine', {}, 40047],
    ['/docs', {}, 40010],
  ])('at %s with %j: %i', async (path, headers, code) => {
    const user = await app.addUser()
    const refused = await publish(user, path, headers)
    expect(refused.body).toMatchObject({ code, http: 400, error: expect.any(String) })
    expect(refused.status).toBe(400)
    expect(await inboxOf(app, user)).toEqual([])
  })

  test('template=yes: the error says that templates in a request are not supported, and what is', async () => {
    const { status, body } = await publish(await app.addUser(), '/t?template=yes&title={{.a}}', {}, '{"a":1}')
    expect([status, body.code]).toEqual([400, 40045])
    expect(body.error).toMatch(
      /templates in a request are not supported here; use github, grafana, alertmanager, or a hook/,
    )
  })

  test('a body that is not text beside an attached address', async () => {
    const init = {
      headers: headersFor(await app.addUser(), { Attach: 'https://a.example/a' }),
      body: new Uint8Array([255]),
    }
    expect((await ask('POST', '/t', init)).body.code).toBe(40011)
  })

  test.each<[unknown, number]>([
    [[], 40017],
    ['text', 40017],
    [{ topic: 't', message: 1 }, 40017],
    [{ topic: 't', tags: 'a,b' }, 40017],
    [{ topic: 't', email: 'ada@example.org' }, 40001],
    [{ topic: 't', call: 'yes' }, 40032],
    [{ topic: 't', delay: '1h', cache: 'no' }, 40002],
    [{ topic: 't', priority: 'high' }, 40017],
    [{ topic: 't', priority: 9 }, 40007],
    [{ topic: 't', actions: 'view' }, 40018],
    [{ topic: 't', actions: [1] }, 40018],
    [{ message: 'x' }, 40009],
    [{ topic: 'a/b' }, 40009],
    [{ topic: 'v1' }, 40010],
  ])('for the JSON %j: %i', async (body, code) => {
    const refused = await publishJson(await app.addUser(), body)
    expect([refused.status, refused.body.code]).toEqual([400, code])
  })

  test('for JSON that is nested deeply or broken, and 413 for more than 8 KB', async () => {
    const user = await app.addUser()
    const send = (body: string) => ask('POST', '/', { headers: headersFor(user), body })
    for (const text of ['{', `${'['.repeat(4000)}${']'.repeat(4000)}`, '{"topic":"t","topic":"u"}']) {
      expect((await send(text)).body.code).toBe(40017)
    }
    const large = await publishJson(user, { topic: 't', message: 'x'.repeat(8192) })
    expect([large.status, large.body]).toEqual([413, { code: 41303, http: 413, error: 'JSON body too large' }])
  })
})
