// Polls of ntfy's apps: what they cost, and that one topic gives what the same messages give among all others.
import { describe, expect, test } from 'vitest'
import type { AppCaller, UserId } from '../../../../src/domain/caller.ts'
import type { NewEvent } from '../../../../src/domain/events.ts'
import type { NotificationId } from '../../../../src/domain/notifications/notification.ts'
import { poll } from '../../../../src/operations/doors/ntfy/subscribe.ts'
import type { Reader } from '../../../../src/store/engine/database.ts'
import { sql } from '../../../../src/store/engine/sql.ts'
import { appendEvents } from '../../../../src/store/events/feeds.ts'
import { type TestUser, useTestApp } from '../../../support/app.ts'
import { type AppDevice, addApp, appHeaders, type NtfyLine, pollNtfy } from '../../../support/devices/app-streams.ts'
import { fillInbox } from '../../../support/filled-inbox.ts'

const app = useTestApp()

const send = async (user: TestUser, message: object = {}): Promise<number> =>
  (await app.post('/notifications', { title: 'T', body: 'B', ...message }, user.token)).body.id

describe('the cost of a poll', () => {
  const MANY = 3000

  // An inbox of many messages that came today.
  async function busyInbox() {
    const user = await app.addUser()
    const device = await addApp(app, user)
    const userId = user.userId as UserId
    const { db } = app.app.ctx
    await fillInbox(db, userId, { count: MANY, firstAt: app.clock.now() - 3_600_000 })
    const ids = await db.read.all<{ id: NotificationId }>(
      sql`select id from notifications where user_id = ${userId} order by id`,
    )
    const events = ids.map(({ id }): NewEvent => ({ type: 'notification.created', at: app.clock.now(), data: { id } }))
    for (let start = 0; start < MANY; start += 100) {
      await db.transact((tx) => appendEvents(tx, userId, events.slice(start, start + 100)))
    }
    return { user, device }
  }

  // How many statements a poll runs, and how many rows they return.
  async function costOf(user: TestUser, device: AppDevice, topics: string[], filters: object = {}) {
    const { ctx } = app.app
    const cost = { statements: 0, rows: 0 }
    const counted = <Result>(result: Result, rows: number): Result => {
      cost.statements += 1
      cost.rows += rows
      return result
    }
    const { read } = ctx.db
    const counting: Reader = {
      all: async (query) => {
        const rows = await read.all<never>(query)
        return counted(rows, rows.length)
      },
      first: async (query) => counted(await read.first(query), 1),
      cached: async (query, make) => counted(await read.cached(query, make), 1),
    }
    const caller = { kind: 'app', app: 'ntfy', userId: user.userId, deviceId: device.id } as AppCaller
    const subscription = { topics, since: { kind: 'all' }, isPoll: true, withScheduled: false, filters } as const
    const subscriber = {
      caller,
      subscription,
      publicUrl: app.url,
      showsAllEvents: false,
      endpoints: new Map(),
      showsActivities: true,
    }
    const lines: NtfyLine[] = []
    for await (const events of poll({ ...ctx, db: { ...ctx.db, read: counting } }, subscriber)) lines.push(...events)
    return { ...cost, lines }
  }

  test('of a topic without a message does not grow with the inbox', async () => {
    const { user, device } = await busyInbox()
    const { statements, rows, lines } = await costOf(user, device, ['empty'])
    expect(lines).toEqual([])
    expect(statements).toBeLessThanOrEqual(5)
    expect(rows).toBeLessThanOrEqual(5)
  })

  test('of a topic with a few messages is that of these, and a statement for each thousand events', async () => {
    const { user, device } = await busyInbox()
    const ids = [await send(user, { source: 'nas' }), await send(user, { source: 'nas', collapse_id: 'a' })]
    await app.post('/notifications/read', { ids }, user.token)
    await app.del(`/notifications/${ids[0]}`, user.token)
    const { statements, rows, lines } = await costOf(user, device, ['nas'])
    expect(lines.map(({ event }) => event)).toEqual(['message', 'message_clear', 'message_delete'])
    expect(statements).toBeLessThanOrEqual(20)
    expect(rows).toBeLessThanOrEqual(30)
  })

  test('of one message by its id is that of the message', async () => {
    const { user, device } = await busyInbox()
    const { id } = await publish(user, 'nas', 'x')
    const { statements, rows, lines } = await costOf(user, device, ['inbox'], { id })
    expect(lines).toMatchObject([{ message: 'x' }])
    expect(statements).toBeLessThanOrEqual(20)
    expect(rows).toBeLessThanOrEqual(20)
  })

  test('of everything is a few statements for each page', async () => {
    const { user, device } = await busyInbox()
    const { statements, lines } = await costOf(user, device, ['inbox'])
    expect(lines).toHaveLength(MANY)
    expect(statements).toBeLessThanOrEqual(5 * (MANY / 50))
  })
})

