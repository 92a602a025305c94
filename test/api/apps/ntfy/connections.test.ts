// Connections of apps: they end with the password on every node, resume after a restart, and slow ones are cut.
import { describe, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../../../src/contract/limits.ts'
import type { UserId } from '../../../../src/domain/caller.ts'
import type { NewEvent } from '../../../../src/domain/events.ts'
import type { NotificationId } from '../../../../src/domain/notifications/notification.ts'
import { sql } from '../../../../src/store/engine/sql.ts'
import { appendEvents } from '../../../../src/store/events/feeds.ts'
import { startTestApp, type TestApp, type TestUser } from '../../../support/app.ts'
import { createTestDatabase, sqliteSuffices } from '../../../support/database/database.ts'
import { type AppDevice, addApp, appHeaders, openNtfy, openNtfySocket } from '../../../support/devices/app-streams.ts'
import { openEvents } from '../../../support/event-reader.ts'
import { eventually } from '../../../support/eventually.ts'
import { createWatchedClock } from '../../../support/fakes/watched-clock.ts'
import { nightlyTest } from '../../../support/nightly.ts'
import { useTestNodes } from '../../../support/nodes.ts'
import { openSocket } from '../../../support/raw-http.ts'

const nodes = useTestNodes()

const send = (app: TestApp, { token }: TestUser, title: string) =>
  app.post('/notifications', { title, body: 'B' }, token)

describe('revocation', () => {
  test('deleting the device ends its streams on every node, and those of no other device', async () => {
    const { first, all } = nodes
    const user = await first.addUser()
    const [lost, kept] = [await addApp(first, user), await addApp(first, user)]
    const streams = await Promise.all(all.map((node) => openNtfy(node, lost, 'inbox/json')))
    const sockets = await Promise.all(all.map((node) => openNtfySocket(node, lost, 'inbox/ws')))
    const other = await openNtfy(first, kept, 'inbox/json')
    // The clock stands still, so this is not the look once a second.
    await first.del(`/devices/${lost.id}`, user.token)
    await Promise.all(streams.map(({ ended }) => ended))
    // Without a close frame: the app of Android would not notice one.
    for (const { closed } of sockets) expect(await closed).toEqual({ code: 1006, wasClean: false })
    const answer = await fetch(`${first.url}/ntfy/inbox/json`, { headers: appHeaders(lost) })
    expect(answer.status).toBe(401)
    await send(first, user, 'T')
    await eventually(() => expect(other.messages()).toHaveLength(1))
    other.close()
  })

  test('one whose signal was lost is noticed within a second', async () => {
    const { first, all } = nodes
    const user = await first.addUser()
    const device = await addApp(first, user)
    const streams = await Promise.all(all.map((node) => openNtfy(node, device, 'inbox/json')))
    let open = streams.length
    for (const { ended } of streams) void ended.then(() => open--)
    await first.app.ctx.db.transact(async (tx) => tx.queue(sql`delete from tokens where device_id = ${device.id}`))
    expect(open).toBe(streams.length)
    first.advanceSeconds(1)
    await eventually(() => expect(open).toBe(0))
  })
})

describe('news', () => {
  test('of a send on one node reach apps on every node, which count as delivered', async () => {
    const { first, all } = nodes
    const user = await first.addUser()
    const streams = await Promise.all(all.map(async (node) => openNtfy(node, await addApp(first, user), 'inbox/json')))
    for (const node of all) expect((await send(node, user, 'T')).body).toMatchObject({ delivery: 'all' })
    for (const stream of streams) {
      await eventually(() => expect(stream.messages()).toHaveLength(all.length))
      stream.close()
    }
  })

  test('whose signal was lost arrive within a second', async () => {
    const { first } = nodes
    const user = await first.addUser()
    await send(first, user, 'T')
    const stream = await openNtfy(first, await addApp(first, user), 'inbox/json?since=all')
    await eventually(() => expect(stream.messages()).toHaveLength(1))
    await first.app.ctx.db.transact(async (tx) => {
      tx.queue(sql`insert into events (user_id, number, type, at, data) select user_id, last_event + 1,
        'notification.created', 0, (select min(data) from events where type = 'notification.created'
          and user_id = ${user.userId}) from feeds where user_id = ${user.userId}`)
      tx.queue(sql`update feeds set last_event = last_event + 1 where user_id = ${user.userId}`)
    })
    first.advanceSeconds(1)
    await eventually(() => expect(stream.messages()).toHaveLength(2))
    stream.close()
  })
})

describe('the number of connections', () => {
  const MOST = LIMITS.eventStream.maxOpen

  test('a new connection of a device takes the place of its oldest', async () => {
    const { first } = nodes
    const user = await first.addUser()
    const device = await addApp(first, user)
    const streams = []
    for (let i = 0; i < MOST; i++) streams.push(await openNtfy(first, device, 'inbox/json'))
    const newest = await openNtfy(first, device, 'inbox/json')
    await streams[0]?.ended
    await send(first, user, 'T')
    await eventually(() => expect(newest.messages()).toHaveLength(1))
    for (const stream of [...streams, newest]) stream.close()
  })

  test('429 42903 if others have all of them', async () => {
    const { first } = nodes
    const user = await first.addUser()
    const device = await addApp(first, user)
    const others = await Promise.all(Array.from({ length: MOST }, () => openEvents(first.url, user.token)))
    const answer = await fetch(`${first.url}/ntfy/inbox/json`, { headers: appHeaders(device) })
    expect([answer.status, ((await answer.json()) as { code: number }).code]).toEqual([429, 42903])
    for (const other of others) other.close()
  })
})

describe.skipIf(sqliteSuffices())('an app that does not read', () => {
  test('is disconnected after 30 s, and resumes without a gap or a repeat', async () => {
    const { first } = nodes
    const user = await first.addUser()
    const device = await addApp(first, user)
    const count = 1000
    await fillFeed(first, user, count)
    const socket = await openSocket(first.url)
    onTestFinished(() => void socket.destroy())
    const head = [
      'GET /ntfy/inbox/json?since=all HTTP/1.1',
      'Host: x',
      `Authorization: ${appHeaders(device).authorization}`,
    ]
    socket.pause().write(`${head.join('\r\n')}\r\n\r\n`)
    const isConnected = async () => (await openStreams(first, device)) === 1
    await eventually(async () => expect(await isConnected()).toBe(true))
    await eventually(async () => {
      first.advanceSeconds(31)
      expect(await isConnected()).toBe(false)
    })
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => (received += text))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.resume()
    await closed
    const before = idsIn(received)
    expect(before.length).toBeGreaterThan(0)
    expect(before.length).toBeLessThan(count)
    const again = await openNtfy(first, device, `inbox/json?since=${before.at(-1)}`)
    await eventually(() => expect(again.lines.length).toBeGreaterThanOrEqual(count - before.length))
    again.close()
    const after = again.lines.map(({ id }) => id)
    expect(new Set([...before, ...after]).size).toBe(before.length + after.length)
    expect(before.length + after.length).toBe(count)
  })
})

