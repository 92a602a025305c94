// Receiving with Gotify's apps, by the requests of gotify-android: log-in, start, screens and deletion.
import { request as httpRequest } from 'node:http'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../../support/app.ts'
import { sqliteSuffices } from '../../../support/database/database.ts'
import { useTestNodes } from '../../../support/nodes.ts'
import { addGotifyDevice, basic, type GotifyMessage, logIn, request } from './phone.ts'

const nodes = useTestNodes()
let user: TestUser
let device: { device: { id: string }; user: string; password: string }
let key: Record<string, string>
beforeEach(async () => {
  user = await nodes.first.addUser()
  device = await addGotifyDevice(nodes.first, user)
  key = { 'x-gotify-key': await logIn(nodes.first, device) }
})

const get = (path: string, headers = key) => request(nodes.first, 'GET', path, headers)
const del = (path: string, headers = key) => request(nodes.first, 'DELETE', path, headers)
const error = (status: number, reason: string, description: string) => ({
  status,
  body: { error: reason, errorCode: status, errorDescription: description },
})
const UNAUTHORIZED = error(
  401,
  'Unauthorized',
  'you need to provide a valid access token or user credentials to access this api',
)
const FORBIDDEN = error(403, 'Forbidden', 'you are not allowed to access this api')

async function send(members: object = {}, token = user.token): Promise<number> {
  const sent = await nodes.first.post(
    '/notifications',
    { title: 'Backup', body: 'done', push: false, ...members },
    token,
  )
  expect(sent.status).toBe(201)
  return sent.body.id
}

const messages = async (path = '/message') => (await get(path)).body.messages as GotifyMessage[]

describe.skipIf(sqliteSuffices())('log-in', () => {
  test('1 GET /gotifyinfo and GET /version without a token; log-in by browser is not offered', async () => {
    expect(await get('/gotifyinfo', {})).toMatchObject({
      status: 200,
      body: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), register: false, oidc: false },
    })
    const version = await get('/version', {})
    expect(version).toMatchObject({
      status: 200,
      body: { version: expect.any(String), commit: expect.any(String), buildDate: expect.stringMatching(/Z$/) },
    })
  })

  test('2 GET /current/user with Basic, 401 for a wrong password', async () => {
    expect((await get('/current/user', basic(device.user, device.password))).body).toEqual({
      id: 1,
      name: user.name,
      admin: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(await get('/current/user', basic(device.user, 'wrong'))).toMatchObject(UNAUTHORIZED)
    expect(await get('/current/user', {})).toMatchObject(UNAUTHORIZED)
  })

  test('the device has been seen, for which the console waits', async () => {
    nodes.first.advanceSeconds(3600)
    await get('/current/user', basic(device.user, device.password))
    const [{ last_seen_at }] = (await nodes.first.get('/devices', user.token)).body.items
    expect(Date.parse(last_seen_at)).toBe(nodes.first.clock.now())
  })

  test('3 POST /client with Basic: a token of 15 characters, shown once', async () => {
    const created = await request(nodes.first, 'POST', '/client', basic('any', device.password), { name: 'Pixel 9' })
    expect(created).toMatchObject({
      status: 200,
      body: {
        id: expect.any(Number),
        token: expect.stringMatching(/^C[A-Za-z0-9]{14}$/),
        name: 'Pixel 9',
        createdAt: expect.stringMatching(/Z$/),
        // Written a while after the use.
        lastUsed: expect.toBeOneOf([null, expect.stringMatching(/Z$/)]),
      },
    })
    expect(await request(nodes.first, 'POST', '/client', key, {})).toMatchObject(
      error(400, 'Bad Request', "Field 'name' is required"),
    )
  })

  test('4 the start of the app: GET /current/user with the token in every place', async () => {
    const token = key['x-gotify-key'] as string
    for (const [path, headers] of [
      ['/current/user', key],
      [`/current/user?token=${token}`, {}],
      ['/current/user', { authorization: `Bearer ${token}` }],
      ['/current/user', { cookie: `gotify-client-token=${token}` }],
    ] as const) {
      expect((await get(path, headers)).status).toBe(200)
    }
    expect(await get('/current/user', { 'x-gotify-key': `C${'x'.repeat(14)}` })).toMatchObject(UNAUTHORIZED)
  })

  test('a device keeps 20 clients; the oldest token ends', async () => {
    const tokens: string[] = []
    for (let i = 0; i < 20; i++) tokens.push(await logIn(nodes.first, device))
    expect(await get('/current/user')).toMatchObject(UNAUTHORIZED)
    expect((await get('/current/user', { 'x-gotify-key': tokens[0] as string })).status).toBe(200)
  })

  test('GET /health', async () => {
    expect(await get('/health', {})).toMatchObject({ status: 200, body: { health: 'green', database: 'green' } })
  })
})