async function publish(user: TestUser, topic: string, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${app.url}/ntfy/${topic}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.defaultKey}`, ...headers },
    body,
  })
  return (await answer.json()) as { id: string }
}

test('a topic gives the events that all topics give for its messages: clears, deletes, repeats and the ids of all', async () => {
  const user = await app.addUser()
  const device = await addApp(app, user)
  const ids: number[] = []
  for (const source of ['nas', 'Nas', 'other', 'NAS!']) ids.push(await send(user, { source }))
  const alert = await send(user, { source: 'nas', acknowledge: { repeat_seconds: 30 } })
  app.advanceSeconds(30)
  await app.runDueJobs()
  await app.post(`/notifications/receipts/${alert}/cancel`, {}, user.token)
  await app.post('/notifications/read', { ids: ids.slice(1) }, user.token)
  app.advanceSeconds(1)
  await app.post('/notifications/read', { all: true }, user.token)
  await app.del(`/notifications/${ids[0]}`, user.token)
  // Other events of the account have ids of other forms.
  await app.patch('/auth/me', { nickname: 'N' }, user.token)
  const lines = await pollNtfy(app, device, 'nas/json?poll=1')
  const among = await pollNtfy(app, device, 'nas,other/json?poll=1')
  expect(lines).toEqual(among.filter(({ topic }) => topic === 'nas'))
  expect(lines.map(({ event }) => event)).toEqual([
    // Of those that are left.
    ...['message', 'message', 'message', 'message_delete'],
    ...['message_clear', 'message_clear', 'message_clear', 'message_clear', 'message_delete'],
  ])
  for (const [index, { id }] of lines.entries()) {
    expect(await pollNtfy(app, device, `nas/json?poll=1&since=${id}`)).toEqual(lines.slice(index + 1))
  }
})

describe('since=<the id that the sender got>', () => {
  test('gives what came later, also after the message was read', async () => {
    const user = await app.addUser()
    const device = await addApp(app, user)
    await publish(user, 'job', 'before')
    const { id } = await publish(user, 'job', 'own')
    await publish(user, 'job', 'after')
    const messages = async (path: string) =>
      (await pollNtfy(app, device, `${path}/json?poll=1&since=${id}`)).map(({ message }) => message)
    expect(await messages('job')).toEqual(['after'])
    expect(await messages('inbox')).toEqual(['after'])
    expect((await pollNtfy(app, device, 'job/json?poll=1&since=n00000000000')).length).toBe(3)
  })
})

test('the app for iPhones, which stores every line as a message, gets messages only', async () => {
  const user = await app.addUser()
  const device = await addApp(app, user)
  const [read, deleted] = [await send(user), await send(user)]
  await app.post('/notifications/read', { ids: [read] }, user.token)
  await app.del(`/notifications/${deleted}`, user.token)
  const events = async (userAgent: string) => {
    const headers = { ...appHeaders(device), 'user-agent': userAgent }
    const answer = await fetch(`${app.url}/ntfy/inbox/json?poll=1&since=all`, { headers })
    return (await answer.text()).match(/(?<="event":")\w+/g)
  }
  expect(await events('ntfy/1.8.0 (build 12; iOS 19.1)')).toEqual(['message'])
  expect(await events('ntfy/1.25.0 (fdroid; Android 15; SDK 35)')).toEqual([
    'message',
    'message_clear',
    'message_delete',
  ])
})

test('since=latest gives the newest message of each topic, in the order in which they came', async () => {
  const user = await app.addUser()
  const device = await addApp(app, user)
  for (const [topic, text] of [
    ['nas', 'first'],
    ['job', 'second'],
    ['nas', 'third'],
  ] as const)
    await publish(user, topic, text)
  const lines = await pollNtfy(app, device, 'nas,job/json?poll=1&since=latest')
  expect(lines.map(({ message }) => message)).toEqual(['second', 'third'])
})

test('a poll is a visit of its device', async () => {
  const user = await app.addUser()
  const device = await addApp(app, user)
  app.advanceSeconds(3600)
  await pollNtfy(app, device, 'inbox/json?poll=1')
  const [{ last_seen_at }] = (await app.get('/devices', user.token)).body.items
  expect(Date.parse(last_seen_at)).toBe(app.clock.now())
})
