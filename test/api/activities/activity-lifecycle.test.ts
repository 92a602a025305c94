// Changes of activities over time, each at its time and once: preemption, staleness, countdowns, the platform's eight
// hours, expiry and deletion. All of them are jobs, so that they survive a restart.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestUser, useTestApp } from '../../support/app.ts'
import { createTestDatabase, sqliteSuffices } from '../../support/database/database.ts'
import { createTestClock } from '../../support/fakes/test-clock.ts'
import { useTestNodes } from '../../support/nodes.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const patch = async (slug: string, body: object) =>
  (await app.patch(`/activities/${slug}?upsert=true`, { state: 'ongoing', ...body }, user.token)).body
const read = async (slug: string) => (await app.get(`/activities/${slug}`, user.token)).body
const states = async () => {
  const { items } = (await app.get('/activities', user.token)).body
  return Object.fromEntries(items.map(({ slug, state }: { slug: string; state: string }) => [slug, state]))
}
const pass = async (seconds: number) => {
  app.advanceSeconds(seconds)
  await app.runDueJobs()
}
const seconds = () => Math.floor(app.clock.now() / 1000)

describe('a sixth ongoing activity', () => {
  test('R36: preempts the one with the lowest priority, and of equals the one least recently updated', async () => {
    for (const [slug, priority] of [
      ['a', 5],
      ['b', 1],
      ['c', 1],
      ['d', 1],
      ['e', 9],
    ] as const) {
      await patch(slug, { priority })
      app.advanceSeconds(1)
    }
    await patch('b', { content: { state: 'still here' } })
    await patch('f', { priority: 0 })
    expect(await states()).toEqual({
      a: 'ongoing',
      b: 'ongoing',
      c: 'preempted',
      d: 'ongoing',
      e: 'ongoing',
      f: 'ongoing',
    })
    const { updated_at, ...preempted } = await read('c')
    expect(preempted).not.toHaveProperty('ended_at')
  })

  test('an update of one of five preempts none', async () => {
    for (const slug of ['a', 'b', 'c', 'd', 'e', 'a']) await patch(slug, {})
    expect(new Set(Object.values(await states()))).toEqual(new Set(['ongoing']))
  })
})

describe('R20: five ongoing activities, however many start concurrently', () => {
  const nodes = useTestNodes()

  test('30 concurrent starts on all nodes: all are accepted, five are ongoing and the others preempted', async () => {
    const { token } = await nodes.first.addUser()
    const answers = await nodes.atOnce(30, (node, index) =>
      node.patch(`/activities/a${index}?upsert=true`, { state: 'ongoing' }, token),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201))
    const { items } = (await nodes.first.get('/activities', token)).body
    const count = (state: string) => items.filter((activity: { state: string }) => activity.state === state).length
    expect([count('ongoing'), count('preempted')]).toEqual([LIMITS.activity.maxOngoing, 25])
  })

  test('100 concurrent creations: exactly 50 succeed', async () => {
    const { token } = await nodes.first.addUser()
    const answers = await nodes.atOnce(100, (node, index) =>
      node.post('/activities', { slug: `a${index}`, name: 'A' }, token),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMITS.activity.maxPerAccount)
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
      new Set(['activity.limit_exceeded']),
    )
    expect((await nodes.first.get('/auth/me', token)).body.activity_count).toBe(LIMITS.activity.maxPerAccount)
  })

  test('concurrent starts, updates and ends of the same activities: all succeed, and at most five are ongoing', async () => {
    const { token } = await nodes.first.addUser()
    const answers = await nodes.atOnce(80, (node, index) => {
      const body = index % 3 === 2 ? { state: 'ended' } : { state: 'ongoing', content: { state: `${index}` } }
      return node.patch(`/activities/a${index % 8}?upsert=true`, body, token)
    })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
    const { items } = (await nodes.first.get('/activities?state=ongoing', token)).body
    expect(items.length).toBeLessThanOrEqual(LIMITS.activity.maxOngoing)
  })

  test('R21: 60 concurrent patches of separate series: none is lost, and each adds its point', async () => {
    const { token } = await nodes.first.addUser()
    const patchSeries = (node: (typeof nodes)['first'], index: number) =>
      node.patch(
        '/activities/t',
        { state: 'ongoing', content: { template: 'timeline', value: { [`s${index % 10}`]: index } } },
        token,
      )
    await nodes.first.post('/activities', { slug: 't', name: 'T' }, token)
    const answers = await nodes.atOnce(60, patchSeries)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { content } = (await nodes.first.get('/activities/t', token)).body
    expect(Object.keys(content.value).sort()).toEqual(Array.from({ length: 10 }, (_, index) => `s${index}`))
    expect(Math.max(...Object.values<object[]>(content.history).map((points) => points.length))).toBe(60)
  })
})

describe.skipIf(sqliteSuffices())('staleness', () => {
  test('ends an activity after stale_ttl without an update, and not before', async () => {
    await patch('a', { stale_ttl: 60, content: { state: 'on', accent_color: 'blue' } })
    await pass(40)
    await patch('a', { content: { progress: 0.5 } })
    await pass(59)
    expect((await read('a')).state).toBe('ongoing')
    await pass(1)
    expect(await read('a')).toMatchObject({
      state: 'ended',
      content: { state: 'Stale (auto-ended)', accent_color: '#8E8E93', icon: 'clock.badge.xmark', progress: 0.5 },
    })
  })

  test('does not use up quota', async () => {
    await patch('a', { stale_ttl: 60 })
    await pass(60)
    expect((await app.get('/auth/me', user.token)).body.live_activity_updates_used).toBe(1)
  })
})

