// Sharing from end to end: what an owner, a paid and a free recipient and a stranger see. Pushes are in
// share-pushes.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { addActivity, addCode, codesOf, createCode, join, share, sharesOf } from '../../support/shares.ts'
import { tally } from '../../support/tally.ts'

const app = useTestApp()
// Paid and free accounts.
let p1: TestUser
let p2: TestUser
let p3: TestUser
let f1: TestUser
beforeEach(async () => {
  ;[p1, p2, p3] = [await app.addUser(), await app.addUser(), await app.addUser()]
  f1 = await app.addUser('free')
})

const read = ({ token }: TestUser, name: string) => app.get(`/activities/${name}`, token)
const patch = ({ token }: TestUser, name: string, body: object) => app.patch(`/activities/${name}`, body, token)
const showing = (state: string) => ({ state: 'ongoing', content: { template: 'generic', state } })
const updatesOf = async ({ token }: TestUser) => (await app.get('/auth/me', token)).body.live_activity_updates_used
const slugsOf = async ({ token }: TestUser) =>
  (await app.get('/activities', token)).body.items.map(({ slug }: { slug: string }) => slug)
const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000

test('1 household: a viewer on the free plan follows an activity, and only the owner is charged', async () => {
  await addActivity(app, p1, 'dishwasher')
  const created = await app.post('/activities/dishwasher/share', undefined, p1.token)
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ role: 'viewer', max_uses: 1, use_count: 0 })
  expect(secondsBetween(created.body.created_at, created.body.expires_at)).toBe(24 * 3600)
  // Without a public URL the link has the address of the request.
  expect(created.body.share_url).toBe(`${app.url}/app/#share=${created.body.code}`)
  expect((await join(app, f1, created.body)).status).toBe(201)
  const shared = { kind: 'shared', share_role: 'viewer', owner_id: p1.userId }
  expect((await read(f1, 'dishwasher')).body).toMatchObject(shared)
  expect((await read(p1, 'dishwasher')).body).toMatchObject({ kind: 'owned', share_count: 1 })
  expect((await patch(p1, 'dishwasher', showing('Rinsing'))).status).toBe(200)
  expect((await read(f1, 'dishwasher')).body).toMatchObject({ ...shared, ...showing('Rinsing') })
  expect([await updatesOf(p1), await updatesOf(f1)]).toEqual([1, 0])
})

test('2 a viewer changes nothing, and for its keys the activity does not exist', async () => {
  await addActivity(app, p1, 'dishwasher', showing('Rinsing'))
  await share(app, { owner: p1, recipient: f1, what: 'dishwasher' })
  const before = (await read(f1, 'dishwasher')).body
  for (const refused of [
    await patch(f1, 'dishwasher', showing('Hacked')),
    await app.patch('/activity/dishwasher', showing('Hacked'), f1.token),
    await app.post('/activities/dishwasher/snooze', undefined, f1.token),
    await app.post('/activities/dishwasher/answer', { option: 'yes' }, f1.token),
    await app.del('/activities/dishwasher', f1.token),
  ]) {
    expectProblem(refused, 403, 'activity.viewer_forbidden')
  }
  expect((await read(f1, 'dishwasher')).body).toEqual(before)
  expect((await app.get('/activities', f1.defaultKey)).body.items).toEqual([])
  for (const unknown of [
    await app.get('/activities/dishwasher', f1.defaultKey),
    await app.patch('/activities/dishwasher', showing('Hacked'), f1.defaultKey),
    await app.del('/activities/dishwasher', f1.defaultKey),
  ]) {
    expectProblem(unknown, 404, 'activity.not_found')
  }
})

test('3 an editor changes it at the cost of the owner; an editor code does not admit the free plan', async () => {
  await addActivity(app, p1, 'deploy')
  await share(app, { owner: p1, recipient: p2, what: 'deploy', role: 'editor' })
  expect((await patch(p2, 'deploy', showing('Canary'))).status).toBe(200)
  expect((await read(p1, 'deploy')).body).toMatchObject(showing('Canary'))
  expect([await updatesOf(p1), await updatesOf(p2)]).toEqual([1, 0])
  const code = await addCode(app, p1, 'deploy', { role: 'editor' })
  expectProblem(await join(app, f1, code), 403, 'permission.editor_requires_paid_recipient')
  expect((await join(app, p3, code)).status).toBe(201)
})

test('4 of three persons who use a single-use code at once one joins', async () => {
  await addActivity(app, p1, 'deploy')
  const code = await addCode(app, p1, 'deploy')
  const answers = await Promise.all([p2, p3, f1].map((user) => join(app, user, code)))
  expect(tally(answers)).toEqual({ 201: 1, '410 share.code_invalid': 2 })
  expect((await read(p1, 'deploy')).body.share_count).toBe(1)
  expect(await codesOf(app, p1)).toEqual([])
})

test('5 a person who joins twice counts once', async () => {
  await addActivity(app, p1, 'deploy')
  const code = await addCode(app, p1, 'deploy', { max_uses: 2 })
  const first = await join(app, p2, code)
  const second = await join(app, p2, code)
  expect([first.status, second.status]).toEqual([201, 200])
  expect(second.body).toEqual(first.body)
  expect((await codesOf(app, p1)).map(({ id, use_count }) => [id, use_count])).toEqual([[code.id, 1]])
  expect((await join(app, p3, code)).status).toBe(201)
})

