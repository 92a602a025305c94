// Activities by endpoint: create, list, read, delete. PATCH is in activity-patches.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const input = { slug: 'build', name: 'Build' }
const post = (body: Record<string, unknown> = {}, token = user.token) =>
  app.post('/activities', { ...input, ...body }, token)
const patch = (body: unknown, slug = 'build') => app.patch(`/activities/${slug}`, body, user.token)
const read = async (query = '', slug = 'build') => (await app.get(`/activities/${slug}${query}`, user.token)).body
const slugsOf = (answer: { body: { items: { slug: string }[] } }) => answer.body.items.map(({ slug }) => slug)
const now = () => new Date(app.clock.now()).toISOString()

describe('POST /activities', () => {
  test('201 created: ended, with empty content', async () => {
    const answer = await post({ priority: 3, ended_ttl: 60, stale_ttl: 120, dismissal_ttl: 0 })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('x-resource-action')).toBe('created')
    expect(answer.body).toEqual({
      kind: 'owned',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...input,
      state: 'ended',
      priority: 3,
      content: {},
      ended_ttl: 60,
      stale_ttl: 120,
      dismissal_ttl: 0,
      created_at: now(),
      updated_at: now(),
    })
    expect(await read()).toEqual(answer.body)
  })

  test('201 updated: name, priority and times are replaced, absent ones cleared; state and content are kept', async () => {
    const created = await post({ priority: 3, stale_ttl: 120 })
    const started = (await patch({ state: 'ongoing', content: { state: 'on' } })).body
    app.advanceSeconds(5)
    const answer = await post({ name: 'Build 2' })
    expect(answer.headers.get('x-resource-action')).toBe('updated')
    expect(answer.body).toEqual({
      ...created.body,
      name: 'Build 2',
      priority: 0,
      state: 'ongoing',
      content: started.content,
      stale_ttl: undefined,
      updated_at: now(),
    })
  })

  test('201 with another ended_ttl one that has ended is deleted at another time', async () => {
    await app.post('/activities', { slug: 'build', name: 'Build', ended_ttl: 60 }, user.token)
    await app.patch('/activities/build', { state: 'ongoing' }, user.token)
    const ended = await app.patch('/activities/build', { state: 'ended' }, user.token)
    const changed = await app.post('/activities', { slug: 'build', name: 'Build', ended_ttl: 300 }, user.token)
    expect(Date.parse(changed.body.delete_at) - Date.parse(ended.body.ended_at)).toBe(300_000)
    const cleared = await app.post('/activities', { slug: 'build', name: 'Build' }, user.token)
    expect(cleared.body).not.toHaveProperty('delete_at')
  })

  test('201 slugs are per account, and creating does not use up quota', async () => {
    const neighbour = await app.addUser()
    await post({}, neighbour.token)
    expect((await post()).headers.get('x-resource-action')).toBe('created')
    expect((await app.get('/auth/me', user.token)).body).toMatchObject({
      activity_count: 1,
      live_activity_updates_used: 0,
    })
  })

  test('200 a dry run shows the result and changes nothing', async () => {
    const answer = await app.post('/activities?dry_run=true', input, user.token)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ valid: true, would: { action: 'created', pushes: [], resource: input } })
    expect((await app.get('/activities/build', user.token)).status).toBe(404)
  })

  test.each([-1, 11])('400 activity.priority_invalid for %s', async (priority) => {
    expectProblem(await post({ priority }), 400, 'activity.priority_invalid')
  })

  test('401 token.invalid without a token', async () => {
    expectProblem(await app.post('/activities', input), 401, 'token.invalid')
  })

  test.each(['read', 'update'])('403 integration_key.permission_denied for a key with %s', async (level) => {
    const key = await app.addKey(user, { permissions: { activities: level } })
    const refused = await post({}, key)
    expectProblem(refused, 403, 'integration_key.permission_denied')
    expect(refused.body.detail).toContain('activities:manage')
  })

  test('403 integration_key.slug_invalid outside of the key’s slugs', async () => {
    const key = await app.addKey(user, { permissions: { activities: 'manage' }, activity_slugs: ['ci-*'] })
    expectProblem(await post({}, key), 403, 'integration_key.slug_invalid')
    expect((await post({ slug: 'ci-1' }, key)).status).toBe(201)
  })

  test('409 activity.limit_exceeded at the 51st, while an existing slug can still be updated', async () => {
    for (let count = 0; count < LIMITS.activity.maxPerAccount; count++) {
      expect((await post({ slug: `a${count}` })).status).toBe(201)
    }
    expectProblem(await post({ slug: 'one-more' }), 409, 'activity.limit_exceeded')
    expect((await post({ slug: 'a0' })).headers.get('x-resource-action')).toBe('updated')
    await app.del('/activities/a1', user.token)
    expect((await post({ slug: 'one-more' })).status).toBe(201)
  })

  test('201 with target: null; 422 org.target_unavailable for any other target in a personal account', async () => {
    expect((await post({ target: null })).status).toBe(201)
    expectProblem(await post({ slug: 'new', target: { groups: ['oncall'] } }), 422, 'org.target_unavailable')
    expectProblem(await app.get('/activities/new', user.token), 404, 'activity.not_found')
  })

  test('422 request.validation_failed lists every violation', async () => {
    const refused = await post({ slug: '-x', name: '', priority: true, ended_ttl: 0, stale_ttl: 1.5, content: {} })
    expectProblem(refused, 422, 'request.validation_failed')
    const members = ['content', 'ended_ttl', 'name', 'priority', 'slug', 'stale_ttl']
    expect(locations(refused).sort()).toEqual(members.map((member) => `body.${member}`))
  })

  test.each([
    ['ended_ttl', 1, LIMITS.activity.maxTtlSeconds],
    ['stale_ttl', 1, LIMITS.activity.maxTtlSeconds],
    ['dismissal_ttl', 0, LIMITS.activity.maxDismissalSeconds],
  ])('201 and 422 at the limits of %s', async (member, least, most) => {
    for (const value of [least, most, null]) expect((await post({ [member]: value })).status).toBe(201)
    for (const value of [least - 1, most + 1, least + 0.5, true]) {
      expectProblem(await post({ [member]: value }), 422, 'request.validation_failed')
    }
  })
})

