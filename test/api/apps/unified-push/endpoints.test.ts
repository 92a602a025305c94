// UnifiedPush: the ntfy app of a phone makes this server the push server of other apps on the phone.
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashToken } from '../../../../src/domain/token.ts'
import { postToEndpoint } from '../../../../src/operations/doors/ntfy/unified-push.ts'
import { findEndpointByName } from '../../../../src/store/apps/push-endpoints.ts'
import { startTestApp, useTestApp } from '../../../support/app.ts'
import { isPostgres } from '../../../support/database/database.ts'
import { type AppDevice, addApp, appHeaders, openNtfy } from '../../../support/devices/app-streams.ts'
import {
  addEndpoint as endpointOf,
  newName,
  poll as pollFor,
  post as postTo,
  vapidSender,
} from '../../../support/devices/unified-push.ts'
import { eventually } from '../../../support/eventually.ts'
import { expectProblem } from '../../../support/expect-problem.ts'

const app = useTestApp({ HELIOGRAPH_UNIFIEDPUSH: 'on' })

const ask = (
  method: string,
  path: string,
  init: { raw?: string | Uint8Array; headers?: Record<string, string> } = {},
) => app.call(method, path, init)
const post = (name: string, body?: string | Uint8Array, headers?: Record<string, string>) =>
  postTo(app, name, body, headers)
const poll = (device: AppDevice, name: string, since?: string) => pollFor(app, device, name, since)
const addEndpoint = () => endpointOf(app)

describe('discovery', () => {
  test('200 for any name of the shape, and the gateway for Matrix', async () => {
    expect((await ask('GET', `/ntfy/${newName()}?up=1`)).body).toEqual({ unifiedpush: { version: 1 } })
    expect((await ask('GET', '/_matrix/push/v1/notify')).body).toEqual({ unifiedpush: { gateway: 'matrix' } })
    expect((await ask('GET', '/ntfy/updates?up=1')).status).toBe(404)
  })

  test('404 for everything while it is off, which is the default without a host for ntfy', async () => {
    const off = await startTestApp()
    try {
      expect((await off.get(`/ntfy/${newName()}?up=1`)).body.code).toBe(40401)
      expect((await off.call('POST', `/ntfy/${newName()}`, { raw: 'x' })).body.code).toBe(40401)
      expect((await off.get('/_matrix/push/v1/notify')).status).toBe(404)
    } finally {
      await off.stop()
    }
  })
})

describe('a message', () => {
  test.each(['json', 'sse', 'ws'])('201 without credentials; its bytes arrive as they are over /%s', async (format) => {
    const { device, name, user } = await addEndpoint()
    const bytes = randomBytes(4096)
    const received: string[] = []
    const closing = await listen(device, name, format, (data) => received.push(data))
    const answer = await post(name, bytes)
    expect(answer).toMatchObject({ status: 201, body: { event: 'message', topic: name } })
    expect(answer.headers.get('ttl')).toBe('60')
    expect(answer.headers.get('location')).toMatch(/\/ntfy\/message\//)
    expect((await ask('GET', new URL(answer.headers.get('location') ?? '').pathname)).status).toBe(404)
    await eventually(() => expect(received).toHaveLength(1))
    const [message] = received.map((line) => JSON.parse(line))
    expect(message).toMatchObject({ event: 'message', topic: name, encoding: 'base64' })
    expect(Buffer.from(message.message, 'base64').equals(bytes)).toBe(true)
    closing()
    expect((await app.get('/notifications', user.token)).body.items).toEqual([])
    expect(await poll(device, 'inbox')).toEqual([])
  })

  test('is not in GET /events', async () => {
    const { user, name } = await addEndpoint()
    const answer = await fetch(`${app.url}/events`, {
      headers: { authorization: `Bearer ${user.token}`, 'last-event-id': '0' },
      signal: AbortSignal.timeout(600_000),
    })
    await post(name)
    await app.post('/notifications', { title: 'Seen', body: 'b' }, user.token)
    let seen = ''
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
      seen += Buffer.from(piece).toString()
      if (seen.includes('notification.created')) break
    }
    expect(seen).not.toContain('push.received')
  })

  test('waits for the app; since= repeats it and goes on after it', async () => {
    const { device, name } = await addEndpoint()
    await post(name, 'one')
    await post(name, 'two', { urgency: 'high' })
    const messages = await poll(device, name)
    expect(messages).toMatchObject([
      { message: 'one', priority: 3 },
      { message: 'two', priority: 4 },
    ])
    expect(await poll(device, name, messages[0].id)).toMatchObject([{ message: 'two' }])
  })

  test('its Topic takes the place of one that waits; a TTL that has passed, and 0 without a connection, leave nothing', async () => {
    const { device, name } = await addEndpoint()
    await post(name, 'old', { topic: 'count' })
    await post(name, 'new', { topic: 'count' })
    expect((await post(name, 'now or never', { ttl: '0' })).status).toBe(201)
    expect(await poll(device, name)).toMatchObject([{ message: 'new' }])
    app.advanceSeconds(61)
    expect(await poll(device, name)).toEqual([])
  })

  test('with credentials of ours it is an ordinary one', async () => {
    const { user, name } = await addEndpoint()
    const headers = { authorization: `Bearer ${user.defaultKey}` }
    expect((await ask('POST', `/ntfy/${name}`, { raw: 'mine', headers })).status).toBe(200)
    expect((await app.get('/notifications', user.token)).body.items).toMatchObject([{ body: 'mine', source: name }])
  })

  test('the name of a source becomes no endpoint', async () => {
    const user = await app.addUser()
    const device = await addApp(app, user)
    await app.post('/notifications', { title: 'T', body: 'b', source: 'upsmonitoring1' }, user.token)
    expect(await poll(device, 'upsmonitoring1')).toMatchObject([{ title: 'T' }])
    expect((await post('upsmonitoring1')).body.code).toBe(50701)
  })
})

