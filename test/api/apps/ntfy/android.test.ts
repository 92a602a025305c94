// The requests of the ntfy app for Android (1.25.0), in its order and with its headers.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../support/app.ts'
import { addApp, appHeaders, openNtfy, openNtfySocket, pollNtfy } from '../../../support/devices/app-streams.ts'
import { eventually } from '../../../support/eventually.ts'

const app = useTestApp()

const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${app.url}/ntfy/${path}`, { headers })

describe('1. adding a subscription', () => {
  test('GET /{topic}/auth: 403 without a user, then 200 with one', async () => {
    const user = await app.addUser()
    const device = await addApp(app, user)
    expect((await ask('inbox/auth')).status).toBe(403)
    const allowed = await ask('inbox/auth', appHeaders(device))
    expect([allowed.status, await allowed.json()]).toEqual([200, { success: true }])
    const wrong = appHeaders({ ...device, password: 'aaaa-bbbb-cccc-dddd' })
    expect((await ask('inbox/auth', wrong)).status).toBe(401)
  })

  test('the address may end with a slash: GET //{topic}/auth', async () => {
    const device = await addApp(app, await app.addUser())
    expect((await ask('/inbox/auth', appHeaders(device))).status).toBe(200)
  })

  test('the console sees that the app has been here', async () => {
    const user = await app.addUser()
    const device = await addApp(app, user)
    app.advanceSeconds(5)
    await ask('inbox/auth', appHeaders(device))
    const [seen] = (await app.get('/devices', user.token)).body.items
    expect(Date.parse(seen.last_seen_at)).toBe(Date.parse(seen.created_at) + 5000)
  })
})

describe('2. fetching what was missed', () => {
  test('GET /{topic}/json?poll=1&since=all: an empty body, then one line per message, then only newer ones', async () => {
    const user = await app.addUser()
    const device = await addApp(app, user)
    const path = 'inbox/json?poll=1&since='
    const empty = await ask(`${path}all`, appHeaders(device))
    expect([empty.status, await empty.text(), empty.headers.get('content-type')]).toEqual([
      200,
      '',
      'application/x-ndjson; charset=utf-8',
    ])
    await app.post('/notifications', { title: 'One', body: 'first' }, user.token)
    await app.post('/notifications', { title: 'Two', body: 'second', level: 'critical' }, user.token)
    const [one, two, ...rest] = await pollNtfy(app, device, `${path}all`)
    expect(rest).toEqual([])
    expect(one).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
      sequence_id: expect.stringMatching(/^[-_0-9A-Za-z]{1,64}$/),
      time: Math.floor(app.clock.now() / 1000),
      expires: expect.any(Number),
      event: 'message',
      topic: 'inbox',
      title: 'One',
      message: 'first',
      priority: 3,
    })
    expect(two).toMatchObject({ title: 'Two', priority: 5 })
    expect(await pollNtfy(app, device, path + one.id)).toEqual([two])
    expect(await pollNtfy(app, device, path + two.id)).toEqual([])
    expect(await pollNtfy(app, device, `${path}unknown00000`)).toEqual([one, two])
  })
})

describe('3. the live stream', () => {
  test('GET /{a},{b}/json?since=none: headers, open, then messages as they come; delivery counts the app', async () => {
    const user = await app.addUser()
    const device = await addApp(app, user)
    const stream = await openNtfy(app, device, 'inbox,backup/json?since=none')
    expect(stream.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    expect(stream.headers.get('content-encoding')).toBeNull()
    expect(stream.opened).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
      time: expect.any(Number),
      event: 'open',
      topic: 'inbox,backup',
    })
    const sent = await app.post('/notifications', { title: 'T', body: 'B', source: 'backup' }, user.token)
    expect(sent.body).toMatchObject({ delivery: 'all' })
    const { items } = (await app.get(`/notifications/${sent.body.id}/timeline`, user.token)).body
    expect(items.at(-1)).toMatchObject({ event: 'push_accepted', device: 'Pixel', detail: 'delivered to the app' })
    await eventually(() => expect(stream.lines).toHaveLength(1))
    expect(stream.lines[0]).toMatchObject({ event: 'message', topic: 'backup', title: 'T', message: 'B' })
    stream.close()
  })

  test('since is the last id of any topic on this server, in one order', async () => {
    const user = await app.addUser()
    const device = await addApp(app, user)
    const send = (title: string, source: string) => app.post('/notifications', { title, body: 'B', source }, user.token)
    await send('1', 'a')
    await send('2', 'b')
    await send('3', 'a')
    const [first] = await pollNtfy(app, device, 'a/json?poll=1&since=all')
    const stream = await openNtfy(app, device, `b,a/json?since=${first.id}`)
    await eventually(() =>
      expect(stream.lines.map(({ title, topic }) => [title, topic])).toEqual([
        ['2', 'b'],
        ['3', 'a'],
      ]),
    )
    stream.close()
  })

  test('a keepalive line every 45 s and never a blank one', async () => {
    const device = await addApp(app, await app.addUser())
    const stream = await openNtfy(app, device, 'inbox/json?since=none')
    for (const count of [1, 2]) {
      // The stream begins to wait after its first line.
      await eventually(() => {
        app.advanceSeconds(45)
        expect(stream.lines.length).toBeGreaterThanOrEqual(count)
      })
    }
    expect(stream.lines[0]).toEqual({
      id: expect.any(String),
      time: expect.any(Number),
      event: 'keepalive',
      topic: 'inbox',
    })
    stream.close()
  })

  test('GET /{topics}/ws: open, what was missed, then messages as they come', async () => {
    const user = await app.addUser()
    const device = await addApp(app, user)
    await app.post('/notifications', { title: 'Missed', body: 'B' }, user.token)
    const socket = await openNtfySocket(app, device, 'inbox/ws?since=all')
    await app.post('/notifications', { title: 'Live', body: 'B' }, user.token)
    await eventually(() => expect(socket.frames).toHaveLength(3))
    expect(socket.frames.map(({ event, title }) => title ?? event)).toEqual(['open', 'Missed', 'Live'])
    expect(socket.frames[1]).toHaveProperty('sequence_id')
    socket.close()
  })

  test('401 and 403 on /ws are statuses, and 400 40016 without an upgrade', async () => {
    const device = await addApp(app, await app.addUser())
    const plain = await ask('inbox/ws', appHeaders(device))
    expect([plain.status, ((await plain.json()) as { code: number }).code]).toEqual([400, 40016])
    await expect(openNtfySocket(app, { ...device, password: 'x' }, 'inbox/ws')).rejects.toThrow()
  })
})
