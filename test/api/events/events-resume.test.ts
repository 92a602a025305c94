// `Last-Event-ID`: a client that reconnects gets every event since, once and in order, for 24 hours.
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { NewEvent } from '../../../src/domain/events.ts'
import { instant } from '../../../src/domain/instant.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import type { Reader, Writer } from '../../../src/store/engine/database.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { appendEvents } from '../../../src/store/events/feeds.ts'
import type { TestApp, TestUser } from '../../support/app.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { openEvents, type StreamEvent } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { openSocket } from '../../support/raw-http.ts'

const nodes = useTestNodes()
let user: TestUser
beforeEach(async () => {
  user = await nodes.first.addUser()
})

const send = (node: TestApp, title = 'T') => node.post('/notifications', { title, body: 'B', push: false }, user.token)
const resume = (after: number | string, node = nodes.first) => openEvents(node.url, user.token, after)

async function lastNumber(): Promise<number> {
  const row = await nodes.first.app.ctx.db.read.first<{ last_event: number }>(
    sql`select last_event from feeds where user_id = ${user.userId}`,
  )
  return row?.last_event ?? 0
}

// Counts queries that contain this text, from now on.
function countReadsOf(reader: Reader, words: string): { count: number } {
  const counted = { count: 0 }
  const { all } = reader
  reader.all = (query) => {
    if (query.strings.join(' ').includes(words)) counted.count += 1
    return all(query)
  }
  onTestFinished(() => {
    reader.all = all
  })
  return counted
}

const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index)

describe('GET /events with Last-Event-ID', () => {
  test('200 resumes after it, then follows live', async () => {
    const start = await lastNumber()
    for (const title of ['a', 'b', 'c']) await send(nodes.first, title)
    const events = await resume(start + 1)
    await eventually(() => expect(events.numbers()).toEqual([start + 2, start + 3]))
    await send(nodes.first, 'd')
    await eventually(() => expect(events.numbers()).toEqual([start + 2, start + 3, start + 4]))
    events.close()
    const titles = events.events.map(({ data }) => (data.data as { title: string }).title)
    expect(titles).toEqual(['b', 'c', 'd'])
  })

  test('200 0 is the first event of the account, and the newest number yields only new events', async () => {
    await send(nodes.first)
    const last = await lastNumber()
    const [all, none] = [await resume(0), await resume(last)]
    await send(nodes.first)
    await eventually(() => expect(all.numbers()).toEqual(upTo(last + 1)))
    await eventually(() => expect(none.numbers()).toEqual([last + 1]))
    for (const events of [all, none]) events.close()
  })

  test('200 hundreds of missed events arrive in order, over several pages', async () => {
    const start = await lastNumber()
    await nodes.atOnce(230, (node, index) => send(node, `n${index}`))
    const events = await resume(start)
    await eventually(() => expect(events.events).toHaveLength(230))
    events.close()
    expect(events.numbers()).toEqual(upTo(start + 230, start + 1))
  })

  test.skipIf(sqliteSuffices())(
    '200 for a client that does not read, no further pages are loaded; it misses nothing when it continues',
    async () => {
      const start = await lastNumber()
      const { db } = nodes.first.app.ctx
      const event: NewEvent = { type: 'widget.updated', at: instant(0), data: { slug: 'x'.repeat(4096) } }
      for (let page = 0; page < 100; page++) {
        await db.transact((tx) => appendEvents(tx, user.userId, Array(100).fill(event)))
      }
      const pages = countReadsOf(db.read, 'from events')
      const socket = await openSocket(nodes.first.url)
      const lines = [
        'GET /events HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${user.token}`,
        `Last-Event-ID: ${start}`,
      ]
      socket.pause().write(`${lines.join('\r\n')}\r\n\r\n`)
      // Both ends of the connection buffer only a part of these 40 MB.
      await eventually(async () => {
        const before = pages.count
        await delay(200)
        expect(pages.count - before).toBe(0)
        expect(pages.count).toBeGreaterThan(0)
      })
      expect(pages.count).toBeLessThan(60)

      let received = ''
      socket.setEncoding('utf8').on('data', (text) => (received += text))
      socket.resume()
      // Only the end is checked: the text is long.
      await eventually(() => expect(received.slice(-8192).includes(`id: ${start + 10_000}\n`)).toBe(true))
      socket.destroy()
      const numbers = [...received.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number))
      expect(numbers).toEqual(upTo(start + 10_000, start + 1))
    },
  )

  test('200 a notification deleted since has only its id in its events', async () => {
    const start = await lastNumber()
    const { id } = (await send(nodes.first)).body
    await nodes.first.del(`/notifications/${id}`, user.token)
    const events = await resume(start)
    await eventually(() => expect(events.types()).toEqual(['notification.created', 'notification.deleted']))
    events.close()
    expect(events.events.map(({ data }) => data.data)).toEqual([{ id }, { id }])
  })

  test.each(['999999999', '-1', 'x', '1.5', '1 ', '99999999999999999999'])(
    '200 %s, which was never issued, gets one reset with the newest number, then follows live',
    async (unknown) => {
      await send(nodes.first)
      const last = await lastNumber()
      // Surrounding spaces are not part of a header value.
      const events = await resume(unknown.trim() === unknown ? unknown : `${unknown}y`)
      await eventually(() => expect(events.events).toEqual([{ id: String(last), event: 'reset', data: {} }]))
      await send(nodes.first)
      await eventually(() => expect(events.types()).toEqual(['reset', 'notification.created']))
      events.close()
      expect(events.numbers()).toEqual([last, last + 1])
    },
  )
})