describe('GET /activities', () => {
  test('200 activities of the caller, by slug, in pages without duplicates or gaps', async () => {
    await post({}, (await app.addUser()).token)
    const slugs = ['B', 'a', 'a-b', 'a_b', 'b', 'c']
    for (const slug of slugs.toReversed()) await post({ slug })
    expect(slugsOf(await app.get('/activities', user.token))).toEqual(slugs)
    const seen: string[] = []
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await app.get(`/activities?limit=4${after && `&after=${after}`}`, user.token)
      seen.push(...slugsOf(page))
      after = page.body.next_cursor
      expect(page.body.has_more).toBe(after !== undefined)
    }
    expect(seen).toEqual(slugs)
  })

  test('200 a page has at most about a megabyte, and at least one item', async () => {
    for (const slug of ['a', 'b', 'c', 'd']) await post({ slug })
    const sizes: [string, number][] = [
      ['a', 1_040_000],
      ['b', 400_000],
      ['c', 400_000],
      ['d', 400_000],
    ]
    await app.app.ctx.db.transact(async (tx) => {
      for (const [slug, bytes] of sizes) {
        const content = JSON.stringify({ template: 'generic', text: 'x'.repeat(bytes) })
        await tx.execute(
          sql`update activities set content = ${content} where user_id = ${user.userId} and slug = ${slug}`,
        )
      }
    })
    const pages: string[][] = []
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await app.get(`/activities?limit=100${after && `&after=${after}`}`, user.token)
      pages.push(slugsOf(page))
      after = page.body.next_cursor
    }
    expect(pages).toEqual([['a'], ['b', 'c'], ['d']])
  })

  test('200 filtered by state, ignoring case', async () => {
    await post({ slug: 'quiet' })
    await post({ slug: 'loud' })
    await patch({ state: 'ongoing' }, 'loud')
    expect(slugsOf(await app.get('/activities?state=OnGoing', user.token))).toEqual(['loud'])
    expect(slugsOf(await app.get('/activities?state=ended', user.token))).toEqual(['quiet'])
    expect(slugsOf(await app.get('/activities?state=preempted', user.token))).toEqual([])
  })

  test('200 a key limited to slugs sees only those', async () => {
    const key = await app.addKey(user, { permissions: { activities: 'read' }, activity_slugs: ['ci-*', 'build'] })
    for (const slug of ['ci-1', 'build', 'build-2', 'other']) await post({ slug })
    expect(slugsOf(await app.get('/activities', key))).toEqual(['build', 'ci-1'])
  })

  test('400 activity.state_invalid and cursor.invalid', async () => {
    expectProblem(await app.get('/activities?state=paused', user.token), 400, 'activity.state_invalid')
    expectProblem(await app.get('/activities?after=-no', user.token), 400, 'cursor.invalid')
  })

  test.each([0, 101, 1.5])('422 request.validation_failed for limit=%s', async (limit) => {
    expectProblem(await app.get(`/activities?limit=${limit}`, user.token), 422, 'request.validation_failed')
  })
})