test('6 an owner has at most five recipients on the free plan, each counted once', async () => {
  for (const slug of ['deploy', 'build']) await addActivity(app, p1, slug)
  const code = await addCode(app, p1, 'deploy', { max_uses: 10 })
  const joined: TestUser[] = []
  for (let count = 0; count < 5; count++) {
    joined.push(await app.addUser('free'))
    expect((await join(app, joined.at(-1)!, code)).status).toBe(201)
  }
  expectProblem(await join(app, f1, code), 403, 'permission.free_recipient_limit_exceeded')
  expect((await join(app, p2, code)).status).toBe(201)
  expect((await join(app, joined[0]!, await addCode(app, p1, 'build'))).status).toBe(201)
  const [left] = await sharesOf(app, joined[1]!)
  expect((await app.del(`/shares/${left!.id}`, joined[1]!.token)).status).toBe(204)
  expect((await join(app, f1, code)).status).toBe(201)
})

test('7 a pattern covers present and future activities, for the paid plan, until it is revoked', async () => {
  await addActivity(app, p1, 'deploy-1')
  await addActivity(app, p1, 'solo')
  const { id } = await share(app, { owner: p1, recipient: p2, what: 'deploy-*' })
  await addActivity(app, p1, 'deploy-2')
  expect(await slugsOf(p2)).toEqual(['deploy-1', 'deploy-2'])
  expectProblem(await read(p2, 'solo'), 404, 'activity.not_found')
  expectProblem(await join(app, f1, await addCode(app, p1, 'deploy-*')), 403, 'subscription.required')
  expect((await app.del(`/shares/${id}`, p1.token)).status).toBe(204)
  for (const slug of ['deploy-1', 'deploy-2']) expectProblem(await read(p2, slug), 404, 'activity.not_found')
})

test('8 a slug means the own activity; the id means the shared one', async () => {
  await addActivity(app, p2, 'build')
  const { id } = await addActivity(app, p1, 'build')
  await share(app, { owner: p1, recipient: p2, what: 'build', role: 'editor' })
  expect((await read(p2, 'build')).body).toMatchObject({ kind: 'owned' })
  expect((await read(p2, id)).body).toMatchObject({ kind: 'shared', id, slug: 'build' })
  const patched = await app.patch('/activities/build?upsert=true', showing('Mine'), p2.token)
  expect([patched.status, patched.body.kind]).toEqual([200, 'owned'])
  expect((await read(p1, 'build')).body.state).toBe('ended')
  const { items } = (await app.get('/activities', p2.token)).body
  expect(items.map(({ slug, kind }: Record<string, string>) => [slug, kind])).toEqual([
    ['build', 'owned'],
    ['build', 'shared'],
  ])
  await app.del('/activities/build', p2.token)
  expect((await read(p2, 'build')).body).toMatchObject({ kind: 'shared', id })
})

test('9 the owner changes roles, with effect at once; nobody else does', async () => {
  await addActivity(app, p1, 'deploy')
  const { id } = await share(app, { owner: p1, recipient: p2, what: 'deploy' })
  const setRole = ({ token }: TestUser, role: string, share = id) => app.patch(`/shares/${share}`, { role }, token)
  expect((await setRole(p1, 'editor')).body).toMatchObject({ id, role: 'editor', direction: 'given' })
  expect((await patch(p2, 'deploy', showing('Canary'))).status).toBe(200)
  expect((await setRole(p1, 'viewer')).status).toBe(200)
  expectProblem(await patch(p2, 'deploy', showing('All')), 403, 'activity.viewer_forbidden')
  expectProblem(await setRole(p1, 'admin'), 422, 'request.validation_failed')
  expectProblem(await setRole(p2, 'editor'), 403, 'share.owner_required')
  expectProblem(await setRole(p3, 'editor'), 404, 'share.not_found')
  const free = await share(app, { owner: p1, recipient: f1, what: 'deploy' })
  expectProblem(await setRole(p1, 'editor', free.id), 403, 'permission.editor_requires_paid_recipient')
})

describe('10 ends', () => {
  test('a recipient who leaves sees nothing more', async () => {
    await addActivity(app, p1, 'deploy')
    const { id } = await share(app, { owner: p1, recipient: p2, what: 'deploy' })
    expect((await app.del(`/shares/${id}`, p2.token)).status).toBe(204)
    expectProblem(await read(p2, 'deploy'), 404, 'activity.not_found')
    expect(await slugsOf(p2)).toEqual([])
    expect((await read(p1, 'deploy')).body).not.toHaveProperty('share_count')
    expectProblem(await app.del(`/shares/${id}`, p2.token), 404, 'share.not_found')
  })

  test('deleting the activity ends its shares and codes, also for a new one with the same slug', async () => {
    await addActivity(app, p1, 'deploy')
    await share(app, { owner: p1, recipient: p3, what: 'deploy' })
    const code = await addCode(app, p1, 'deploy')
    expect((await app.del('/activities/deploy', p1.token)).status).toBe(204)
    expectProblem(await read(p3, 'deploy'), 404, 'activity.not_found')
    await addActivity(app, p1, 'deploy')
    expectProblem(await read(p3, 'deploy'), 404, 'activity.not_found')
    expectProblem(await join(app, p2, code), 410, 'share.code_invalid')
    expect([await codesOf(app, p1), await sharesOf(app, p1), await sharesOf(app, p3)]).toEqual([[], [], []])
  })
})

test('11 an owner who becomes free keeps shares, but its codes admit nobody until it pays again', async () => {
  await addActivity(app, p1, 'deploy')
  await share(app, { owner: p1, recipient: p2, what: 'deploy' })
  const code = await addCode(app, p1, 'deploy')
  await app.setPlan(p1, 'free')
  expectProblem(await join(app, p3, code), 410, 'share.code_invalid')
  await patch(p1, 'deploy', showing('Canary'))
  expect((await read(p2, 'deploy')).body).toMatchObject(showing('Canary'))
  expectProblem(await createCode(app, p1, 'deploy'), 403, 'subscription.required')
  await app.setPlan(p1, 'paid')
  expect((await join(app, p3, code)).status).toBe(201)
})
