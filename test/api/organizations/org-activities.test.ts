// Activities of an organization: whom their target reaches, and what members, admins and keys may do with them.
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { join } from '../../support/organizations/organization.ts'
import {
  addActivityKey,
  addTag,
  bodyOf,
  createShowingOrganization,
  type ShowingOrganization,
  seenBy,
  showing,
  startActivity,
  usageOf,
} from '../../support/organizations/showing-organization.ts'
import { addActivity, share } from '../../support/shares.ts'

const app = useTestApp()
let org: ShowingOrganization
beforeEach(async () => {
  org = await createShowingOrganization(app)
})

const slugs = (answer: { body: { items: { slug: string }[] } }) => answer.body.items.map(({ slug }) => slug)
const post = (slug: string, target?: object | null, token = org.key) =>
  app.post('/activities', { slug, name: slug, ...(target !== undefined && { target }) }, token)
const patch = (slug: string, body: object, token = org.key) => app.patch(`/activities/${slug}`, body, token)
const targetOf = async (slug: string, token = org.key) => (await app.get(`/activities/${slug}`, token)).body.target

describe('whom an activity reaches', () => {
  test('7 members by its target, as viewers, and not their keys; admins as the organization', async () => {
    const { m1, m2, m3, admin, key, path, id } = org
    await startActivity(app, key, 'deploy', { groups: ['ops'] })
    const seen = bodyOf(await app.get('/activities/deploy', m1.token), 200)
    expect(seen).toMatchObject({ kind: 'shared', share_role: 'viewer', owner_id: id, owner_nickname: 'Example' })
    expect(seen).not.toHaveProperty('target')
    expect(await seenBy(app, 'deploy', [m2, m3, admin])).toEqual([true, false, false])
    const asOrg = bodyOf(await app.get(`${path}/activities/deploy`, admin.token), 200)
    expect(asOrg).toMatchObject({ kind: 'owned', target: { groups: ['ops'] } })
    expect(asOrg).not.toHaveProperty('share_count')
    expectProblem(await patch('deploy', { priority: 3 }, m1.token), 403, 'activity.viewer_forbidden')
    expectProblem(await app.get('/activities/deploy', m1.defaultKey), 404, 'activity.not_found')
    expect(slugs(await app.get('/activities', m1.defaultKey))).toEqual([])
    expect(slugs(await app.get('/activities', m1.token))).toEqual(['deploy'])

    bodyOf(await patch('deploy', { target: { groups: ['sre'] } }), 200)
    expect(await seenBy(app, 'deploy', [m1, m2, m3])).toEqual([false, true, true])
    bodyOf(await post('deploy'), 201)
    expect(await targetOf('deploy')).toEqual({ groups: ['sre'] })
    bodyOf(await app.put(`${path}/groups/${org.sre}/members/${m1.userId}`, undefined, org.owner.token), 204)
    expect(await seenBy(app, 'deploy', [m1])).toEqual([true])
    expect(bodyOf(await patch('deploy', { target: null }), 200)).not.toHaveProperty('target')
    expect(await seenBy(app, 'deploy', [m1, m2, m3, admin, org.owner])).toEqual([true, true, true, true, true])
    expect(await usageOf(app, org)).toBe(3)
    for (const { token } of [m1, org.owner]) {
      expect((await app.get('/auth/me', token)).body.live_activity_updates_used).toBe(0)
    }
  })

  test('found by id too, and after an own one of the same slug', async () => {
    const { m1 } = org
    const { id } = bodyOf(await post('build'), 201)
    bodyOf(await post('build', undefined, m1.token), 201)
    expect((await app.get('/activities/build', m1.token)).body.kind).toBe('owned')
    expect((await app.get(`/activities/${id}`, m1.token)).body).toMatchObject({ id, kind: 'shared' })
    expect(slugs(await app.get('/activities', m1.token))).toEqual(['build', 'build'])
  })

  test('under one slug, the one that reached a person first is found by it: when they joined or got the share', async () => {
    const { m1, key, path, owner } = org
    const late = await app.addUser()
    const friend = await app.addUser()
    await startActivity(app, key, 'build')
    await addActivity(app, friend, 'build')
    app.advanceSeconds(1)
    for (const recipient of [m1, late]) await share(app, { owner: friend, recipient, what: 'build' })
    app.advanceSeconds(1)
    await join(app, { path, owner }, [late])
    const ownerOf = async ({ token }: TestUser) => (await app.get('/activities/build', token)).body.owner_id
    expect([await ownerOf(m1), await ownerOf(late)]).toEqual([org.id, friend.userId])
  })

  test('by tags: those with such a device, and only while it carries the tag', async () => {
    const { m1, m3, key } = org
    await addTag(app, org, 'wall')
    const device = { name: 'Panel', platform: 'ios' }
    bodyOf(await app.put('/devices/panel', { ...device, tags: ['wall'] }, m3.token), 201)
    await startActivity(app, key, 'deploy', { tags: ['wall'] })
    expect(await seenBy(app, 'deploy', [m1, m3])).toEqual([false, true])
    bodyOf(await app.patch('/devices/panel', { tags: [] }, m3.token), 200)
    expect(await seenBy(app, 'deploy', [m3])).toEqual([false])
    bodyOf(await app.put('/devices/panel', { ...device, tags: ['wall'] }, m3.token), 200)
    expect(await seenBy(app, 'deploy', [m3])).toEqual([true])
  })

  test('by members within groups, by the present names of groups, and nobody by a deleted one', async () => {
    const { m1, m2, m3, owner, path } = org
    bodyOf(await post('deploy', { groups: ['sre'], members: [m1.userId, m2.userId, m2.userId] }), 201)
    expect(await seenBy(app, 'deploy', [m1, m2, m3])).toEqual([false, true, false])
    const group = `${path}/groups/${org.sre}`
    bodyOf(await app.patch(group, { name: 'first-line' }, owner.token), 200)
    expect(await targetOf('deploy')).toEqual({ groups: ['first-line'], members: [m1.userId, m2.userId] })
    bodyOf(await app.del(group, owner.token), 204)
    expect(await targetOf('deploy')).toMatchObject({ groups: ['first-line'] })
    expect(await seenBy(app, 'deploy', [m1, m2, m3])).toEqual([false, false, false])
  })

  test('not those who have left; nobody once the organization is deleted', async () => {
    const { m1, m2, owner, path, key } = org
    await startActivity(app, key, 'deploy')
    bodyOf(await app.del(`${path}/members/${m1.userId}`, owner.token), 204)
    expect(await seenBy(app, 'deploy', [m1, m2])).toEqual([false, true])
    bodyOf(await app.del(path, owner.token), 204)
    expect(await seenBy(app, 'deploy', [m2, owner])).toEqual([false, false])
  })

  test('a muted member still sees it', async () => {
    const { m1, path, key } = org
    await startActivity(app, key, 'deploy')
    const muted_until = new Date(app.clock.now() + 3_600_000).toISOString()
    bodyOf(await app.patch(`${path}/members/me`, { muted_until }, m1.token), 200)
    expect(await seenBy(app, 'deploy', [m1])).toEqual([true])
  })
})

