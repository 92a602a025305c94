// GET /events: every change of the account as it happens, while the token is valid. Resuming is in
// events-resume.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { UserId } from '../../../src/domain/caller.ts'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { appendEvent } from '../../../src/store/events/feeds.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { isPostgres } from '../../support/database/database.ts'
import { terminal } from '../../support/devices/devices.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createWatchedClock } from '../../support/fakes/watched-clock.ts'

const clock = createWatchedClock()
const nodes: TestApp[] = []
let first: TestApp
// Another server on the same database if the database allows two, else the same.
let second: TestApp
let user: TestUser
beforeAll(async () => {
  first = await startTestApp({}, undefined, { clock })
  nodes.push(first)
  if (isPostgres()) nodes.unshift(await startTestApp({}, first.database, { clock }))
  second = nodes[0] as TestApp
})
afterAll(async () => {
  for (const node of nodes) await node.stop()
})
beforeEach(async () => {
  user = await first.addUser()
})

const isoNow = () => new Date(clock.now()).toISOString()
const plain = { title: 'T', body: 'B', push: false }
const send = (node = first, { token } = user) => node.post('/notifications', plain, token)
const follow = (node = first, { token } = user) => openEvents(node.url, token)

describe('GET /events', () => {
  test('200 text/event-stream with headers against caching and buffering', async () => {
    const events = await follow()
    events.close()
    expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(events.headers.get('cache-control')).toBe('no-store')
    expect(events.headers.get('x-accel-buffering')).toBe('no')
    expect(events.headers.get('x-request-id')).toMatch(/\S/)
  })

  test('200 a new notification is sent complete, so that a device without push can show it', async () => {
    const events = await follow()
    const sent = (await first.post('/notifications', { ...plain, actions: [{ id: 'ok', title: 'OK' }] }, user.token))
      .body
    await eventually(() => expect(events.events).toHaveLength(1))
    events.close()
    const [{ id, event, data }] = events.events as [(typeof events.events)[0]]
    const { delivery: _, reason: __, answerable: ___, ...shown } = sent
    expect(event).toBe('notification.created')
    const document = { ...shown, answer: { status: 'pending' } }
    expect(data).toEqual({ id: Number(id), type: 'notification.created', at: isoNow(), data: document })
  })

  test('200 every kind of change, in order', async () => {
    const events = await follow()
    const { id } = (await first.post('/notifications', { ...plain, actions: [{ id: 'a', title: 'A' }] }, user.token))
      .body
    await first.post(`/notifications/${id}/answer`, { action_id: 'a' }, user.token)
    await first.post('/notifications/read', { ids: [id] }, user.token)
    await first.del(`/notifications/${id}`, user.token)
    await first.post('/widgets', { slug: 'w', name: 'W', content: { template: 'value' } }, user.token)
    await first.patch('/widgets/w', { name: 'V' }, user.token)
    await first.del('/widgets/w', user.token)
    await first.put('/devices/d', terminal, user.token)
    await first.del('/devices/d', user.token)
    const key = (await first.post('/integrations/keys', { name: 'K' }, user.token)).body.id
    await first.patch(`/integrations/keys/${key}`, { name: 'L' }, user.token)
    await first.post(`/integrations/keys/${key}/roll`, undefined, user.token)
    await first.del(`/integrations/keys/${key}`, user.token)
    await eventually(() => expect(events.events).toHaveLength(13))
    events.close()
    expect(events.events.map(({ event, data }) => [event, data.data])).toEqual([
      ['notification.created', expect.anything()],
      ['notification.answered', { id, action_id: 'a' }],
      ['notification.read', { ids: [id] }],
      ['notification.deleted', { id }],
      ['widget.updated', { slug: 'w' }],
      ['widget.updated', { slug: 'w' }],
      ['widget.deleted', { slug: 'w' }],
      ['device.registered', { id: 'd' }],
      ['device.deleted', { id: 'd' }],
      ['key.created', { id: key }],
      ['key.updated', { id: key }],
      ['key.updated', { id: key }],
      ['key.deleted', { id: key }],
    ])
  })

  test('200 refused changes and dry runs cause no event', async () => {
    const events = await follow()
    await first.post('/notifications', { ...plain, url: 'javascript:x' }, user.token)
    await first.post('/widgets', { slug: 'w', name: 'W', content: { template: 'gauge' } }, user.token)
    await first.post('/notifications?dry_run=true', plain, user.token)
    await send()
    await eventually(() => expect(events.types()).toEqual(['notification.created']))
    events.close()
  })

  test('200 changes on another node arrive without a poll', async () => {
    const [here, there] = [await follow(first), await follow(second)]
    await send(second)
    await send(first)
    await eventually(() => expect([here.events.length, there.events.length]).toEqual([2, 2]))
    expect(here.events).toEqual(there.events)
    for (const events of [here, there]) events.close()
  })

  test('R19 200 a change whose signal was lost is found by the poll of every second', async () => {
    const events = await follow()
    await first.app.ctx.db.transact(async (tx) => {
      const deaf = { ...tx, signal: () => {} }
      await appendEvent(deaf, user.userId, { type: 'widget.updated', at: clock.now(), data: { slug: 'w' } })
    })
    await eventually(() => {
      clock.advanceSeconds(1)
      expect(events.types()).toEqual(['widget.updated'])
    })
    events.close()
  })

  test('200 no events of another account', async () => {
    const events = await follow()
    await send(first, await first.addUser())
    await send()
    await eventually(() => expect(events.events).toHaveLength(1))
    events.close()
  })

  test('200 a comment every 20 seconds keeps the connection open', async () => {
    const before = clock.alarmsMs.length
    const events = await follow()
    await eventually(() => expect(clock.alarmsMs.slice(before)).toContain(20_000))
    expect(events.comments).toEqual(['connected'])
    clock.advanceSeconds(19.999)
    await send()
    await eventually(() => expect(events.events).toHaveLength(1))
    expect(events.comments).toEqual(['connected'])
    clock.advanceSeconds(0.001)
    await eventually(() => expect(events.comments).toEqual(['connected', '']))
    clock.advanceSeconds(40)
    await eventually(() => expect(events.comments).toEqual(['connected', '', '', '']))
    events.close()
  })

  test('200 HEAD answers with the headers only', async () => {
    const answer = await first.call('HEAD', '/events', { token: user.token })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
  })

  test('401 token.invalid, 403 for the default key and for a widget token', async () => {
    expectProblem(await first.get('/events'), 401, 'token.invalid')
    expectProblem(await first.get('/events', user.defaultKey), 403, 'integration_key.permission_denied')
    const widgetToken = await createToken(first.app.ctx, user.userId, 'hlw')
    expectProblem(await first.get('/events', widgetToken), 403, 'widget.token_not_permitted')
  })

  test('500 internal_error as a problem when the stream cannot start', async () => {
    const broken = await startTestApp({}, undefined, { clock })
    const { token } = await broken.addUser()
    await broken.app.ctx.db.transact((tx) => tx.execute(sql`alter table feeds rename to feeds_away`))
    const refused = await broken.get('/events', token)
    await broken.stop()
    expectProblem(refused, 500, 'internal_error')
  })
})

