// GET /events under load: clients that do not read, documents of a megabyte, and more streams than an account may
// have open.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { getEventListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { type EventReader, openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { openSocket } from '../../support/raw-http.ts'

const nodes: TestApp[] = []
let first: TestApp
let second: TestApp
let user: TestUser
beforeAll(async () => {
  first = await startTestApp()
  nodes.push(first)
  if (isPostgres()) nodes.unshift(await startTestApp({}, first.database, { clock: first.clock }))
  second = nodes[0] as TestApp
})
afterAll(async () => {
  for (const node of nodes) await node.stop()
})
beforeEach(async () => {
  user = await first.addUser()
})

const ongoing = (note: string) => ({ state: 'ongoing', content: { template: 'generic', note } })
const putActivity = (slug: string, body: object) =>
  first
    .patch(`/activities/${slug}?upsert=true`, body, user.token)
    .then(({ status }) => expect(status).toBeLessThan(300))

async function openStreams(): Promise<number> {
  const now = first.clock.now()
  const query = sql`select id from event_streams where user_id = ${user.userId} and expires_at > ${now}`
  return (await first.app.ctx.db.read.all(query)).length
}

// Opens a stream from the first event on without reading it. Returns both ends of the connection.
async function openStalled(token: string): Promise<{ client: Socket; server: Socket }> {
  const sockets: Socket[] = []
  const note = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    if (request.url === '/events' && request.headers['x-stalled']) sockets.push(request.socket)
  }
  subscribe('http.server.request.start', note)
  const client = await openSocket(first.url)
  onTestFinished(() => {
    client.destroy()
  })
  const head = ['GET /events HTTP/1.1', 'Host: x', 'X-Stalled: 1', `Authorization: Bearer ${token}`, 'Last-Event-ID: 0']
  client.pause().write(`${head.join('\r\n')}\r\n\r\n`)
  await eventually(() => expect(sockets).toHaveLength(1))
  unsubscribe('http.server.request.start', note)
  return { client, server: sockets[0] as Socket }
}

const LARGE_EVENTS = 180
const LARGE_MESSAGE = {
  title: 'Large',
  body: '€'.repeat(4096),
  push: false,
  actions: Array.from({ length: 10 }, (_, n) => ({
    id: `a${n}`,
    title: 'Act',
    url: `https://example.org/${'u'.repeat(2000)}`,
    body: '€'.repeat(1024),
  })),
}

// 60 KB each: together more than both ends of a loopback connection buffer.
async function sendLargeMessages(): Promise<void> {
  for (let sent = 0; sent < LARGE_EVENTS; sent += 20) {
    const some = Array.from({ length: 20 }, () => first.post('/notifications', LARGE_MESSAGE, user.token))
    for (const { status } of await Promise.all(some)) expect(status).toBe(201)
  }
}

// Reads until all of them have arrived. Only the end of the text is kept: all of it is 11 MB.
function countLargeEvents(client: Socket): Promise<number> {
  const mark = '"title":"Large"'
  let count = 0
  let unread = ''
  return new Promise((resolve) => {
    client.setEncoding('utf8').on('data', (text) => {
      const parts = (unread + text).split(mark)
      count += parts.length - 1
      unread = parts.at(-1)?.slice(-mark.length) ?? ''
      if (count >= LARGE_EVENTS) resolve(count)
    })
    client.resume()
  })
}

describe.skipIf(sqliteSuffices())('an activity that changed several times', () => {
  test('200 is complete in the last of its events that are delivered together; the others have only its slug', async () => {
    await putActivity('build', ongoing('first'))
    await putActivity('other', ongoing('other'))
    await putActivity('build', { content: { note: 'second' } })
    await putActivity('build', { content: { note: 'newest' } })
    const events = await openEvents(first.url, user.token, 0)
    const shown = () =>
      events.events
        .filter(({ event }) => event.startsWith('activity.'))
        .map(({ data }) => data.data as { slug: string; content?: { note: string } })
    // Events that are delivered together may still arrive in several reads.
    await eventually(() => expect(shown().at(-1)?.content?.note).toBe('newest'))
    events.close()
    const builds = shown().filter(({ slug }) => slug === 'build')
    expect(builds.slice(0, -1)).toEqual(builds.slice(0, -1).map(() => ({ slug: 'build' })))
    expect(builds.at(-1)).toMatchObject({ state: 'ongoing', content: { note: 'newest' } })
    expect(shown().findLast(({ slug }) => slug === 'other')?.content?.note).toBe('other')
  })

  test('200 is complete in each event of a client that follows live', async () => {
    const events = await openEvents(first.url, user.token)
    const notes = () =>
      events.events.flatMap(({ data }) => (data.data as { content?: { note?: string } }).content?.note ?? [])
    await putActivity('build', ongoing('first'))
    await eventually(() => expect(notes()).toContain('first'))
    await putActivity('build', { content: { note: 'second' } })
    await eventually(() => expect(notes()).toContain('second'))
    events.close()
  })
})