describe.skipIf(sqliteSuffices())('a countdown', () => {
  test('warns at its threshold and ends with its message', async () => {
    await patch('tea', {
      content: {
        template: 'countdown',
        duration: '5m',
        warning_threshold: 60,
        alarm: true,
        completion_message: 'Tea is ready',
      },
    })
    await pass(239)
    expect((await read('tea')).content).not.toHaveProperty('warning_pushed')
    await pass(1)
    expect(await read('tea')).toMatchObject({
      state: 'ongoing',
      content: { accent_color: 'orange', warning_pushed: true },
    })
    await pass(60)
    const { state, content } = await read('tea')
    expect([state, content.state, content.progress]).toEqual(['ended', 'Tea is ready', 1])
    expect(content).not.toHaveProperty('alarm')
    expect(content).not.toHaveProperty('warning_pushed')
  })

  test('whose end moves later ends later; whose end moves earlier ends earlier', async () => {
    const { end_date } = (await patch('tea', { content: { template: 'countdown', duration: 100 } })).content
    await patch('tea', { content: { end_date: end_date + 100 } })
    await pass(100)
    expect((await read('tea')).state).toBe('ongoing')
    await patch('tea', { content: { end_date: seconds() + 10 } })
    await pass(10)
    expect(await read('tea')).toMatchObject({ state: 'ended', content: { state: 'Completed' } })
  })

  test('with an end in the past ends immediately', async () => {
    await patch('tea', { content: { template: 'countdown', end_date: seconds() - 5 } })
    await pass(0)
    expect((await read('tea')).state).toBe('ended')
  })

  test('whose end was missed while the server was down ends once, after the restart', async () => {
    const database = await createTestDatabase()
    const clock = createTestClock()
    const before = await startTestApp({}, database, { clock })
    const { token, userId } = await before.addUser()
    const content = { template: 'countdown', duration: 100, warning_threshold: 30 }
    await before.patch('/activities/tea?upsert=true', { state: 'ongoing', content, ended_ttl: 600 }, token)
    await before.stop()
    clock.advanceSeconds(3600)
    const after = await startTestApp({}, database, { clock })
    await after.runDueJobs()
    expect((await after.get('/activities/tea', token)).body).toMatchObject({
      state: 'ended',
      content: { state: 'Completed' },
    })
    await after.runDueJobs()
    const events = await after.app.ctx.db.read.all(
      sql`select type from events where user_id = ${userId} and type = 'activity.ended'`,
    )
    expect(events).toHaveLength(1)
    await after.stop()
    await database.drop()
  })
})

test('R36: an activity ends eight hours after its start, despite updates; a new start has another eight hours', async () => {
  await patch('a', {})
  await pass(7 * 3600)
  await patch('a', { content: { state: 'x' } })
  await pass(3599)
  expect((await read('a')).state).toBe('ongoing')
  await pass(1)
  expect(await read('a')).toMatchObject({ state: 'ended', content: { state: 'x' } })
  await patch('a', {})
  await pass(8 * 3600 - 1)
  expect((await read('a')).state).toBe('ongoing')
})

describe.skipIf(sqliteSuffices())('an approval', () => {
  const content = {
    template: 'approval',
    options: [
      { id: 'yes', title: 'Yes' },
      { id: 'no', title: 'No' },
    ],
  }

  test('is answered with on_expire at its end date', async () => {
    await patch('deploy', { content: { ...content, end_date: seconds() + 60, on_expire: 'no' } })
    await pass(60)
    expect(await read('deploy')).toMatchObject({
      state: 'ended',
      content: { answer: { option: 'no', by: 'expired', at: seconds() } },
    })
  })

  test('ends without an answer when on_expire is not set', async () => {
    await patch('deploy', { content: { ...content, end_date: seconds() + 60 } })
    await pass(60)
    const { state, content: ended } = await read('deploy')
    expect([state, ended.answer]).toEqual(['ended', undefined])
  })
})

describe.skipIf(sqliteSuffices())('deletion', () => {
  test('happens ended_ttl after the end', async () => {
    await patch('a', { ended_ttl: 60 })
    await patch('a', { state: 'ended' })
    await pass(59)
    expect((await read('a')).slug).toBe('a')
    await pass(1)
    expect((await app.get('/activities/a', user.token)).status).toBe(404)
  })

  test('does not happen to an activity that was started again, or that never ran', async () => {
    for (const ended_ttl of [30, 60]) {
      await app.post('/activities', { slug: 'never', name: 'N', ended_ttl }, user.token)
    }
    await patch('a', { ended_ttl: 60 })
    await patch('a', { state: 'ended' })
    await patch('a', {})
    await pass(3600)
    expect(await states()).toEqual({ a: 'ongoing', never: 'ended' })
  })

  test('R10: without ended_ttl happens 30 days after the last change; ongoing activities are kept', async () => {
    await patch('old', {})
    await patch('old', { state: 'ended' })
    await pass(29 * 86_400)
    await patch('young', {})
    await pass(86_400 + 1)
    await scheduleHousekeeping(app.app.ctx)
    await app.runDueJobs()
    expect(await states()).toEqual({ young: 'ended' })
    const events = await app.app.ctx.db.read.all(sql`select type, data from events
      where user_id = ${user.userId} and type = 'activity.deleted'`)
    expect(events).toEqual([{ type: 'activity.deleted', data: '{"slug":"old"}' }])
  })
})