describe('the end of a stream', () => {
  test('R46 a token that is signed out or rotated on any node ends its streams and no others', async () => {
    const other = await createToken(first.app.ctx, user.userId, 'hla')
    const [gone, kept] = [await follow(), await openEvents(first.url, other)]
    await second.del('/auth/token', user.token)
    await gone.ended
    await send(first, { ...user, token: other })
    await eventually(() => expect(kept.types()).toEqual(['notification.created']))
    expect(gone.events).toEqual([])
    await second.post('/auth/token/rotate', undefined, other)
    await kept.ended
  })

  test('R46 an event committed together with the revocation is not sent', async () => {
    const gone = await follow()
    await first.app.ctx.db.transact(async (tx) => {
      await tx.execute(sql`delete from tokens where user_id = ${user.userId}`)
      await appendEvent(tx, user.userId, { type: 'widget.updated', at: clock.now(), data: { slug: 'w' } })
    })
    await gone.ended
    expect(gone.events).toEqual([])
  })

  test('deleting an account ends its streams at the next poll', async () => {
    const gone = await follow()
    await first.app.ctx.db.transact((tx) => tx.execute(sql`delete from users where id = ${user.userId as UserId}`))
    let over = false
    void gone.ended.then(() => (over = true))
    await eventually(() => {
      clock.advanceSeconds(1)
      expect(over).toBe(true)
    })
  })

  test('a client that disconnects leaves no timer behind', async () => {
    const before = clock.alarmsMs.length
    const events = await follow()
    await eventually(() => expect(clock.alarmsMs.length).toBeGreaterThanOrEqual(before + 2))
    events.close()
    await events.ended
    await eventually(() => {
      const set = clock.alarmsMs.length
      clock.advanceSeconds(40)
      expect(clock.alarmsMs.length).toBe(set)
    })
  })

  test('R52 a server that stops ends its streams', async () => {
    const stopping = await startTestApp({}, undefined, { clock })
    const events = await openEvents(stopping.url, (await stopping.addUser()).token)
    await stopping.stop()
    await events.ended
    expect(events.events).toEqual([])
  })
})
