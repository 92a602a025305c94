// Which activity a slug or an id means for which caller, the list of own and shared ones, keys, and whose quota is used.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS, QUOTAS } from '../../../src/contract/limits.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { addActivity, share } from '../../support/shares.ts'
import { setUsed } from '../../support/usage.ts'

const app = useTestApp()
let owner: TestUser
let recipient: TestUser
beforeEach(async () => {
  ;[owner, recipient] = [await app.addUser(), await app.addUser()]
})

const ONGOING = { state: 'ongoing', content: { state: 'x' } }
const read = ({ token }: TestUser, name = 'build') => app.get(`/activities/${name}`, token)
const listOf = async (token: string, query = '') => (await app.get(`/activities${query}`, token)).body.items
const overviewOf = async ({ token }: TestUser) => (await app.get('/auth/me', token)).body

describe('a name in the path', () => {
  test('means the own activity, then the one received first, then the next', async () => {
    const owners = [await app.addUser(), await app.addUser()]
    const ids: string[] = []
    const shares: string[] = []
    // The activity that is older is received later.
    for (const user of owners) ids.unshift((await addActivity(app, user, 'build')).id)
    for (const user of owners.toReversed()) {
      app.advanceSeconds(1)
      shares.push((await share(app, { owner: user, recipient, what: 'build' })).id)
    }
    const own = await addActivity(app, recipient, 'build')
    expect((await read(recipient)).body.id).toBe(own.id)
    await app.del('/activities/build', recipient.token)
    expect((await read(recipient)).body.id).toBe(ids[0])
    await app.del(`/shares/${shares[0]}`, recipient.token)
    expect((await read(recipient)).body.id).toBe(ids[1])
    await app.del(`/shares/${shares[1]}`, recipient.token)
    expectProblem(await read(recipient), 404, 'activity.not_found')
  })

  test('may be the id of any activity that the caller sees; an own slug comes first', async () => {
    const own = await addActivity(app, recipient, 'own')
    const shared = await addActivity(app, owner, 'shared')
    await share(app, { owner, recipient, what: 'shared' })
    expect((await read(recipient, own.id)).body).toEqual((await read(recipient, 'own')).body)
    expect((await read(recipient, shared.id)).body.kind).toBe('shared')
    const disguised = await addActivity(app, recipient, shared.id)
    expect((await read(recipient, shared.id)).body.id).toBe(disguised.id)
  })

  test('404 activity.not_found for the id of an activity that is not shared with the caller', async () => {
    const { id } = await addActivity(app, owner, 'secret', ONGOING)
    await addActivity(app, owner, 'build')
    await share(app, { owner, recipient, what: 'build', role: 'editor' })
    for (const answer of [
      await read(recipient, id),
      await app.patch(`/activities/${id}`, ONGOING, recipient.token),
      await app.patch(`/activity/${id}`, ONGOING, recipient.token),
      await app.del(`/activities/${id}`, recipient.token),
      await app.post(`/activities/${id}/snooze`, undefined, recipient.token),
      await app.post(`/activities/${id}/answer`, { option: 'yes' }, recipient.token),
      await app.post(`/activities/${id}/share`, {}, recipient.token),
    ]) {
      expectProblem(answer, 404, 'activity.not_found')
    }
  })

  test('an owner changes and deletes by id too', async () => {
    const { id } = await addActivity(app, owner, 'build')
    expect((await app.patch(`/activities/${id}`, ONGOING, owner.token)).body).toMatchObject({ id, slug: 'build' })
    expect((await app.del(`/activities/${id}`, owner.token)).status).toBe(204)
    expectProblem(await read(owner), 404, 'activity.not_found')
  })
})

test('a pattern covers slugs that begin with its characters, case included', async () => {
  for (const slug of ['a_b-', 'a_b-1', 'A_b-1', 'a-b-1', 'axb-1', 'a_b', 'xa_b-1']) await addActivity(app, owner, slug)
  await share(app, { owner, recipient, what: 'a_b-*' })
  const slugs = (await listOf(recipient.token)).map(({ slug }: { slug: string }) => slug)
  expect(slugs).toEqual(['a_b-', 'a_b-1'])
  for (const slug of ['A_b-1', 'a-b-1', 'axb-1', 'a_b', 'xa_b-1']) {
    expectProblem(await read(recipient, slug), 404, 'activity.not_found')
    expect((await read(owner, slug)).body).not.toHaveProperty('share_count')
  }
})

