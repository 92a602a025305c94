// PATCH /activities/:slug by status: states, content, cost, events.
import { beforeEach, describe, expect, test } from 'vitest'
import { SOUNDS } from '../../../src/contract/activities.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { setUsed } from '../../support/usage.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
  await app.post('/activities', { slug: 'build', name: 'Build' }, user.token)
})

const patch = (body: unknown, token = user.token, query = '') => app.patch(`/activities/build${query}`, body, token)
const read = async () => (await app.get('/activities/build', user.token)).body
const used = async (token = user.token) => (await app.get('/auth/me', token)).body.live_activity_updates_used
const eventTypes = async () => {
  const rows = await app.app.ctx.db.read.all<{ type: string }>(
    sql`select type from events where user_id = ${user.userId} and type like 'activity.%' order by number`,
  )
  return rows.map(({ type }) => type.replace('activity.', ''))
}
const GAUGE = { template: 'gauge', value: 5, min_value: 0, max_value: 10 }

describe('200', () => {
  test('starts, updates and ends: each is one event and one unit of quota; ending an ended one uses no quota', async () => {
    const started = await patch({ state: 'ONGOING', content: GAUGE })
    expect(started.body).toMatchObject({ state: 'ongoing', content: { ...GAUGE, progress: 0.5 } })
    app.advanceSeconds(60)
    expect((await patch({ content: { value: 7 } })).body.content.progress).toBe(0.7)
    const ended = (await patch({ state: 'ended' })).body
    expect(ended).toMatchObject({ state: 'ended', ended_at: new Date(app.clock.now()).toISOString() })
    expect(await used()).toBe(3)
    await patch({ state: 'ended', content: { state: 'bye' } })
    await patch({ priority: 4 })
    expect(await used()).toBe(3)
    expect(await eventTypes()).toEqual(['created', 'started', 'updated', 'ended', 'updated', 'updated'])
  })

  test('ended_at is the first end and is kept; delete_at counts from the last end', async () => {
    await patch({ state: 'ongoing', ended_ttl: 300 })
    const first = (await patch({ state: 'ended' })).body
    expect(Date.parse(first.delete_at) - Date.parse(first.ended_at)).toBe(300_000)
    app.advanceSeconds(60)
    expect((await patch({ state: 'ongoing' })).body).not.toHaveProperty('delete_at')
    app.advanceSeconds(60)
    const second = (await patch({ state: 'ended' })).body
    expect(second.ended_at).toBe(first.ended_at)
    expect(Date.parse(second.delete_at) - Date.parse(second.updated_at)).toBe(300_000)
    expect((await patch({ ended_ttl: null })).body).not.toHaveProperty('delete_at')
  })

  test('times have three states: absent keeps, null clears, a value sets', async () => {
    await patch({ ended_ttl: 60, stale_ttl: 70, dismissal_ttl: 80, priority: 2 })
    const kept = (await patch({ priority: 10, stale_ttl: null })).body
    expect(kept).toMatchObject({ ended_ttl: 60, dismissal_ttl: 80, priority: 10 })
    expect(kept).not.toHaveProperty('stale_ttl')
  })

  test.each([...SOUNDS, '', null])('sound %s is accepted and not stored', async (sound) => {
    const answer = await patch({ state: 'ongoing', sound })
    expect([answer.status, 'sound' in answer.body]).toEqual([200, false])
  })

  test('on the path of older clients too', async () => {
    const answer = await app.patch('/activity/build', { state: 'ongoing' }, user.token)
    expect([answer.status, answer.body.state]).toEqual([200, 'ongoing'])
  })

  test.each(['application/merge-patch+json', 'application/json; charset=utf-8'])(
    'with content type %s',
    async (type) => {
      const call = { token: user.token, raw: '{"priority":1}', headers: { 'content-type': type } }
      expect((await app.call('PATCH', '/activities/build', call)).status).toBe(200)
    },
  )

  test('updated_at increases with every change, even within one millisecond', async () => {
    const first = (await patch({ content: {} })).body
    const second = (await patch({ content: {} })).body
    expect(Date.parse(second.updated_at)).toBe(Date.parse(first.updated_at) + 1)
  })

  test('a dry run returns the result with the pushes and their sizes, and changes nothing', async () => {
    const before = await read()
    const { status, body } = await patch({ state: 'ongoing', content: GAUGE }, user.token, '?dry_run=true')
    expect([status, body.valid]).toEqual([200, true])
    expect(body.would).toMatchObject({
      action: 'updated',
      resource: { state: 'ongoing' },
      quota: { kind: 'live_activity_updates', cost: 1, used: 1 },
    })
    expect(body.would.pushes.map(({ channel }: { channel: string }) => channel)).toEqual(['apns', 'web_push'])
    expect(body.would.pushes[0].payload.aps).toMatchObject({ event: 'start', attributes: { slug: 'build' } })
    expect(body.would.pushes[0].bytes).toBe(JSON.stringify(body.would.pushes[0].payload).length)
    expect([await read(), await used()]).toEqual([before, 0])
  })

  test('a dry run shows the push of a timeline with its history, and of an approval with a ticket', async () => {
    await patch({ state: 'ongoing', content: { template: 'timeline', value: { CPU: 1 } } })
    const rehearse = async (content: object) =>
      (await patch({ content, sound: 'bell' }, user.token, '?dry_run=true')).body.would.pushes[0].payload.aps
    const timeline = await rehearse({ value: { CPU: 2 } })
    expect(timeline).toMatchObject({ event: 'update', sound: 'bell.caf' })
    expect(timeline['content-state'].history.CPU).toHaveLength(2)
    const options = [
      { id: 'a', title: 'A' },
      { id: 'b', title: 'B' },
    ]
    const approval = await rehearse({ template: 'approval', options })
    expect(approval['content-state'].answer_ticket).toHaveLength(48)
  })

  test('a key with the level update can update within its slugs', async () => {
    const key = await app.addKey(user, { permissions: { activities: 'update' }, activity_slugs: ['bui*'] })
    expect((await patch({ state: 'ongoing' }, key)).status).toBe(200)
  })
})