describe('a refusal', () => {
  test('507 for a name that nobody has asked for, and 429 after many of them', async () => {
    const answers = []
    app.advanceSeconds(61)
    for (let i = 0; i < 31; i++) answers.push((await post(newName())).status)
    expect(answers.slice(0, 30)).toEqual(Array(30).fill(507))
    expect(answers.at(-1)).toBe(429)
    app.advanceSeconds(61)
  })

  test('404 once the phone is removed or the owner has ended the endpoint, again and again', async () => {
    const { user, device, name } = await addEndpoint()
    await app.del(`/devices/${device.id}`, user.token)
    for (let i = 0; i < 2; i++) expect((await post(name)).body).toMatchObject({ code: 40401 })
    const other = await addEndpoint()
    const path = `/devices/${other.device.id}/push-endpoints`
    const [endpoint] = (await app.get(path, other.user.token)).body.items
    expect(endpoint).toMatchObject({ prefix: other.name.slice(0, 6), messages_today: 0, pinned: false })
    expect((await app.del(`${path}/${endpoint.id}`, other.user.token)).status).toBe(204)
    expect((await post(other.name)).status).toBe(404)
    expectProblem(await app.del(`${path}/${endpoint.id}`, other.user.token), 404, 'device.endpoint_not_found')
  })

  test('404 if the app has connected for a day without asking for it', async () => {
    const { device, name } = await addEndpoint()
    for (let hours = 0; hours < 24; hours += 8) {
      app.advanceSeconds(8 * 3600 + 1)
      expect((await post(name)).status).toBe(201)
      await poll(device, 'inbox')
    }
    expect((await post(name)).status).toBe(404)
  })

  test('201 if the phone was away for days: it asks for one topic after the other when it is back', async () => {
    const { device, name } = await addEndpoint()
    app.advanceSeconds(5 * 86_400)
    await poll(device, 'inbox')
    expect((await post(name)).status).toBe(201)
    app.advanceSeconds(80_000)
    await poll(device, 'inbox')
    app.advanceSeconds(10_000)
    await poll(device, 'inbox')
    expect((await post(name)).status).toBe(404)
  })

  test('201 if it asks for it again within a day', async () => {
    const { device, name } = await addEndpoint()
    app.advanceSeconds(80_000)
    await poll(device, name)
    app.advanceSeconds(80_000)
    await poll(device, 'inbox')
    expect((await post(name)).status).toBe(201)
  })

  test('a connection that stays open asks for its names all that time', async () => {
    const { device, name } = await addEndpoint()
    const stream = await openNtfy(app, device, `inbox,${name}/json`)
    try {
      app.advanceSeconds(3700)
      await eventually(async () => {
        const endpoint = await findEndpointByName(app.app.ctx.db.read, hashToken(name))
        expect(endpoint?.seenAt).toBeGreaterThan(app.clock.now() - 200_000)
      })
      // Not one for each interval that the clock has skipped.
      await post(name)
      await eventually(() => expect(stream.messages()).toHaveLength(1))
      expect(stream.lines.filter(({ event }) => event === 'keepalive')).toHaveLength(1)
    } finally {
      stream.close()
    }
  })

  test('400 without a body, 413 over 4096 bytes', async () => {
    const { name } = await addEndpoint()
    expect((await post(name, '')).status).toBe(400)
    expect((await post(name, randomBytes(4097))).body).toMatchObject({ code: 41302, http: 413 })
  })

  test('429 with Retry-After for a burst of more than 120, and later again 201', async () => {
    const { name } = await addEndpoint()
    const statuses = []
    for (let i = 0; i < 121; i++) statuses.push((await post(name)).status)
    expect(statuses.slice(0, 120).every((status) => status === 201)).toBe(true)
    expect(statuses[120]).toBe(429)
    app.advanceSeconds(2)
    expect((await post(name)).status).toBe(201)
  })

  // Not over HTTP, and not on PostgreSQL: there it is up to the operating system how many begin before the first is stored.
  test.skipIf(isPostgres())('429 for more than 20 posts that are being stored at the same time', async () => {
    const { name } = await addEndpoint()
    const message = { body: Buffer.from('x'), ttlSeconds: 60, priority: 3, vapid: { result: 'absent' } } as const
    const posts = Array.from({ length: 30 }, () => postToEndpoint(app.app.ctx, name, message))
    const results = (await Promise.all(posts)).map(({ result }) => result).sort()
    expect(results).toEqual([...Array(20).fill('accepted'), ...Array(10).fill('too_many')])
    expect((await post(name)).status).toBe(201)
  })

  test('a name belongs to the first who asked for it', async () => {
    const { name, device } = await addEndpoint()
    const other = await addApp(app, await app.addUser())
    expect(await poll(other, name)).toEqual([])
    await post(name, 'private')
    expect(await poll(other, name)).toEqual([])
    expect(await poll(device, name)).toHaveLength(1)
  })
})