describe.skipIf(sqliteSuffices())('after 24 hours', () => {
  async function housekeep() {
    await scheduleHousekeeping(nodes.first.app.ctx)
    await nodes.first.runDueJobs()
  }

  test('events are deleted: one reset, then live; the number of the reset can be resumed from', async () => {
    await send(nodes.first)
    const old = (await lastNumber()) - 1
    nodes.first.advanceSeconds(24 * 3600 + 1)
    await housekeep()
    const events = await resume(old)
    await eventually(() => expect(events.types()).toEqual(['reset']))
    events.close()
    await send(nodes.first)
    const again = await resume(events.numbers()[0] as number)
    await eventually(() => expect(again.types()).toEqual(['notification.created']))
    again.close()
  })

  test('a client that has seen all deleted events is not reset', async () => {
    await send(nodes.first)
    const seen = await lastNumber()
    nodes.first.advanceSeconds(24 * 3600 + 1)
    await send(nodes.first)
    await housekeep()
    const events = await resume(seen)
    await eventually(() => expect(events.numbers()).toEqual([seen + 1]))
    events.close()
    const missed = await resume(seen - 1)
    await eventually(() => expect(missed.types()).toEqual(['reset']))
    missed.close()
  })

  test('events of exactly 24 hours are kept', async () => {
    const start = await lastNumber()
    await send(nodes.first)
    nodes.first.advanceSeconds(24 * 3600)
    await housekeep()
    const events = await resume(start)
    await eventually(() => expect(events.types()).toEqual(['notification.created']))
    events.close()
  })
})

describe('while other clients write', () => {
  // Reads a few events, disconnects, and resumes on the next node from the last number.
  async function readInTurns(start: number, count: number): Promise<StreamEvent[]> {
    const seen: StreamEvent[] = []
    for (let turn = 0; seen.length < count; turn++) {
      const node = nodes.all[turn % nodes.all.length] as TestApp
      const events = await resume(seen.at(-1)?.id ?? start, node)
      const enough = Math.min(turn % 7, count - seen.length - 1)
      await eventually(() => expect(events.events.length).toBeGreaterThan(enough))
      events.close()
      await events.ended
      seen.push(...events.events)
    }
    return seen
  }

  test('a client that reconnects repeatedly sees every number once, in order', async () => {
    const start = await lastNumber()
    const [live, seen] = await Promise.all([
      resume(start),
      readInTurns(start, 120),
      nodes.atOnce(120, (node, index) => send(node, `n${index}`)),
    ])
    await eventually(() => expect(live.events).toHaveLength(120))
    live.close()
    expect(live.numbers()).toEqual(upTo(start + 120, start + 1))
    expect(seen.map(({ id }) => Number(id))).toEqual(live.numbers())
    const titles = new Set(seen.map(({ data }) => (data.data as { title: string }).title))
    expect(titles.size).toBe(120)
  })

  // Only on PostgreSQL can the position query wait; on SQLite it is done before anything is written.
  describe.runIf(isPostgres())('the stream starts once its position is known', () => {
    // Opens a stream that cannot read its position until `meanwhile` has run and is committed.
    async function openWhile(meanwhile: (tx: Writer, answer: Promise<Response>) => Promise<void>): Promise<Response> {
      const headers = { authorization: `Bearer ${user.token}`, 'last-event-id': '0' }
      const { db } = nodes.first.app.ctx
      const waiting = sql`select pid from pg_locks where not granted and relation = 'feeds'::regclass`
      const { answer } = await db.transact(async (tx) => {
        await tx.execute(sql`lock table feeds in access exclusive mode`)
        const answer = fetch(`${nodes.first.url}/events`, { headers })
        await eventually(async () => expect(await db.read.all(waiting)).toHaveLength(1))
        await meanwhile(tx, answer)
        return { answer }
      })
      return answer
    }

    test('and writes nothing before', async () => {
      let begun = false
      const { status, body } = await openWhile(async (_tx, answer) => {
        void answer.then(() => (begun = true))
        // Leaves time for a response that is written too early.
        for (let count = 0; count < 5; count++) await nodes.first.get('/health')
        expect(begun).toBe(false)
      })
      await body?.cancel()
      expect(status).toBe(200)
    })

    test('R46 and sends no missed events to a token that was revoked before', async () => {
      await send(nodes.first)
      const answer = await openWhile(async (tx) => {
        await tx.execute(sql`delete from tokens where user_id = ${user.userId}`)
      })
      expect(await answer.text()).toBe(': connected\n\n')
    })
  })
})