describe('200 for requests of existing public clients', () => {
  test('a countdown whose end_date is the current second', async () => {
    const seconds = Math.floor(app.clock.now() / 1000)
    const running = { template: 'countdown', start_date: seconds, end_date: seconds + 600 }
    expect((await patch({ state: 'ongoing', content: running })).status).toBe(200)
    const complete = { template: 'countdown', state: 'Complete', end_date: seconds }
    const completed = await patch({ state: 'ongoing', content: complete })
    expect([completed.status, completed.body.content]).toEqual([200, complete])
    expect((await patch({ state: 'ended', content: complete })).body.state).toBe('ended')
  })

  test('target: null means none, alone and with other members', async () => {
    expect((await patch({ target: null })).status).toBe(200)
    expect((await patch({ state: 'ongoing', target: null })).body).not.toHaveProperty('target')
  })

  test.each(['/activities/build', '/activity/build'])('X-Resource-Action is updated: %s', async (path) => {
    const answer = await app.patch(path, { state: 'ongoing' }, user.token)
    expect([answer.status, answer.headers.get('x-resource-action')]).toEqual([200, 'updated'])
    const rehearsed = await app.patch(`${path}?dry_run=true`, { state: 'ended' }, user.token)
    expect(rehearsed.headers.has('x-resource-action')).toBe(false)
  })
})

describe('201', () => {
  test('upsert creates the activity, named like its slug, and then updates it', async () => {
    const upsert = (body: object) => app.patch('/activities/new?upsert=true', body, user.token)
    const created = await upsert({ state: 'ongoing', content: GAUGE })
    expect([created.status, created.body.name, created.body.state]).toEqual([201, 'new', 'ongoing'])
    expect(created.headers.get('x-resource-action')).toBe('created')
    const updated = await upsert({ content: { value: 6 } })
    expect([updated.status, updated.headers.get('x-resource-action')]).toEqual([200, 'updated'])
  })
})

describe('400', () => {
  test('request.body_required for no body and for {}', async () => {
    expectProblem(await patch(undefined), 400, 'request.body_required')
    expectProblem(await patch({}), 400, 'request.body_required')
  })

  test.each(['paused', 'preempted', ''])('activity.state_invalid for the state "%s"', async (state) => {
    expectProblem(await patch({ state }), 400, 'activity.state_invalid')
  })

  test('activity.state_invalid for a preempted activity without a state; with one it starts again', async () => {
    for (const slug of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await app.patch(`/activities/${slug}?upsert=true`, { state: 'ongoing' }, user.token)
      app.advanceSeconds(1)
    }
    const preempted = (content: object) => app.patch('/activities/a', content, user.token)
    expectProblem(await preempted({ content: { state: 'x' } }), 400, 'activity.state_invalid')
    expect((await preempted({ state: 'ongoing' })).body.state).toBe('ongoing')
    expect((await app.get('/activities/b', user.token)).body.state).toBe('preempted')
  })

  test('activity.priority_invalid', async () => {
    expectProblem(await patch({ priority: LIMITS.activity.maxPriority + 1 }), 400, 'activity.priority_invalid')
  })
})