describe('the target of a request', () => {
  test('PATCH with only a target costs a unit of the organization when ongoing, and nothing otherwise', async () => {
    bodyOf(await post('deploy'), 201)
    bodyOf(await patch('deploy', { target: { groups: ['ops'] } }), 200)
    expect(await usageOf(app, org)).toBe(0)
    bodyOf(await patch('deploy', showing('1')), 200)
    bodyOf(await patch('deploy', { target: { groups: ['sre'] } }), 200)
    expect(await usageOf(app, org)).toBe(2)
  })

  test('POST keeps it with null and without, and replaces it with another', async () => {
    bodyOf(await post('deploy', { groups: ['ops'] }), 201)
    expect(bodyOf(await post('deploy', null), 201).target).toEqual({ groups: ['ops'] })
    expect(bodyOf(await post('deploy', { groups: ['sre'], tags: null }), 201).target).toEqual({ groups: ['sre'] })
    expect(await seenBy(app, 'deploy', [org.m1, org.m3])).toEqual([false, true])
  })

  test('POST counts like a PATCH if it changes the target of an ongoing one, and not if it repeats the target', async () => {
    await startActivity(app, org.key, 'deploy', { groups: ['ops'] })
    bodyOf(await post('deploy', { groups: ['ops'] }), 201)
    expect(await usageOf(app, org)).toBe(1)
    bodyOf(await post('deploy', { groups: ['sre'] }), 201)
    expect(await usageOf(app, org)).toBe(2)
    for (const group of ['ops', 'sre']) bodyOf(await post('idle', { groups: [group] }), 201)
    expect(await usageOf(app, org)).toBe(2)
  })

  test('?upsert=true creates with it; a dry run stores nothing', async () => {
    const change = { ...showing('1'), target: { groups: ['ops'] } }
    bodyOf(await patch('new?upsert=true&dry_run=true', change), 200)
    expectProblem(await app.get('/activities/new', org.key), 404, 'activity.not_found')
    expect(bodyOf(await patch('new?upsert=true', change), 201).target).toEqual({ groups: ['ops'] })
    bodyOf(await patch('new?dry_run=true', { target: { groups: ['sre'] } }), 200)
    expect(await seenBy(app, 'new', [org.m1, org.m3])).toEqual([true, false])
  })

  test.each([[{}], [{ groups: [] }], [{ groups: [' '] }], [{ groups: null, tags: null }]])(
    '422 org.target_invalid for %j',
    async (target) => {
      expectProblem(await post('deploy', target), 422, 'org.target_invalid')
      bodyOf(await post('build'), 201)
      expectProblem(await patch('build', { target }), 422, 'org.target_invalid')
    },
  )

  test('422 org.target_unknown names each, and nothing is stored', async () => {
    const stranger = await app.addUser()
    const answer = await post('deploy', { groups: ['ops', 'nope'], members: [stranger.userId] })
    expectProblem(answer, 422, 'org.target_unknown')
    expect(locations(answer)).toEqual(['body.target.groups[1]', 'body.target.members[0]'])
    expect(slugs(await app.get('/activities', org.key))).toEqual([])
  })

  test('422 org.target_unavailable for persons and their keys, also for an admin without the prefix', async () => {
    const target = { groups: ['ops'] }
    const { admin, path } = org
    for (const token of [admin.token, admin.defaultKey]) {
      expectProblem(await post('own', target, token), 422, 'org.target_unavailable')
    }
    bodyOf(await post('deploy'), 201)
    expectProblem(await patch('deploy', { target }, admin.token), 422, 'org.target_unavailable')
    bodyOf(await app.patch(`${path}/activities/deploy`, { target }, admin.token), 200)
    bodyOf(await post('own', null, admin.token), 201)
  })
})