describe('VAPID', () => {
  test('403 if it is not valid for this server; who sent is shown to the owner', async () => {
    const { user, device, name } = await addEndpoint()
    const sign = vapidSender(app)
    for (const wrong of [
      sign('https://other.example'),
      sign(app.url, { seconds: -1 }),
      sign(app.url, { seconds: 90_000 }),
      { authorization: 'vapid t=a.b.c, k=x' },
    ]) {
      expect((await post(name, 'x', wrong)).status).toBe(403)
    }
    expect((await post(name, 'x', sign())).status).toBe(201)
    const path = `/devices/${device.id}/push-endpoints`
    const [endpoint] = (await app.get(path, user.token)).body.items
    expect(endpoint).toMatchObject({ messages_today: 1, sender: { subject: 'mailto:a@example.org' } })
    app.advanceSeconds(86_400)
    expect((await app.get(path, user.token)).body.items[0].messages_today).toBe(0)
  })

  test('a pinned endpoint: 401 without, 403 with another key, 201 with the right one', async () => {
    const { user, device, name } = await addEndpoint()
    const [mine, other] = [vapidSender(app), vapidSender(app)]
    await post(name, 'x', mine())
    const path = `/devices/${device.id}/push-endpoints`
    const [endpoint] = (await app.get(path, user.token)).body.items
    expect((await app.patch(`${path}/${endpoint.id}`, { pinned: true }, user.token)).body.pinned).toBe(true)
    expect((await post(name)).status).toBe(401)
    expect((await post(name, 'x', other())).status).toBe(403)
    expect((await post(name, 'x', mine())).status).toBe(201)
  })
})

describe('the gateway for Matrix', () => {
  const notify = (pushkeys: string[]) => {
    const body = { notification: { event_id: '$1', devices: pushkeys.map((pushkey) => ({ pushkey })) } }
    return app.post('/_matrix/push/v1/notify', body)
  }
  const keyOf = (name: string) => `${app.url}/ntfy/${name}?up=1`

  test('200: every device of ours gets the document; those that are gone, and those of others, are rejected', async () => {
    const [one, gone] = [await addEndpoint(), await addEndpoint()]
    await app.del(`/devices/${gone.device.id}`, gone.user.token)
    const keys = [keyOf(one.name), keyOf(gone.name), 'https://other.example/upAAAAAAAAAAAA']
    const answer = await notify(keys)
    expect(answer).toMatchObject({ status: 200, body: { rejected: keys.slice(1) } })
    const [message] = await poll(one.device, one.name)
    expect(JSON.parse(message.message).notification.event_id).toBe('$1')
  })

  test('507 only if no device was served', async () => {
    expect((await notify([keyOf(newName())])).status).toBe(507)
    const { name } = await addEndpoint()
    const unknown = keyOf(newName())
    expect((await notify([keyOf(name), unknown])).body).toEqual({ rejected: [unknown] })
  })
})

async function listen(
  device: AppDevice,
  name: string,
  format: string,
  take: (data: string) => void,
): Promise<() => void> {
  if (format === 'json') {
    const stream = await openNtfy(app, device, `${name}/json`)
    void eventually(() => expect(stream.messages()).toHaveLength(1)).then(() =>
      take(JSON.stringify(stream.messages()[0])),
    )
    return () => stream.close()
  }
  if (format === 'ws') {
    const auth = Buffer.from(appHeaders(device).authorization ?? '').toString('base64url')
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/ntfy/${name}/ws?auth=${auth}`)
    await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
    socket.addEventListener('message', ({ data }) => take(String(data)))
    return () => socket.close()
  }
  const end = new AbortController()
  const answer = await fetch(`${app.url}/ntfy/${name}/sse`, { headers: appHeaders(device), signal: end.signal })
  const reading = (async () => {
    let text = ''
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(piece).toString()
      const [, data] = /^data: (\{.*"event":"message".*\})$/m.exec(text) ?? []
      if (data) {
        take(data)
        return
      }
    }
  })().catch(() => {})
  void reading
  return () => end.abort()
}