describe.skipIf(sqliteSuffices())('F03: a client that does not read', () => {
  test('buffers at most one event', async () => {
    await sendLargeMessages()
    const { client, server } = await openStalled(user.token)
    let most = 0
    let written = -1
    while (server.writableLength === 0 || server.bytesWritten !== written) {
      written = server.bytesWritten
      for (let count = 0; count < 10; count++) await first.get('/health')
      most = Math.max(most, server.writableLength)
    }
    expect(most).toBeLessThan(100_000)
    expect(await countLargeEvents(client)).toBe(LARGE_EVENTS)
  })

  test('R46 is disconnected when its token is revoked on any node', async () => {
    await sendLargeMessages()
    const { server } = await openStalled(user.token)
    await eventually(() => expect(server.writableLength).toBeGreaterThan(10_000))
    expect(server.destroyed).toBe(false)
    await second.del('/auth/token', user.token)
    await eventually(() => expect(server.destroyed).toBe(true))
    await eventually(async () => expect(await openStreams()).toBe(0))
  })
})

describe('C3: a stream that has ended', () => {
  test('leaves no listener on the stop signal', async () => {
    const { stopping } = first.app.ctx
    const before = getEventListeners(stopping, 'abort').length
    const streams = await Promise.all(Array.from({ length: 10 }, () => openEvents(first.url, user.token)))
    expect(getEventListeners(stopping, 'abort').length).toBeGreaterThan(before)
    for (const events of streams) events.close()
    await eventually(() => expect(getEventListeners(stopping, 'abort')).toHaveLength(before))
  })
})

describe('the streams of an account', () => {
  const openAll = () =>
    Promise.all(
      Array.from({ length: LIMITS.eventStream.maxOpen }, (_, index) =>
        openEvents(index % 2 ? first.url : second.url, user.token),
      ),
    )
  const closeAll = async (streams: EventReader[]) => {
    for (const events of streams) events.close()
    await eventually(async () => expect(await openStreams()).toBe(0))
  }

  test('429 event_stream.limit_exceeded for one too many, on all nodes, until one is closed', async () => {
    const streams = await openAll()
    for (const node of [first, second]) {
      const refused = await node.get('/events', user.token)
      expectProblem(refused, 429, 'event_stream.limit_exceeded')
      expect(refused.headers.get('retry-after')).toBe('1')
    }
    const other = await first.addUser()
    const theirs = await openEvents(first.url, other.token)
    theirs.close()
    streams[0]?.close()
    await eventually(async () => expect(await openStreams()).toBe(LIMITS.eventStream.maxOpen - 1))
    streams.push(await openEvents(second.url, user.token))
    await closeAll(streams)
  })

  test('are not opened by HEAD', async () => {
    await first.call('HEAD', '/events', { token: user.token })
    expect(await openStreams()).toBe(0)
  })

  test('count for as long as they are open', async () => {
    const streams = await openAll()
    for (let minute = 0; minute < 5; minute++) {
      for (let step = 0; step < 4; step++) {
        first.clock.advanceSeconds(15)
        await first.get('/health')
      }
    }
    await eventually(async () => expect(await openStreams()).toBe(LIMITS.eventStream.maxOpen))
    await closeAll(streams)
  })

  test('of a dead node stop counting within a minute', async () => {
    const streams = await openAll()
    // No process renews them any more.
    await first.app.ctx.db.transact((tx) =>
      tx.execute(sql`update event_streams set node = 'dead' where user_id = ${user.userId}`),
    )
    first.clock.advanceSeconds(60)
    expect(await openStreams()).toBe(0)
    const again = await openEvents(first.url, user.token)
    again.close()
    await closeAll(streams)
  })

  test('404 device.not_found for an unregistered device, 422 for a malformed id', async () => {
    expectProblem(await first.get('/events?device_id=nobody', user.token), 404, 'device.not_found')
    expectProblem(await first.get('/events?device_id=a%2Fb', user.token), 422, 'request.validation_failed')
    const token = await createToken(first.app.ctx, user.userId, 'hlw')
    expectProblem(await first.get('/events?device_id=nobody', token), 403, 'widget.token_not_permitted')
  })
})