describe('403', () => {
  test('integration_key.permission_denied for a key with read', async () => {
    const key = await app.addKey(user, { permissions: { activities: 'read' } })
    expectProblem(await patch({ state: 'ongoing' }, key), 403, 'integration_key.permission_denied')
  })

  test('activity.upsert_forbidden for a key with update, whether or not the activity exists', async () => {
    const key = await app.addKey(user, { permissions: { activities: 'update' } })
    for (const slug of ['build', 'new']) {
      const refused = await app.patch(`/activities/${slug}?upsert=true`, { state: 'ongoing' }, key)
      expectProblem(refused, 403, 'activity.upsert_forbidden')
    }
  })

  test('integration_key.slug_invalid on both paths', async () => {
    const key = await app.addKey(user, { permissions: { activities: 'manage' }, activity_slugs: ['ci-*'] })
    for (const path of ['/activities/build', '/activity/build']) {
      expectProblem(await app.patch(path, { state: 'ongoing' }, key), 403, 'integration_key.slug_invalid')
    }
  })
})

test('404 activity.not_found, even for invalid content', async () => {
  const refused = await app.patch('/activities/none', { content: { template: 'gauge' } }, user.token)
  expectProblem(refused, 404, 'activity.not_found')
})

test('409 activity.limit_exceeded when an upsert would create the 51st', async () => {
  for (let count = 1; count < LIMITS.activity.maxPerAccount; count++) {
    await app.post('/activities', { slug: `a${count}`, name: 'A' }, user.token)
  }
  const refused = await app.patch('/activities/new?upsert=true', { state: 'ongoing' }, user.token)
  expectProblem(refused, 409, 'activity.limit_exceeded')
})

describe('422', () => {
  test.each([{ groups: ['oncall'] }, {}])(
    'org.target_unavailable for the target %j in a personal account',
    async (target) => {
      expectProblem(await patch({ target }), 422, 'org.target_unavailable')
      expectProblem(await patch({ target, state: 'ongoing' }, user.defaultKey), 422, 'org.target_unavailable')
      // The target is checked after permission and before existence.
      expectProblem(await app.patch('/activities/none', { target }, user.token), 422, 'org.target_unavailable')
      const key = await app.addKey(user, { permissions: { activities: 'read' } })
      expectProblem(await patch({ target }, key), 403, 'integration_key.permission_denied')
      expect(await used()).toBe(0)
    },
  )

  test('request.validation_failed for a target of another shape', async () => {
    const refused = await patch({ target: { groups: 'oncall', teams: [] } })
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(expect.arrayContaining(['body.target.groups', 'body.target.teams']))
  })

  test('activity.content_invalid names template, location and limit, and nothing is changed', async () => {
    await patch({ state: 'ongoing', content: GAUGE })
    const [before, paid, events] = [await read(), await used(), await eventTypes()]
    const refused = await patch({ state: 'ended', priority: 9, content: { value: 11, progress: 7, unit: 5 } })
    expectProblem(refused, 422, 'activity.content_invalid')
    expect(refused.body.detail).toContain('With the template gauge, body.content.progress must be at most 1')
    expect(locations(refused)).toEqual(['body.content.progress', 'body.content.unit'])
    expect([await read(), await used(), await eventTypes()]).toEqual([before, paid, events])
  })

  test('request.validation_failed for wrong types, unknown sounds and read-only members', async () => {
    const refused = await patch({ state: 5, content: [], sound: 'meow', priority: '1', id: 'x', ended_at: 'y' })
    expectProblem(refused, 422, 'request.validation_failed')
    const members = ['content', 'ended_at', 'id', 'priority', 'sound', 'state']
    expect(locations(refused).sort()).toEqual(members.map((member) => `body.${member}`))
  })

  test('activity.content_invalid for a number that is not finite', async () => {
    const raw = '{"state":"ongoing","content":{"template":"gauge","value":1e999,"min_value":0,"max_value":1}}'
    const refused = await app.call('PATCH', '/activities/build', { token: user.token, raw })
    expectProblem(refused, 422, 'activity.content_invalid')
  })
})

test('429 quota.exceeded on the free plan after 250 updates, and the refused patch changes nothing', async () => {
  const free = await app.addUser('free')
  await app.post('/activities', { slug: 'build', name: 'Build' }, free.token)
  await setUsed(app, free, 'live_activity_updates', 249)
  expect((await patch({ state: 'ongoing' }, free.token)).status).toBe(200)
  const refused = await patch({ content: { state: 'x' } }, free.token)
  expectProblem(refused, 429, 'quota.exceeded')
  expect(refused.body).toMatchObject({ kind: 'live_activity_updates', used: 250, limit: 250 })
  expect((await app.get('/activities/build', free.token)).body.content).toEqual({ template: 'generic' })
  // A change that no device shows uses no quota.
  await app.post('/activities', { slug: 'idle', name: 'Idle' }, free.token)
  expect((await app.patch('/activities/idle', { priority: 1 }, free.token)).status).toBe(200)
})