describe('creating beside a shared activity', () => {
  test('201 POST and ?upsert=true create an own one, although the slug is shared with an editor', async () => {
    for (const slug of ['posted', 'upserted']) {
      await addActivity(app, owner, slug)
      await share(app, { owner, recipient, what: slug, role: 'editor' })
    }
    const posted = await app.post('/activities', { slug: 'posted', name: 'Mine' }, recipient.token)
    const upserted = await app.patch('/activities/upserted?upsert=true', ONGOING, recipient.token)
    for (const { status, body, headers } of [posted, upserted]) {
      expect([status, body.kind, headers.get('x-resource-action')]).toEqual([201, 'owned', 'created'])
    }
    for (const slug of ['posted', 'upserted']) expect((await read(owner, slug)).body.state).toBe('ended')
  })

  test('a key of the recipient creates an own one too', async () => {
    await addActivity(app, owner, 'build')
    await share(app, { owner, recipient, what: 'build', role: 'editor' })
    const created = await app.patch('/activities/build?upsert=true', ONGOING, recipient.defaultKey)
    expect([created.status, created.body.kind]).toEqual([201, 'owned'])
  })

  test('shared activities count neither toward the fifty of an account nor toward its five ongoing ones', async () => {
    for (let count = 0; count < LIMITS.activity.maxOngoing; count++) await addActivity(app, owner, `b${count}`, ONGOING)
    await share(app, { owner, recipient, what: 'b*', role: 'editor' })
    await addActivity(app, recipient, 'own', ONGOING)
    await app.patch('/activities/b0', ONGOING, recipient.token)
    const states = (await listOf(recipient.token)).map(({ state }: { state: string }) => state)
    expect(states).toEqual(Array(LIMITS.activity.maxOngoing + 1).fill('ongoing'))
    expect(await overviewOf(recipient)).toMatchObject({ activity_count: 1 })
    expect(await overviewOf(owner)).toMatchObject({ activity_count: LIMITS.activity.maxOngoing })
  })

  test('an editor who starts a sixth preempts one of the owner', async () => {
    for (let count = 0; count <= LIMITS.activity.maxOngoing; count++) {
      await addActivity(app, owner, `b${count}`, count < LIMITS.activity.maxOngoing ? ONGOING : undefined)
      app.advanceSeconds(1)
    }
    await share(app, { owner, recipient, what: 'b*', role: 'editor' })
    expect((await app.patch('/activities/b5', ONGOING, recipient.token)).status).toBe(200)
    expect((await read(owner, 'b0')).body.state).toBe('preempted')
    expect((await read(recipient, 'b0')).body.state).toBe('preempted')
  })
})

describe('GET /activities', () => {
  test('200 by slug, own before shared, then by id; in pages of any size without duplicates or gaps', async () => {
    const others = [owner, await app.addUser(), await app.addUser()]
    const expected: [string, string, string][] = []
    for (const slug of ['B', 'a', 'build', 'z']) {
      if (slug !== 'z') expected.push([slug, 'owned', (await addActivity(app, recipient, slug)).id])
      const ids: string[] = []
      for (const user of slug === 'B' ? [owner] : others) ids.push((await addActivity(app, user, slug)).id)
      for (const id of ids.sort()) expected.push([slug, 'shared', id])
    }
    await addActivity(app, owner, 'secret')
    for (const user of others) {
      for (const what of user === owner ? ['B', 'a*', 'a', 'build', 'z'] : ['a', 'b*', 'z']) {
        await share(app, { owner: user, recipient, what })
      }
    }
    for (const limit of [1, 2, 3, 5, 100]) {
      const seen: unknown[] = []
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { body } = await app.get(`/activities?limit=${limit}${after && `&after=${after}`}`, recipient.token)
        for (const { slug, kind, id } of body.items) seen.push([slug, kind, id])
        after = body.next_cursor
        expect(body.items.length).toBeLessThanOrEqual(limit)
        expect(body.has_more).toBe(after !== undefined)
      }
      expect(seen).toEqual(expected)
    }
  })

  test('200 filtered by state', async () => {
    await addActivity(app, owner, 'loud', ONGOING)
    await addActivity(app, owner, 'quiet')
    await share(app, { owner, recipient, what: '*' })
    const slugs = async (state: string) =>
      (await listOf(recipient.token, `?state=${state}`)).map(({ slug }: { slug: string }) => slug)
    expect([await slugs('ongoing'), await slugs('ended')]).toEqual([['loud'], ['quiet']])
  })
})