describe('GET /activities/:slug', () => {
  test('200 with the history of a timeline: every value once, after the seed of the first patch', async () => {
    await post()
    const at = Math.floor(app.clock.now() / 1000)
    const seed = { CPU: [{ timestamp: at - 60, value: 1 }] }
    const content = { template: 'timeline', value: { CPU: 2 }, history: seed }
    const answer = await patch({ state: 'ongoing', content })
    expect(answer.body.content).not.toHaveProperty('history')
    app.advanceSeconds(60)
    await patch({ content: { value: { CPU: 3, RAM: 9 }, history: { CPU: [{ timestamp: 5, value: 5 }] } } })
    await patch({ content: { state: 'no new value' } })
    expect((await read()).content.history).toEqual({
      CPU: [...seed.CPU, { timestamp: at, value: 2 }, { timestamp: at + 60, value: 3 }],
      RAM: [{ timestamp: at + 60, value: 9 }],
    })
  })

  test('200 the history is deleted when the template changes', async () => {
    await post()
    await patch({ state: 'ongoing', content: { template: 'timeline', value: { CPU: 2 } } })
    await patch({ content: { template: 'alert', severity: 'info' } })
    expect((await read()).content).toEqual({ template: 'alert', severity: 'info' })
    await patch({ content: { template: 'timeline', value: { CPU: 7 } } })
    expect((await read()).content.history.CPU.map(({ value }: { value: number }) => value)).toEqual([7])
  })

  test('200 with the seed of a timeline that was another template with records before', async () => {
    await post()
    await patch({ state: 'ongoing', content: { template: 'log', lines: [{ text: 'a' }, { text: 'b' }] } })
    const at = Math.floor(app.clock.now() / 1000)
    const seed = [1, 2].map((value) => ({ timestamp: at - 60 * value, value })).reverse()
    await patch({ content: { template: 'timeline', lines: null, value: { CPU: 3 }, history: { CPU: seed } } })
    expect((await read()).content.history.CPU).toEqual([...seed, { timestamp: at, value: 3 }])
  })

  test('200 include=log_backlog has all lines, newest first, without duplicates', async () => {
    await post()
    const line = (text: string) => ({ text })
    const show = (...texts: string[]) =>
      patch({ state: 'ongoing', content: { template: 'log', lines: texts.map(line) } })
    await show('a')
    await show('b', 'a')
    await show('c')
    expect((await read()).content).toEqual({ template: 'log', lines: [line('c')] })
    expect((await read('?include=log_backlog')).content.log_backlog).toEqual(['c', 'b', 'a'].map(line))
  })

  test('200 the backlog keeps the newest lines, up to 300 KiB and 1000 lines', async () => {
    await post()
    const fill = async (from: number, padding: string) => {
      const lines = Array.from({ length: 20 }, (_, index) => ({ text: `${from + 19 - index} ${padding}` }))
      await patch({ state: 'ongoing', content: { template: 'log', lines } })
    }
    for (let from = 0; from < 1040; from += 20) await fill(from, '')
    const { log_backlog: short } = (await read('?include=log_backlog')).content
    expect([short.length, short[0].text, short.at(-1).text]).toEqual([LIMITS.activity.maxBacklogLines, '1039 ', '40 '])
    for (let from = 2000; from < 3000; from += 20) await fill(from, 'x'.repeat(500))
    const { log_backlog: long } = (await read('?include=log_backlog')).content
    const bytes = long.reduce((sum: number, line: object) => sum + JSON.stringify(line).length, 0)
    expect(long[0].text).toMatch(/^2999 /)
    expect(bytes).toBeLessThanOrEqual(LIMITS.activity.maxBacklogBytes)
    expect(bytes).toBeGreaterThan(LIMITS.activity.maxBacklogBytes - 1024)
  })

  test('400 slug.invalid, 404 activity.not_found', async () => {
    expectProblem(await app.get('/activities/-x', user.token), 400, 'slug.invalid')
    expectProblem(await app.get('/activities/none', user.token), 404, 'activity.not_found')
  })

  test('403 integration_key.slug_invalid whether or not the activity exists', async () => {
    const key = await app.addKey(user, { permissions: { activities: 'read' }, activity_slugs: ['ci-*'] })
    await post()
    for (const slug of ['build', 'none']) {
      expectProblem(await app.get(`/activities/${slug}`, key), 403, 'integration_key.slug_invalid')
    }
  })

  test.each(['?include=everything', '?wait=26', '?wait=-1', '?wait=x'])('422 for %s', async (query) => {
    await post()
    expectProblem(await app.get(`/activities/build${query}`, user.token), 422, 'request.validation_failed')
  })
})

describe('DELETE /activities/:slug', () => {
  test('204, then 404 activity.not_found; a new activity of the same slug has no history', async () => {
    await post()
    await patch({ state: 'ongoing', content: { template: 'timeline', value: { CPU: 1 } } })
    expect((await app.del('/activities/build', user.token)).status).toBe(204)
    expectProblem(await app.del('/activities/build', user.token), 404, 'activity.not_found')
    await post()
    await patch({ state: 'ongoing', content: { template: 'timeline', value: { CPU: 2 } } })
    expect((await read()).content.history.CPU).toHaveLength(1)
  })

  test('403 integration_key.permission_denied for a key with update', async () => {
    const key = await app.addKey(user, { permissions: { activities: 'update' } })
    await post()
    expectProblem(await app.del('/activities/build', key), 403, 'integration_key.permission_denied')
  })
})

describe('POST /notifications', () => {
  test('201 linked to an activity of the account; 422 notification.activity_not_found otherwise', async () => {
    await post()
    const send = (slug: string) =>
      app.post('/notifications', { title: 'T', body: 'B', activity_slug: slug }, user.token)
    expect((await send('build')).body.activity_slug).toBe('build')
    await post({ slug: 'theirs' }, (await app.addUser()).token)
    expectProblem(await send('theirs'), 422, 'notification.activity_not_found')
  })
})