describe('what members may do', () => {
  test('200 PATCH by an owner or admin, on the quota of the organization; 403 DELETE without the prefix', async () => {
    const { admin, owner, key, path } = org
    await startActivity(app, key, 'deploy')
    expect(bodyOf(await patch('deploy', showing('2'), admin.token), 200)).toMatchObject({ share_role: 'editor' })
    expect(await usageOf(app, org)).toBe(2)
    expect((await app.get('/auth/me', admin.token)).body.live_activity_updates_used).toBe(0)
    for (const { token } of [org.m1, admin, owner]) {
      expectProblem(await app.del('/activities/deploy', token), 403, 'activity.viewer_forbidden')
    }
    bodyOf(await app.del(`${path}/activities/deploy`, admin.token), 204)
    expect(await seenBy(app, 'deploy', [org.m1])).toEqual([false])
  })

  test('403 snooze by a member, 200 by an admin', async () => {
    const { m1, admin } = org
    bodyOf(await post('tea'), 201)
    bodyOf(await patch('tea', { state: 'ongoing', content: { template: 'countdown', duration: '5m' } }), 200)
    expectProblem(await app.post('/activities/tea/snooze', undefined, m1.token), 403, 'activity.viewer_forbidden')
    bodyOf(await app.post('/activities/tea/snooze', undefined, admin.token), 200)
  })

  test('404 for everything outside the target, even for the owner of the organization', async () => {
    const { owner } = org
    await startActivity(app, org.key, 'deploy', { groups: ['ops'] })
    expectProblem(await patch('deploy', { priority: 1 }, owner.token), 404, 'activity.not_found')
    expectProblem(await app.del('/activities/deploy', owner.token), 404, 'activity.not_found')
    expectProblem(
      await app.post('/activities/deploy/answer', { option: 'yes' }, owner.token),
      404,
      'activity.not_found',
    )
  })

  test('8 an approval is answered by the first reached member; the sender who waits learns who', async () => {
    const { m1, m2, m3, key } = org
    const options = ['yes', 'no'].map((id) => ({ id, title: id }))
    bodyOf(await post('release', { groups: ['ops'] }), 201)
    bodyOf(await patch('release', { state: 'ongoing', content: { template: 'approval', options } }), 200)
    const waiting = app.get('/activities/release?wait=20', key)
    const answer = (option: string, { token } = m1) => app.post('/activities/release/answer', { option }, token)
    expectProblem(await answer('yes', m3), 404, 'activity.not_found')
    expect(bodyOf(await answer('yes'), 200).content.answer).toMatchObject({ option: 'yes', user_id: m1.userId })
    const second = await answer('no', m2)
    expectProblem(second, 409, 'notification_answer.already_answered')
    expect(second.body.answer).toMatchObject({ user_id: m1.userId })
    expect((await waiting).body.content.answer).toMatchObject({ option: 'yes', by: 'user', user_id: m1.userId })
  })
})