describe('integration keys', () => {
  test('never see shared activities: not in the list, 404 by slug and by id', async () => {
    const { id } = await addActivity(app, owner, 'build', ONGOING)
    await share(app, { owner, recipient, what: 'build', role: 'editor' })
    const keys = [recipient.defaultKey, await app.addKey(recipient, { permissions: { activities: 'manage' } })]
    for (const key of keys) {
      expect(await listOf(key)).toEqual([])
      for (const name of ['build', id]) {
        expectProblem(await app.get(`/activities/${name}`, key), 404, 'activity.not_found')
        expectProblem(await app.patch(`/activities/${name}`, ONGOING, key), 404, 'activity.not_found')
        expectProblem(await app.del(`/activities/${name}`, key), 404, 'activity.not_found')
      }
    }
  })

  test('of the owner work as before, by slug and by id', async () => {
    const { id } = await addActivity(app, owner, 'build')
    await share(app, { owner, recipient, what: 'build' })
    for (const name of ['build', id]) {
      expect((await app.get(`/activities/${name}`, owner.defaultKey)).body).toMatchObject({ id, kind: 'owned' })
      expect((await app.patch(`/activities/${name}`, ONGOING, owner.defaultKey)).status).toBe(200)
    }
  })

  test('limited to slugs do not reach another activity by its id, even if the id matches one of their patterns', async () => {
    const { id } = await addActivity(app, owner, 'secret')
    for (const pattern of ['ci-*', `${id.slice(0, 4)}*`, id]) {
      const key = await app.addKey(owner, { permissions: { activities: 'manage' }, activity_slugs: [pattern] })
      const answers = [
        await app.get(`/activities/${id}`, key),
        await app.patch(`/activities/${id}`, ONGOING, key),
        await app.patch(`/activity/${id}`, ONGOING, key),
        await app.del(`/activities/${id}`, key),
      ]
      for (const { status, body } of answers) {
        expect(['403 integration_key.slug_invalid', '404 activity.not_found']).toContain(`${status} ${body?.code}`)
      }
    }
    expect((await read(owner, 'secret')).body).toMatchObject({ id, state: 'ended' })
  })
})

describe('quota', () => {
  test('one unit of the owner per accepted update, whoever sends it and however many receive it', async () => {
    await addActivity(app, owner, 'build')
    for (const user of [recipient, await app.addUser(), await app.addUser()]) {
      await share(app, { owner, recipient: user, what: 'build', role: 'editor' })
    }
    for (const { token } of [owner, recipient]) {
      expect((await app.patch('/activities/build', { state: 'ongoing' }, token)).status).toBe(200)
    }
    await app.patch('/activities/build', { content: { progress: 2 } }, recipient.token)
    expect(await overviewOf(owner)).toMatchObject({ live_activity_updates_used: 2 })
    expect(await overviewOf(recipient)).toMatchObject({ live_activity_updates_used: 0 })
  })

  test('429 quota.exceeded with the numbers of the owner, also for an editor', async () => {
    const { limit } = QUOTAS.free.live_activity_updates!
    await addActivity(app, owner, 'build')
    await share(app, { owner, recipient, what: 'build', role: 'editor' })
    await app.setPlan(owner, 'free')
    await setUsed(app, owner, 'live_activity_updates', limit)
    for (const { token } of [owner, recipient]) {
      const refused = await app.patch('/activities/build', ONGOING, token)
      expectProblem(refused, 429, 'quota.exceeded')
      expect(refused.body).toMatchObject({ kind: 'live_activity_updates', used: limit, limit })
    }
    expect((await read(recipient)).body.state).toBe('ended')
  })

  test('an editor whose own quota is used up still changes it', async () => {
    await addActivity(app, owner, 'build')
    await share(app, { owner, recipient, what: 'build', role: 'editor' })
    await setUsed(app, recipient, 'live_activity_updates', 1_000_000)
    expect((await app.patch('/activities/build', ONGOING, recipient.token)).status).toBe(200)
  })
})

test('422 notification.activity_not_found for a shared activity_slug, for persons and keys', async () => {
  const { id } = await addActivity(app, owner, 'build')
  await share(app, { owner, recipient, what: 'build', role: 'editor' })
  for (const token of [recipient.token, recipient.defaultKey]) {
    for (const activity_slug of ['build', id]) {
      const refused = await app.post('/notifications', { title: 'T', body: 'B', activity_slug }, token)
      expectProblem(refused, 422, 'notification.activity_not_found')
    }
  }
})
