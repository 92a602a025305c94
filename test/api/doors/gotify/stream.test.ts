// The stream of Gotify's apps: frames, repeats, revocation, and what the app loads after a reconnect.
import { request as httpRequest } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApp, TestUser } from '../../../support/app.ts'
import { eventually } from '../../../support/eventually.ts'
import { useTestNodes } from '../../../support/nodes.ts'
import { addGotifyDevice, type GotifyMessage, logIn, openStream, request } from './phone.ts'

const nodes = useTestNodes()
let user: TestUser
let device: { device: { id: string }; user: string; password: string }
let token: string
beforeEach(async () => {
  user = await nodes.first.addUser()
  device = await addGotifyDevice(nodes.first, user)
  token = await logIn(nodes.first, device)
})

async function send(members: object = {}, node: TestApp = nodes.first): Promise<number> {
  const sent = await node.post('/notifications', { title: 'Backup', body: 'done', ...members }, user.token)
  expect(sent.status).toBe(201)
  return sent.body.id
}

const list = async (path: string) => (await request(nodes.first, 'GET', path, { 'x-gotify-key': token })).body

// The status of a request for the stream that is refused.
function upgradeStatus(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(`${nodes.first.url}/gotify${path}`, { headers, agent: false })
    call.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    call.on('upgrade', (_response, socket) => {
      socket.destroy()
      resolve(101)
    })
    call.on('error', reject)
    call.end()
  })
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

describe('GET /stream', () => {
  test('7 a frame per message, the same as in the list; nothing on connect and nothing of before', async () => {
    await send({ title: 'Before' })
    const stream = await openStream(nodes.first, token)
    const ids = [await send({ level: 'critical' }), await send({ actions: [{ id: 'yes', title: 'Yes' }] })]
    const frames = await stream.received(2)
    expect(frames.map(({ id }) => id)).toEqual(ids)
    expect((await list('/message?limit=2')).messages).toEqual(frames.toReversed())
  })

  test('7 a message from another node arrives', async () => {
    const stream = await openStream(nodes.first, token)
    const id = await send({}, nodes.all.at(-1))
    expect((await stream.received(1))[0]?.id).toBe(id)
  })

  test('a notification that is not pushed arrives without a sound', async () => {
    const stream = await openStream(nodes.first, token)
    await send({ push: false, level: 'critical' })
    expect((await stream.received(1))[0]?.priority).toBe(1)
  })

  test('delivery counts the app while it is connected', async () => {
    expect((await nodes.first.post('/notifications', { title: 'A', body: 'b' }, user.token)).body.delivery).toBe('none')
    const stream = await openStream(nodes.first, token)
    const sent = await nodes.first.post('/notifications', { title: 'A', body: 'b' }, user.token)
    await stream.received(1)
    await eventually(async () => {
      const { items } = (await nodes.first.get(`/notifications/${sent.body.id}/timeline`, user.token)).body
      expect(items.some(({ device }: { device?: string }) => device === 'Pixel')).toBe(true)
    })
  })

  test('an alert is loud, and each repeat is a new message with a higher id that deletes the alert', async () => {
    const stream = await openStream(nodes.first, token)
    const id = await send({ acknowledge: { repeat_seconds: 60 } })
    const other = await send({ title: 'Other' })
    await stream.received(2)
    for (const repeat of [1, 2]) {
      nodes.first.advanceSeconds(61)
      await nodes.first.runDueJobs()
      await stream.received(2 + repeat)
    }
    const [alert, , first, second] = stream.messages as [GotifyMessage, GotifyMessage, GotifyMessage, GotifyMessage]
    expect([alert.id, alert.priority, first.priority]).toEqual([id, 8, 8])
    expect(first.id).toBeGreaterThan(other)
    expect(second.id).toBeGreaterThan(first.id)
    expect([second.title, second.extras]).toEqual([alert.title, alert.extras])
    expect(await send()).toBeGreaterThan(second.id)
    const deleted = await request(nodes.first, 'DELETE', `/message/${second.id}`, { 'x-gotify-key': token })
    expect(deleted.status).toBe(200)
    expect((await nodes.first.get(`/notifications/receipts/${id}`, user.token)).body.status).toBe('canceled')
  })

  test('two phones get the same number for a repeat', async () => {
    const tablet = await logIn(nodes.first, await addGotifyDevice(nodes.first, user, 'Tablet'))
    const streams = [await openStream(nodes.first, token), await openStream(nodes.all.at(-1) as TestApp, tablet)]
    await send({ acknowledge: { repeat_seconds: 60 } })
    for (const stream of streams) await stream.received(1)
    nodes.first.advanceSeconds(61)
    await nodes.first.runDueJobs()
    const ids = await Promise.all(streams.map(async (stream) => (await stream.received(2))[1]?.id))
    expect(ids[0]).toBe(ids[1])
  })

  test('reconnect: the app pages back to the last id it has seen and misses nothing', async () => {
    const first = await openStream(nodes.first, token)
    const lastSeen = await send()
    await first.received(1)
    first.close()
    await first.ended
    const missed = []
    for (let i = 0; i < 12; i++) missed.push(await send({ push: false }))
    await openStream(nodes.first, token)
    const found: number[] = []
    for (let since: number | undefined; ; ) {
      const page = await list(`/message?limit=10${since === undefined ? '' : `&since=${since}`}`)
      const ids = page.messages.map(({ id }: GotifyMessage) => id)
      found.push(...ids.filter((id: number) => id > lastSeen))
      if (ids.some((id: number) => id <= lastSeen) || page.paging.next === undefined) break
      since = page.paging.since
    }
    expect(found.toReversed()).toEqual(missed)
  })

  test('12 log-out ends the stream of this client, by a drop, and not that of another phone', async () => {
    const tablet = await logIn(nodes.first, await addGotifyDevice(nodes.first, user, 'Tablet'))
    const streams = [
      await openStream(nodes.all.at(-1) as TestApp, token),
      await openStream(nodes.first, tablet),
    ] as const
    // Gotify says nothing when a stream is open; the first message shows that it is followed.
    await send()
    for (const stream of streams) await stream.received(1)
    const [client] = (await request(nodes.first, 'GET', '/client', { 'x-gotify-key': token })).body
    await request(nodes.first, 'DELETE', `/client/${client.id}`, { 'x-gotify-key': token })
    expect(await streams[0].ended).toEqual({ code: 1006, wasClean: false })
    await send()
    await streams[1].received(2)
  })

  test('the deletion of the device ends its streams on every node', async () => {
    const streams = await Promise.all(nodes.all.map((node) => openStream(node, token)))
    await send()
    for (const stream of streams) await stream.received(1)
    await nodes.first.del(`/devices/${device.device.id}`, user.token)
    for (const stream of streams) expect((await stream.ended).wasClean).toBe(false)
  })

  test('401 without a known token, 403 for a key, 400 without an upgrade, before the protocol changes', async () => {
    expect(await upgradeStatus(`/stream?token=${token}`, UPGRADE)).toBe(101)
    expect(await upgradeStatus('/stream', UPGRADE)).toBe(401)
    expect(await upgradeStatus(`/stream?token=C${'x'.repeat(14)}`, UPGRADE)).toBe(401)
    expect(await upgradeStatus(`/stream?token=${user.defaultKey}`, UPGRADE)).toBe(403)
    expect(await upgradeStatus(`/stream?token=${token}`, {})).toBe(400)
  })

  test('streams that open one after the other are not taken for guessed tokens', async () => {
    for (let i = 0; i < 25; i++) expect(await upgradeStatus(`/stream?token=${token}`, UPGRADE)).toBe(101)
  })
})