describe.skipIf(sqliteSuffices())('a connection whose topic is quiet on a busy account', () => {
  // Messages for another topic, 20 s apart. A second connection tells when each has been looked at.
  async function makeNoise(app: TestApp, user: TestUser, seconds: number) {
    const all = await openNtfy(app, await addApp(app, user), 'inbox/json')
    onTestFinished(() => all.close())
    for (let second = 0; second < seconds; second += 20) {
      app.advanceSeconds(20)
      await app.post('/notifications', { title: String(second), body: 'B', source: 'noise' }, user.token)
      await eventually(() => expect(all.messages().at(-1)?.title).toBe(String(second)))
    }
  }

  test('gets a keepalive line every 45 s, as if nothing had been sent', async () => {
    const { first } = nodes
    const user = await first.addUser()
    const quiet = await openNtfy(first, await addApp(first, user), 'quiet/json')
    onTestFinished(() => quiet.close())
    await makeNoise(first, user, 60)
    await eventually(() => expect(quiet.lines).toMatchObject([{ event: 'keepalive' }]))
    await makeNoise(first, user, 60)
    await eventually(() => expect(quiet.lines).toMatchObject([{ event: 'keepalive' }, { event: 'keepalive' }]))
  })

  // Answers no ping by itself.
  async function openRawSocket(user: TestUser) {
    const { first } = nodes
    const { authorization = '' } = appHeaders(await addApp(first, user))
    const socket = await openSocket(first.url)
    onTestFinished(() => void socket.destroy())
    const head = [
      'GET /ntfy/quiet/ws HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==',
      `Authorization: ${authorization}`,
    ]
    const seen = { received: Buffer.alloc(0), isClosed: false }
    socket.on('data', (bytes) => (seen.received = Buffer.concat([seen.received, bytes])))
    socket.on('error', () => {}).on('close', () => (seen.isClosed = true))
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    await eventually(() => expect(seen.received.includes('"event":"open"')).toBe(true))
    seen.received = Buffer.alloc(0)
    return { socket, seen }
  }

  test('gets a ping on a WebSocket, which is dropped if it has not answered by the next one', async () => {
    const user = await nodes.first.addUser()
    const { seen } = await openRawSocket(user)
    // The frame of an empty ping.
    const ping = Buffer.from([0x89, 0])
    await makeNoise(nodes.first, user, 60)
    await eventually(() => expect(seen.received).toEqual(ping))
    await makeNoise(nodes.first, user, 60)
    await eventually(() => expect(seen.isClosed || seen.received.length > ping.length).toBe(true))
    expect([seen.isClosed, seen.received]).toEqual([true, ping])
  })

  test('has its WebSocket dropped if it sends more than apps do', async () => {
    const { socket, seen } = await openRawSocket(await nodes.first.addUser())
    // Frames of clients are masked, here with zeros. After the text of 65 bytes comes a ping, whose answer would show that the text
    // was taken.
    const mask = Buffer.alloc(4)
    socket.write(
      Buffer.concat([Buffer.from([0x81, 0x80 | 65]), mask, Buffer.alloc(65, 'x'), Buffer.from([0x89, 0x80]), mask]),
    )
    await eventually(() => expect(seen.isClosed || seen.received.includes(0x8a)).toBe(true))
    expect(seen.isClosed).toBe(true)
  })
})