describe('clients', () => {
  test('12 log-out: the app finds itself by its token and deletes itself, which ends the token', async () => {
    const other = await logIn(nodes.first, device)
    const { body } = await get('/client')
    expect(body).toHaveLength(2)
    expect(body.map((client: object) => 'token' in client)).toEqual([true, false])
    const own = body.find(({ token }: { token?: string }) => token === key['x-gotify-key'])
    expect(await del(`/client/${own.id}`)).toMatchObject({ status: 200, text: '' })
    expect(await get('/current/user')).toMatchObject(UNAUTHORIZED)
    expect((await get('/current/user', { 'x-gotify-key': other })).status).toBe(200)
  })

  test('PUT /client/{id} renames; 404 for a client of another device and 400 for an id that is none', async () => {
    const [client] = (await get('/client')).body
    const renamed = await request(nodes.first, 'PUT', `/client/${client.id}`, key, { name: 'Old phone' })
    expect(renamed).toMatchObject({ status: 200, body: { id: client.id, name: 'Old phone' } })
    const second = await addGotifyDevice(nodes.first, user, 'Tablet')
    await logIn(nodes.first, second)
    const [foreign] = (await get('/client', basic('x', second.password))).body
    const missing = error(404, 'Not Found', `client with id ${foreign.id} doesn't exists`)
    expect(await del(`/client/${foreign.id}`)).toMatchObject(missing)
    expect(await del('/client/x')).toMatchObject(error(400, 'Bad Request', 'invalid id'))
  })

  test('the deletion of the device ends its password and its tokens', async () => {
    expect((await nodes.first.del(`/devices/${device.device.id}`, user.token)).status).toBe(204)
    expect(await get('/message')).toMatchObject(UNAUTHORIZED)
    expect(await get('/current/user', basic(device.user, device.password))).toMatchObject(UNAUTHORIZED)
  })
})