describe('a key that is limited', () => {
  let limited: string
  beforeEach(async () => {
    limited = await addActivityKey(app, org, { group_ids: [org.ops] })
  })

  test('8 sees, changes and deletes what is targeted inside its limit, and nothing else', async () => {
    expect(bodyOf(await post('a', undefined, limited), 201).target).toEqual({ groups: ['ops'] })
    bodyOf(await post('b', { groups: ['sre'] }), 201)
    const { id } = bodyOf(await post('c'), 201)
    expect(slugs(await app.get('/activities', limited))).toEqual(['a'])
    for (const name of ['b', 'c', id]) {
      expectProblem(await app.get(`/activities/${name}`, limited), 404, 'activity.not_found')
      expectProblem(await patch(name, { priority: 1 }, limited), 404, 'activity.not_found')
      expectProblem(await app.del(`/activities/${name}`, limited), 404, 'activity.not_found')
    }
    expectProblem(await post('b', undefined, limited), 403, 'integration_key.target_denied')
    expectProblem(await patch('b?upsert=true', showing('1'), limited), 403, 'integration_key.target_denied')
    expectProblem(await patch('a', { target: { groups: ['sre'] } }, limited), 403, 'integration_key.target_denied')
    expectProblem(await patch('a', { target: { groups: ['nope'] } }, limited), 403, 'integration_key.target_denied')
    expectProblem(await patch('a', { target: null }, limited), 403, 'integration_key.target_denied')
    bodyOf(await patch('a', { target: { groups: ['ops'] } }, limited), 200)
    bodyOf(await app.del('/activities/a', limited), 204)
    expect(slugs(await app.get('/activities', org.key))).toEqual(['b', 'c'])
  })

  test('stores the lists of its limit beside its own', async () => {
    await addTag(app, org, 'wall')
    const { target } = bodyOf(await post('a', { tags: ['wall'] }, limited), 201)
    expect(target).toEqual({ groups: ['ops'], tags: ['wall'] })
    expectProblem(await patch('new?upsert=true', { target: null }, limited), 403, 'integration_key.target_denied')
  })

  test('does not see it any more when another key targets it elsewhere', async () => {
    bodyOf(await post('a', undefined, limited), 201)
    bodyOf(await patch('a', { target: { groups: ['sre'] } }), 200)
    expectProblem(await app.get('/activities/a', limited), 404, 'activity.not_found')
  })
})

describe('409 org.in_use', () => {
  test('while an activity that has not ended names the group; forced, it reaches nobody', async () => {
    const { m1, owner, path, key } = org
    await startActivity(app, key, 'deploy', { groups: ['ops'] })
    const group = `${path}/groups/${org.ops}`
    const answer = await app.del(group, owner.token)
    expectProblem(answer, 409, 'org.in_use')
    expect(answer.body.used_by).toEqual({ keys: 0, schedules: 0, activities: 1, heartbeats: 0, escalations: 0 })
    bodyOf(await app.del(`${group}?force=true`, owner.token), 204)
    expect(await seenBy(app, 'deploy', [m1, owner])).toEqual([false, false])
  })

  test('while one names the tag', async () => {
    const tag = await addTag(app, org, 'wall')
    await startActivity(app, org.key, 'deploy', { tags: ['wall'] })
    expectProblem(await app.del(`${org.path}/tags/${tag}`, org.owner.token), 409, 'org.in_use')
    bodyOf(await patch('deploy', { state: 'ended' }), 200)
    bodyOf(await app.del(`${org.path}/tags/${tag}`, org.owner.token), 204)
  })
})

test('members are told of an activity while it reaches them, and that it is gone when it does not', async () => {
  const { m1, id: org_id } = org
  const stream = await openEvents(app.app.url, m1.token)
  await startActivity(app, org.key, 'deploy', { groups: ['ops'] })
  const news = () => stream.events.filter(({ event }) => event.startsWith('activity.'))
  await eventually(() => expect(news().map(({ event }) => event)).toEqual(['activity.created', 'activity.started']))
  bodyOf(await patch('deploy', { target: { groups: ['sre'] } }), 200)
  bodyOf(await patch('deploy', showing('unseen')), 200)
  // One that does not reach the member before nor after is none of their affair.
  bodyOf(await app.post(`${org.path}/groups`, { name: 'third' }, org.owner.token), 201)
  await startActivity(app, org.key, 'attic', { groups: ['third'] })
  bodyOf(await app.put(`${org.path}/groups/${org.sre}/members/${m1.userId}`, undefined, org.owner.token), 204)
  await eventually(() =>
    expect(news().map(({ event }) => event)).toEqual([
      'activity.created',
      'activity.started',
      'activity.deleted',
      'activity.updated',
    ]),
  )
  expect(news().at(-1)?.data.data).toMatchObject({ kind: 'shared', owner_id: org_id, content: { state: 'unseen' } })
  stream.close()
})