test('after a jump of the clock, as of a machine that slept, the server looks after its connections once', async () => {
  const clock = createWatchedClock()
  const app = await startTestApp({}, undefined, { clock })
  onTestFinished(() => app.stop())
  const user = await app.addUser()
  const device = await addApp(app, user)
  const stream = await openNtfy(app, device, 'inbox/json')
  clock.alarmsMs.length = 0
  app.advanceSeconds(3600)
  await send(app, user, 'T')
  await eventually(() => expect(stream.messages()).toHaveLength(1))
  // Looks for lost signals are a second apart, renewals of leases ten.
  const regular = clock.alarmsMs.filter((ms) => ms === 1000 || ms === 10_000)
  expect(regular.length).toBeLessThan(10)
  await eventually(async () => expect(await isLeased(app, device)).toBe(true))
  stream.close()
})

const isLeased = async ({ app: { ctx }, clock }: TestApp, { id }: AppDevice): Promise<boolean> => {
  const query = sql`select id from event_streams where device_id = ${id} and expires_at > ${clock.now()}`
  return (await ctx.db.read.all(query)).length === 1
}

// So many messages of 25 KB, more than a connection buffers.
async function fillFeed(app: TestApp, user: TestUser, count: number): Promise<void> {
  const link = `https://a.example/${'u'.repeat(2000)}`
  const actions = ['a', 'b', 'c'].map((id) => ({ id, title: id, url: link, body: '€'.repeat(1024), method: 'POST' }))
  const { id } = (await app.post('/notifications', { title: 'T', body: '€'.repeat(4096), actions }, user.token)).body
  const event: NewEvent = { type: 'notification.created', at: app.clock.now(), data: { id: id as NotificationId } }
  for (let sent = 1; sent < count; sent += 111) {
    await app.app.ctx.db.transact((tx) => appendEvents(tx, user.userId as UserId, Array(111).fill(event)))
  }
}

const openStreams = async ({ app }: TestApp, { id }: AppDevice): Promise<number> => {
  const query = sql`select id from event_streams where device_id = ${id}`
  return (await app.ctx.db.read.all(query)).length
}

// The last line may be cut off.
const idsIn = (text: string): string[] =>
  text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => /^\{"id":"(e[0-9A-Za-z]{11})".*\}$/.exec(line)?.[1] ?? [])

describe.skipIf(sqliteSuffices())('a restart', () => {
  const restart = async (accounts: number, devicesEach: number) => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const before = await startTestApp({}, database)
    const phones: { user: TestUser; device: AppDevice }[] = []
    const users: TestUser[] = []
    for (let account = 0; account < accounts; account++) {
      const user = await before.addUser()
      users.push(user)
      for (let i = 0; i < devicesEach; i++) phones.push({ user, device: await addApp(before, user) })
    }
    const connections = await Promise.all(phones.map(({ device }, index) => open(before, device, index, 'none')))
    const sendAll = (app: TestApp, title: string) => Promise.all(users.map((user) => send(app, user, title)))
    await sendAll(before, '1')
    // Messages that are sent while the server stops are received before it has stopped, or afterwards.
    const sending = Promise.allSettled(users.map((user) => send(before, user, '2')))
    await eventually(() => expect(connections.every(({ received }) => received().length > 0)).toBe(true))
    await before.stop()
    const isSent = (await sending).map((result) => result.status === 'fulfilled' && result.value.status === 201)
    for (const { ended } of connections) await ended
    const after = await startTestApp({}, database)
    await sendAll(after, '3')
    const resumed = await Promise.all(
      phones.map(({ device }, index) =>
        open(after, device, index, connections[index]?.received().at(-1)?.id ?? 'none'),
      ),
    )
    await sendAll(after, '4')
    for (const [index, connection] of connections.entries()) {
      const second = isSent[Math.floor(index / devicesEach)] ? ['2'] : []
      const titles = () =>
        [...connection.received(), ...(resumed[index]?.received() ?? [])].map(({ title }) => title as string)
      await eventually(() => expect(titles()).toEqual(['1', ...second, '3', '4']))
    }
    for (const { close } of resumed) close()
    await after.stop()
  }

  // Every other phone uses a WebSocket.
  async function open(app: TestApp, device: AppDevice, index: number, since: string) {
    if (index % 2 === 0) {
      const stream = await openNtfy(app, device, `inbox/json?since=${since}`)
      return { received: () => stream.messages(), ended: stream.ended, close: stream.close }
    }
    const socket = await openNtfySocket(app, device, `inbox/ws?since=${since}`)
    const received = () => socket.frames.filter(({ event }) => event === 'message')
    return { received, ended: socket.closed, close: socket.close }
  }

  test('every app resumes, nothing is lost, nothing comes twice', () => restart(2, 4))
  nightlyTest('with 200 apps', () => restart(20, 10))
})
