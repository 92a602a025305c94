// The door for Gotify's senders. Its requests are sent byte for byte as those senders send them.
import { request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestUser, useTestApp } from '../../support/app.ts'

const app = useTestApp()

type Answer = { status: number; body: Record<string, unknown> }

async function post(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(`${app.url}/gotify${path}`, { method: 'POST', ...init })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

// The alias of a key named "Kuma" that may send.
async function addAlias(user: TestUser): Promise<{ alias: string; keyId: string }> {
  const key = { name: 'Kuma', permissions: { notifications: 'send' } }
  const { id: keyId } = (await app.post('/integrations/keys', key, user.token)).body
  const created = await app.post(`/integrations/keys/${keyId}/aliases`, { door: 'gotify' }, user.token)
  expect(created.status).toBe(201)
  return { alias: created.body.token, keyId }
}

const newest = async (user: TestUser) => (await app.get('/notifications?limit=1', user.token)).body.items[0]

describe('POST /message', () => {
  test('200 with the message as Gotify answers it', async () => {
    const user = await app.addUser()
    const { alias } = await addAlias(user)
    const extras = {
      'client::display': { contentType: 'text/markdown' },
      'client::notification': { click: { url: 'https://a.example/1' }, bigImageUrl: 'https://a.example/1.png' },
    }
    const sent = await post(
      `/message?token=${alias}`,
      json({ title: 'Down', message: '**db** is down', priority: 8, extras }),
    )
    expect(sent).toEqual({
      status: 200,
      body: {
        id: expect.any(Number),
        appid: expect.any(Number),
        title: 'Down',
        message: '**db** is down',
        priority: 8,
        extras,
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    })
    expect(await newest(user)).toMatchObject({
      id: sent.body.id,
      title: 'Down',
      body: '**db** is down',
      level: 'time-sensitive',
      source: 'Kuma',
      source_display_name: 'Kuma',
      thread_id: `gotify:${sent.body.appid}`,
      url: 'https://a.example/1',
      media_url: 'https://a.example/1.png',
      format: 'markdown',
    })
  })

  const PLACES: [string, (token: string) => [string, Record<string, string>]][] = [
    ['the query', (token) => [`?token=${token}`, {}]],
    ['X-Gotify-Key', (token) => ['', { 'x-gotify-key': token }]],
    ['a bearer token', (token) => ['', { authorization: `bearer ${token}` }]],
    ['the cookie', (token) => ['', { cookie: `a=b; gotify-client-token=${token}` }]],
    ['Basic', (token) => ['', { authorization: `Basic ${btoa(`any:${token}`)}` }]],
  ]

  test.each(PLACES)('200 with an alias, a key or a full-access token in %s', async (_place, put) => {
    const user = await app.addUser()
    const { alias } = await addAlias(user)
    for (const token of [alias, user.defaultKey, user.token]) {
      const [query, headers] = put(token)
      expect((await post(`/message${query}`, json({ message: 'hello' }, headers))).status).toBe(200)
    }
  })

  test('200 for forms, as curl and Unraid send them, and for text without a type', async () => {
    const user = await app.addUser()
    const { alias } = await addAlias(user)
    const multipart = new FormData()
    for (const [name, value] of Object.entries({ title: 'T', message: 'M', priority: '7' })) multipart.set(name, value)
    const bodies = [multipart, new URLSearchParams({ title: 'T', message: 'M', priority: '7' })]
    for (const body of bodies) {
      const { status, body: answer } = await post(`/message?token=${alias}`, { body })
      expect([status, answer.title, answer.message, answer.priority]).toEqual([200, 'T', 'M', 7])
    }
    const { body: byQuery } = await post(`/message?token=${alias}&message=M&title=T`, {})
    expect([byQuery.title, byQuery.message, byQuery.priority]).toEqual(['T', 'M', 5])
  })

  test.each([
    [-1, 'passive'],
    [3, 'passive'],
    [4, 'active'],
    [null, 'active'],
    [7, 'active'],
    [9, 'time-sensitive'],
    [10, 'critical'],
    [99, 'critical'],
  ])('200 with the priority %s, as the level %s', async (priority, level) => {
    const user = await app.addUser()
    const { status } = await post(`/message?token=${user.defaultKey}`, json({ message: 'M', priority }))
    expect([status, (await newest(user)).level]).toEqual([200, level])
  })

  test('200 with a blank title: the name of the application', async () => {
    const user = await app.addUser()
    const { alias } = await addAlias(user)
    const { body } = await post(`/message?token=${alias}`, json({ message: 'M', title: ' ' }))
    expect([body.title, (await newest(user)).title]).toEqual(['Kuma', 'Kuma'])
  })

  test('200 with a message over 4096 characters, which is cut in the notification and whole in the answer', async () => {
    const user = await app.addUser()
    const message = `${'ä'.repeat(5000)}`
    const { status, body } = await post(`/message?token=${user.defaultKey}`, json({ message }))
    expect([status, body.message]).toEqual([200, message])
    expect((await newest(user)).body).toBe(`${'ä'.repeat(4095)}…`)
  })

  test('200 with a javascript: link, which the notification does not have', async () => {
    const user = await app.addUser()
    const extras = { 'client::notification': { click: { url: 'javascript:alert(1)' } } }
    expect((await post(`/message?token=${user.defaultKey}`, json({ message: 'M', extras }))).status).toBe(200)
    expect(await newest(user)).not.toHaveProperty('url')
  })

  test('200 to the application that a person names by its number; 400 for one of somebody else', async () => {
    const [user, other] = [await app.addUser(), await app.addUser()]
    const { alias } = await addAlias(user)
    const { body: first } = await post(`/message?token=${alias}`, json({ message: 'M' }))
    const { body } = await post(`/message?token=${user.token}`, json({ message: 'M', appid: first.appid }))
    expect([body.appid, body.title]).toEqual([first.appid, 'Kuma'])
    const refused = await post(`/message?token=${other.token}`, json({ message: 'M', appid: first.appid }))
    expect([refused.status, refused.body.errorDescription]).toEqual([400, 'appid not found'])
  })

  test.each([
    [{}, "Field 'message' is required"],
    [{ message: '' }, "Field 'message' is required"],
    [{ message: 1 }, "Field 'message' must be a string"],
    [{ message: 'M', priority: 'high' }, "Field 'priority' must be an integer"],
    [{ message: 'M', extras: [] }, "Field 'extras' must be an object"],
    [[], 'the body must be a JSON object'],
  ])('400 for %j', async (body, errorDescription) => {
    const user = await app.addUser()
    const refused = await post(`/message?token=${user.defaultKey}`, json(body))
    expect(refused).toEqual({ status: 400, body: { error: 'Bad Request', errorCode: 400, errorDescription } })
  })

  test('401 without a token, and with one that is unknown or of another door', async () => {
    const user = await app.addUser()
    const { keyId } = await addAlias(user)
    const { body: ntfy } = await app.post(`/integrations/keys/${keyId}/aliases`, { door: 'ntfy' }, user.token)
    for (const query of ['', '?token=A12345678901234', `?token=${ntfy.token}`, '?token=%00']) {
      expect(await post(`/message${query}`, json({ message: 'M' }))).toEqual({
        status: 401,
        body: {
          error: 'Unauthorized',
          errorCode: 401,
          errorDescription: 'you need to provide a valid access token or user credentials to access this api',
        },
      })
    }
  })

  test('403 for a key that may not send', async () => {
    const user = await app.addUser()
    const key = await app.addKey(user, { permissions: { widgets: 'write' } })
    const { status, body } = await post(`/message?token=${key}`, json({ message: 'M' }))
    expect([status, body.errorDescription]).toEqual([403, 'you are not allowed to access this api'])
  })

  test('404 for any other path', async () => {
    expect(await post('/nothing', json({}))).toEqual({
      status: 404,
      body: { error: 'Not Found', errorCode: 404, errorDescription: 'page not found' },
    })
  })

  test('429 after 20 refused tokens a minute, 401 again in the next', async () => {
    app.advanceSeconds(60)
    const refused = async () => (await post('/message?token=A00000000000000', json({}))).status
    const statuses = []
    for (let i = 0; i < 21; i++) statuses.push(await refused())
    expect(statuses).toEqual([...Array(20).fill(401), 429])
    app.advanceSeconds(60)
    expect(await refused()).toBe(401)
  })
})

describe('an alias', () => {
  test('gives access to nothing but its door', async () => {
    const user = await app.addUser()
    const { alias } = await addAlias(user)
    expect((await app.post('/notifications', { title: 'T', body: 'B' }, alias)).status).toBe(401)
    expect((await app.get('/notifications', alias)).status).toBe(401)
  })

  test('ends with its deletion, and when its key is rolled or deleted', async () => {
    const user = await app.addUser()
    const status = async (alias: string) => (await post(`/message?token=${alias}`, json({ message: 'M' }))).status
    const [deleted, rolled, removed] = [await addAlias(user), await addAlias(user), await addAlias(user)]
    for (const { alias } of [deleted, rolled, removed]) expect(await status(alias)).toBe(200)
    const path = `/integrations/keys/${deleted.keyId}/aliases`
    const [{ id }] = (await app.get(path, user.token)).body.items
    expect((await app.del(`${path}/${id}`, user.token)).status).toBe(204)
    await app.post(`/integrations/keys/${rolled.keyId}/roll`, {}, user.token)
    await app.del(`/integrations/keys/${removed.keyId}`, user.token)
    for (const { alias } of [deleted, rolled, removed]) expect(await status(alias)).toBe(401)
    expect((await app.get(`/integrations/keys/${rolled.keyId}/aliases`, user.token)).body).toEqual({ items: [] })
  })

  test('has the form its senders expect, is shown once, and a key has at most five', async () => {
    const user = await app.addUser()
    const { keyId } = await addAlias(user)
    const path = `/integrations/keys/${keyId}/aliases`
    const FORMS = { ntfy: /^tk_[a-z0-9]{29}$/, gotify: /^A[\w.-]{14}$/, pushover: /^[A-Za-z0-9]{30}$/ }
    for (const [door, form] of Object.entries(FORMS)) {
      expect((await app.post(path, { door }, user.token)).body).toMatchObject({
        door,
        token: expect.stringMatching(form),
      })
    }
    expect((await app.post(path, { door: 'ntfy' }, user.token)).status).toBe(201)
    const sixth = await app.post(path, { door: 'ntfy' }, user.token)
    expect([sixth.status, sixth.body.code]).toEqual([409, 'integration_key.alias_limit_exceeded'])
    const { items } = (await app.get(path, user.token)).body
    expect(items.map((item: object) => Object.keys(item))).toEqual(Array(5).fill(['id', 'door', 'created_at']))
    const missing = await app.del(`${path}/${crypto.randomUUID()}`, user.token)
    expect([missing.status, missing.body.code]).toEqual([404, 'integration_key.alias_not_found'])
  })
})

test('at the root of a host name of its own, and not at all when it is switched off', async () => {
  const named = await startTestApp({ HELIOGRAPH_GOTIFY_HOST: 'gotify.example.org' })
  onTestFinished(() => named.stop())
  const user = await named.addUser()
  const ask = (path: string, host: string) => sendRaw(named.url, path, host, user.defaultKey)
  expect(await ask('/message', 'gotify.example.org')).toBe(200)
  expect(await ask('/gotify/message', 'example.org')).toBe(200)
  expect(await ask('/message', 'example.org')).toBe(404)
  const closed = await startTestApp({ HELIOGRAPH_DOORS: 'ntfy,hooks' })
  onTestFinished(() => closed.stop())
  expect(await sendRaw(closed.url, '/gotify/message', 'example.org', 'A00000000000000')).toBe(404)
})

// fetch does not send a Host header of the caller's choice.
function sendRaw(url: string, path: string, host: string, token: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'x-gotify-key': token, 'content-type': 'application/json' }
    const sent = request(`${url}${path}`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject).end(JSON.stringify({ message: 'M' }))
  })
}