describe.skipIf(sqliteSuffices())('applications', () => {
  test('8 GET /application: the keys of the account with a picture, and one for all other senders', async () => {
    const { body } = await nodes.first.post('/integrations/keys', { name: 'Kuma' }, user.token)
    await send({}, body.key)
    const applications = (await get('/application')).body
    expect(applications.map(({ name }: { name: string }) => name).sort()).toEqual(['Default', 'Heliograph', 'Kuma'])
    for (const application of applications) {
      expect(application).toEqual({
        id: expect.any(Number),
        name: expect.any(String),
        description: '',
        internal: false,
        image: 'static/defaultapp.png',
        defaultPriority: 5,
        createdAt: expect.stringMatching(/Z$/),
        // Written a while after the use.
        lastUsed: expect.toBeOneOf([null, expect.stringMatching(/Z$/)]),
        sortKey: expect.any(String),
      })
    }
    expect((await get('/application')).body).toMatchObject(applications.map(({ id }: { id: number }) => ({ id })))
  })

  test('11 the picture needs no token', async () => {
    const response = await fetch(`${nodes.first.url}/gotify/static/defaultapp.png`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('10 403 for what the console manages: applications, users and plugins', async () => {
    for (const [method, path] of [
      ['POST', '/application'],
      ['PUT', '/application/1'],
      ['DELETE', '/application/1'],
      ['POST', '/application/1/image'],
      ['GET', '/user'],
      ['GET', '/plugin'],
    ] as const) {
      expect(await request(nodes.first, method, path, key, method === 'GET' ? undefined : {})).toMatchObject(FORBIDDEN)
      expect(await request(nodes.first, method, path)).toMatchObject(UNAUTHORIZED)
    }
  })
})

describe('messages', () => {
  test('6 GET /message?limit=1&since=0: the newest, and none in an empty inbox', async () => {
    expect((await get('/message?limit=1&since=0')).body).toEqual({
      paging: { size: 0, since: 0, limit: 1 },
      messages: [],
    })
    await send()
    const newest = await send({ title: 'Newest' })
    const { body } = await get('/message?limit=1&since=0')
    expect(body.messages).toEqual([
      {
        id: newest,
        appid: 2 ** 31 - 1,
        title: 'Newest',
        message: 'done',
        priority: 5,
        extras: { 'client::display': { contentType: 'text/plain' } },
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*Z$/),
      },
    ])
  })

  test('9 pages, newest first, with ids below since; the last page has no next', async () => {
    const ids: number[] = []
    for (let i = 0; i < 5; i++) ids.push(await send())
    const first = (await get('/message?limit=2')).body
    expect(first.messages.map(({ id }: GotifyMessage) => id)).toEqual([ids[4], ids[3]])
    expect(first.paging).toEqual({ size: 2, since: ids[3], limit: 2, next: `/message?limit=2&since=${ids[3]}` })
    const second = (await get(first.paging.next)).body
    expect(second.messages.map(({ id }: GotifyMessage) => id)).toEqual([ids[2], ids[1]])
    const last = (await get(second.paging.next)).body
    expect(last.messages.map(({ id }: GotifyMessage) => id)).toEqual([ids[0]])
    expect(last.paging).toEqual({ size: 1, since: 0, limit: 2 })
    expect((await get('/message')).body.paging).toEqual({ size: 5, since: 0, limit: 100 })
  })

  test('9 of one application, and of all other senders', async () => {
    const { body } = await nodes.first.post('/integrations/keys', { name: 'Kuma' }, user.token)
    const own = [await send({}, body.key), await send({}, body.key)]
    const others = await send()
    const kuma = (await messages()).find(({ id }) => id === own[0])?.appid as number
    const { body: page } = await get(`/application/${kuma}/message?limit=1`)
    expect(page.messages.map(({ id }: GotifyMessage) => id)).toEqual([own[1]])
    expect(page.paging.next).toBe(`/application/${kuma}/message?limit=1&since=${own[1]}`)
    expect((await messages(page.paging.next)).map(({ id }) => id)).toEqual([own[0]])
    expect((await messages(`/application/${2 ** 31 - 1}/message`)).map(({ id }) => id)).toEqual([others])
    await nodes.first.del(`/integrations/keys/${body.id}`, user.token)
    expect(new Set((await messages()).map(({ appid }) => appid))).toEqual(new Set([2 ** 31 - 1]))
    expect(await messages(`/application/${2 ** 31 - 1}/message`)).toHaveLength(3)
  })

  test.each([
    ['limit=0', "Field 'limit' must be more or equal to 1"],
    ['limit=-3', "Field 'limit' must be more or equal to 1"],
    ['limit=201', "Field 'limit' must be less or equal to 200"],
    ['limit=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['since=-1', 'strconv.ParseUint: parsing "-1": invalid syntax'],
  ])('400 for %s', async (query, description) => {
    expect(await get(`/message?${query}`)).toMatchObject(error(400, 'Bad Request', description))
  })

  test('404 for an application that does not exist or is another account’s', async () => {
    const other = await nodes.first.addUser()
    const foreign = await addGotifyDevice(nodes.first, other)
    const [application] = (await get('/application', basic('x', foreign.password))).body
    for (const id of [987_654, application.id]) {
      const missing = error(404, 'Not Found', 'application does not exist')
      expect(await get(`/application/${id}/message`)).toMatchObject(missing)
      expect(await del(`/application/${id}/message`)).toMatchObject(missing)
    }
    expect(await get('/nothing')).toMatchObject(error(404, 'Not Found', 'page not found'))
  })

  test('a message of Gotify is given back as it was sent, its long text whole', async () => {
    const extras = {
      'client::display': { contentType: 'text/markdown' },
      'android::action': { onReceive: { intentUrl: 'x-app://open' } },
    }
    const sent = { title: 'Long', message: `**${'x'.repeat(9000)}**`, priority: 7, extras }
    const answer = await request(nodes.first, 'POST', `/message?token=${user.defaultKey}`, {}, sent)
    expect(await messages()).toEqual([answer.body])
    await request(nodes.first, 'POST', `/message?token=${user.defaultKey}`, {}, { message: 'short' })
    expect((await messages())[0]).toMatchObject({ title: 'Default', message: 'short', priority: 5 })
  })

  test('a page of very large messages is cut, and the next page continues', async () => {
    const message = 'x'.repeat(700_000)
    for (let i = 0; i < 3; i++) {
      await request(nodes.first, 'POST', `/message?token=${user.defaultKey}`, {}, { message })
    }
    const seen: number[] = []
    for (let path: string | undefined = '/message?limit=10'; path; ) {
      const { body } = await get(path)
      seen.push(...body.messages.map(({ id }: GotifyMessage) => id))
      expect(body.messages).toHaveLength(1)
      path = body.paging.next
    }
    expect(new Set(seen).size).toBe(3)
  })

  test.each([
    ['passive', 2],
    ['active', 5],
    ['time-sensitive', 8],
    ['critical', 10],
  ])('the level %s has the priority %i', async (level, priority) => {
    await send({ level })
    expect((await messages())[0]?.priority).toBe(priority)
  })

  test('link and picture are in the extras', async () => {
    await send({ url: 'https://a.example/1', media: { url: 'https://a.example/1.png', type: 'image' } })
    expect((await messages())[0]?.extras).toEqual({
      'client::display': { contentType: 'text/plain' },
      'client::notification': { click: { url: 'https://a.example/1' }, bigImageUrl: 'https://a.example/1.png' },
    })
  })

  test('buttons become a link to the answer page, which names the device; marks in the text stay text', async () => {
    const actions = [
      { id: 'yes', title: 'Yes [now]' },
      { id: 'say', title: 'Reply', text_input: true },
      { id: 'log', title: 'Log', url: 'https://a.example/(1)', foreground: true },
    ]
    const id = await send({ body: 'a_b *c*\nsecond', url: 'https://a.example/2', actions })
    const [message] = (await messages()) as [GotifyMessage]
    const link = message.extras?.['client::notification']?.click as { url: string }
    expect(link.url).toMatch(new RegExp(`^${nodes.first.url}/answers/[\\w-]{32}\\?device=${device.device.id}$`))
    expect(message.extras?.['client::display']).toEqual({ contentType: 'text/markdown' })
    expect(message.message).toBe(
      [
        'a\\_b \\*c\\*  \nsecond',
        `[Yes \\[now\\] · Reply](${link.url})`,
        '[https://a.example/2](https://a.example/2)',
        '[Log](https://a.example/%281%29)',
      ].join('\n\n'),
    )
    const page = await fetch(link.url, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('Yes [now]</button>')
    await fetch(`${link.url.replace(/\?.*/, '')}/form`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ action_id: 'yes', device_id: device.device.id }),
    })
    const { items } = (await nodes.first.get(`/notifications/${id}/timeline`, user.token)).body
    expect(items.at(-1)).toMatchObject({ event: 'answered', device: 'Pixel', detail: 'yes' })
  })
})

describe('deletion', () => {
  test('10 DELETE /message/{id}: 200 and empty, then 404; the notification is gone from the inbox', async () => {
    const id = await send()
    expect(await del(`/message/${id}`)).toMatchObject({ status: 200, text: '' })
    expect(await del(`/message/${id}`)).toMatchObject(error(404, 'Not Found', 'message does not exist'))
    expect((await nodes.first.get(`/notifications/${id}`, user.token)).status).toBe(404)
    expect(await del('/message/x')).toMatchObject(error(400, 'Bad Request', 'invalid id'))
  })

  test('10 DELETE /message deletes all, in batches; those of other accounts stay', async () => {
    const other = await nodes.first.addUser()
    const foreign = await send({}, other.token)
    for (let i = 0; i < 60; i++) await send()
    expect(await del('/message')).toMatchObject({ status: 200, text: '' })
    expect(await messages()).toEqual([])
    expect((await nodes.first.get('/notifications/unread-count', user.token)).body).toEqual({ count: 0 })
    expect((await nodes.first.get(`/notifications/${foreign}`, other.token)).status).toBe(200)
    expect((await del(`/message/${foreign}`)).status).toBe(404)
  })

  test('10 DELETE /application/{id}/message deletes those of one key', async () => {
    const { body } = await nodes.first.post('/integrations/keys', { name: 'Kuma' }, user.token)
    const own = await send({}, body.key)
    const kept = await send()
    const kuma = (await messages()).find(({ id }) => id === own)?.appid
    expect((await del(`/application/${kuma}/message`)).status).toBe(200)
    expect((await messages()).map(({ id }) => id)).toEqual([kept])
  })
})

describe.skipIf(sqliteSuffices())('who may receive', () => {
  const PATHS = ['/current/user', '/client', '/application', '/message']

  test('403 for keys, their aliases and full-access tokens, which send', async () => {
    const { body } = await nodes.first.post('/integrations/keys', { name: 'Kuma' }, user.token)
    const alias = await nodes.first.post(`/integrations/keys/${body.id}/aliases`, { door: 'gotify' }, user.token)
    for (const token of [user.defaultKey, user.token, alias.body.token]) {
      for (const path of PATHS) expect(await get(`${path}?token=${token}`, {})).toMatchObject(FORBIDDEN)
    }
  })

  test('403 for the app of ntfy, and for an app that sends', async () => {
    const ntfy = (await nodes.first.post('/devices/apps', { kind: 'ntfy', name: 'P' }, user.token)).body
    for (const path of PATHS) expect(await get(path, basic('x', ntfy.password))).toMatchObject(FORBIDDEN)
    const sent = await request(nodes.first, 'POST', '/message', key, { message: 'hello', appid: 1 })
    expect(sent).toMatchObject(FORBIDDEN)
  })

  test('the token of a client calls nothing of the API', async () => {
    const token = key['x-gotify-key'] as string
    for (const path of ['/notifications', '/auth/me', '/devices', '/events']) {
      expect((await nodes.first.get(path, token)).status).toBe(401)
      expect((await nodes.first.get(path, device.password)).status).toBe(403)
    }
  })
})

describe.skipIf(sqliteSuffices())('at a host name of its own', () => {
  // fetch does not send a Host header of the caller's choice.
  const getAt = (app: TestApp, host: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const sent = httpRequest(`${app.url}${path}`, { headers: { ...headers, host } }, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode, text })
      })
      sent.on('error', reject).end()
    })

  test('the interface is at the root, and so is the answer page that its links lead to', async () => {
    const named = await startTestApp({ HELIOGRAPH_GOTIFY_HOST: 'gotify.example' })
    onTestFinished(() => named.stop())
    const owner = await named.addUser()
    const { password } = await addGotifyDevice(named, owner)
    const asking = { title: 'Deploy?', body: 'v2', push: false, actions: [{ id: 'yes', title: 'Yes' }] }
    await named.post('/notifications', asking, owner.token)
    const { status, text } = await getAt(named, 'gotify.example', '/message', basic('x', password))
    expect(status).toBe(200)
    const [message] = JSON.parse(text).messages
    const link = new URL(message.extras['client::notification'].click.url)
    expect(link.host).toBe('gotify.example')
    const page = await getAt(named, link.host, `${link.pathname}${link.search}`, { accept: 'text/html' })
    expect([page.status, page.text.includes('Yes</button>')]).toEqual([200, true])
  })
})
