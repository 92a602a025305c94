// Shared activities as their recipients find and change them, by role. Keys and quota are in shared-access.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import type { ShareRole } from '../../../src/contract/shares.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { terminal } from '../../support/devices/devices.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createWatchedClock } from '../../support/fakes/watched-clock.ts'
import { addActivity, share } from '../../support/shares.ts'

const clock = createWatchedClock()
const app = useTestApp({}, { clock })
let owner: TestUser
let recipient: TestUser
beforeEach(async () => {
  ;[owner, recipient] = [await app.addUser(), await app.addUser()]
})

const OPTIONS = ['yes', 'no'].map((id) => ({ id, title: id }))
const APPROVAL = { state: 'ongoing', content: { template: 'approval', options: OPTIONS } }
const COUNTDOWN = { state: 'ongoing', content: { template: 'countdown', duration: 600 } }
const read = ({ token }: TestUser, name = 'build') => app.get(`/activities/${name}`, token)
const receive = (role: ShareRole = 'viewer', what = 'build') => share(app, { owner, recipient, what, role })
const ROLES = ['viewer', 'editor'] as const

describe.each(ROLES)('reading as %s', (role) => {
  test('200 everything that the owner sees, and whose it is', async () => {
    await addActivity(app, owner, 'build', { state: 'ongoing', priority: 3, stale_ttl: 60, content: { state: 'Lint' } })
    await app.patch('/auth/me', { nickname: 'Ada' }, owner.token)
    await receive(role)
    const { share_count, ...owned } = (await read(owner)).body
    const shared = { kind: 'shared', share_role: role, owner_id: owner.userId, owner_nickname: 'Ada' }
    expect(share_count).toBe(1)
    expect((await read(recipient)).body).toEqual({ ...owned, ...shared })
    expect((await read(recipient, owned.id)).body).toEqual({ ...owned, ...shared })
    expect((await app.get('/activities', recipient.token)).body.items).toEqual([{ ...owned, ...shared }])
  })

  test('200 the history of a timeline, and the backlog of a log', async () => {
    await addActivity(app, owner, 'build', { state: 'ongoing', content: { template: 'timeline', value: { CPU: 1 } } })
    await addActivity(app, owner, 'log', { state: 'ongoing', content: { template: 'log', lines: [{ text: 'a' }] } })
    for (const what of ['build', 'log']) await receive(role, what)
    expect((await read(recipient)).body.content.history.CPU).toHaveLength(1)
    const { content } = (await read(recipient, 'log?include=log_backlog')).body
    expect(content.log_backlog).toEqual([{ text: 'a' }])
  })

  test('200 ?wait is held until the owner answers', async () => {
    await addActivity(app, owner, 'build', APPROVAL)
    await receive(role)
    const alarms = clock.alarmsMs.length
    const held = read(recipient, 'build?wait=25')
    await eventually(() => expect(clock.alarmsMs.length).toBeGreaterThan(alarms))
    await app.post('/activities/build/answer', { option: 'yes' }, owner.token)
    expect((await held).body.content.answer.option).toBe('yes')
  })

  test('404 activity.not_found for a ?wait that is held when the share ends', async () => {
    await addActivity(app, owner, 'build', APPROVAL)
    const { id } = await receive(role)
    const alarms = clock.alarmsMs.length
    const held = read(recipient, 'build?wait=25')
    await eventually(() => expect(clock.alarmsMs.length).toBeGreaterThan(alarms))
    await app.del(`/shares/${id}`, owner.token)
    await app.post('/activities/build/answer', { option: 'yes' }, owner.token)
    expectProblem(await held, 404, 'activity.not_found')
  })

  test('204 PUT /devices/:id/activities/:slug by slug and by id', async () => {
    const { id } = await addActivity(app, owner, 'build', COUNTDOWN)
    await receive(role)
    await app.put('/devices/phone', terminal, recipient.token)
    for (const name of ['build', id]) {
      const body = { push_update_token: 'abc' }
      expect((await app.put(`/devices/phone/activities/${name}`, body, recipient.token)).status).toBe(204)
    }
  })
})

describe('a viewer', () => {
  const CHANGES: Record<string, (name: string) => ReturnType<typeof app.call>> = {
    'PATCH /activities': (name) => app.patch(`/activities/${name}`, { content: { state: 'x' } }, recipient.token),
    'PATCH /activity': (name) => app.patch(`/activity/${name}`, { content: { state: 'x' } }, recipient.token),
    'a dry run': (name) => app.patch(`/activities/${name}?dry_run=true`, { priority: 1 }, recipient.token),
    snooze: (name) => app.post(`/activities/${name}/snooze`, undefined, recipient.token),
    answer: (name) => app.post(`/activities/${name}/answer`, { option: 'yes' }, recipient.token),
    DELETE: (name) => app.del(`/activities/${name}`, recipient.token),
  }

  test.each(Object.keys(CHANGES))(
    '403 activity.viewer_forbidden for %s, whatever its state and template',
    async (change) => {
      const started = { approval: APPROVAL, countdown: COUNTDOWN, generic: { state: 'ongoing' }, quiet: undefined }
      for (const [slug, body] of Object.entries(started)) {
        const { id } = await addActivity(app, owner, slug, body)
        await receive('viewer', slug)
        const before = (await read(owner, slug)).body
        for (const name of [slug, id]) expectProblem(await CHANGES[change]!(name), 403, 'activity.viewer_forbidden')
        expect((await read(owner, slug)).body).toEqual(before)
      }
    },
  )
})

describe('an editor', () => {
  beforeEach(async () => {
    await addActivity(app, owner, 'build')
    await receive('editor')
  })

  test.each(['activities', 'activity'])('200 PATCH /%s with every member, for everyone', async (path) => {
    const members = { priority: 7, stale_ttl: 60, ended_ttl: 120, dismissal_ttl: 5 }
    const body = { state: 'ongoing', content: { state: 'Lint' }, sound: 'chime', ...members }
    const answer = await app.patch(`/${path}/build`, body, recipient.token)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-resource-action')).toBe('updated')
    expect(answer.body).toMatchObject({ kind: 'shared', share_role: 'editor', owner_id: owner.userId, ...members })
    expect((await read(owner)).body).toMatchObject({ kind: 'owned', state: 'ongoing', ...members })
    await app.patch(`/${path}/build`, { state: 'ended', stale_ttl: null }, recipient.token)
    expect((await read(owner)).body).toMatchObject({ state: 'ended' })
    expect((await read(owner)).body).not.toHaveProperty('stale_ttl')
  })

  test('200 a dry run shows the result as the editor sees it, and changes nothing', async () => {
    const answer = await app.patch('/activities/build?dry_run=true', { priority: 7 }, recipient.token)
    expect(answer.body).toMatchObject({ valid: true, would: { action: 'updated', resource: { kind: 'shared' } } })
    expect((await read(owner)).body.priority).toBe(0)
  })

  test('200 snooze and answer act for everyone', async () => {
    const { end_date } = (await app.patch('/activities/build', COUNTDOWN, owner.token)).body.content
    const snoozed = await app.post('/activities/build/snooze', undefined, recipient.token)
    expect([snoozed.status, snoozed.body.kind]).toEqual([200, 'shared'])
    expect((await read(owner)).body.content.end_date).toBe(end_date + 300)
    await app.patch('/activities/build', APPROVAL, owner.token)
    const answered = await app.post('/activities/build/answer', { option: 'no' }, recipient.token)
    expect([answered.status, answered.body.kind]).toEqual([200, 'shared'])
    expect((await read(owner)).body).toMatchObject({
      state: 'ended',
      content: { answer: { option: 'no', by: 'user' } },
    })
    const late = await app.post('/activities/build/answer', { option: 'yes' }, owner.token)
    expectProblem(late, 409, 'notification_answer.already_answered')
  })

  test('the rules of activities hold: 400, 409 and 422 as for the owner', async () => {
    const patch = (body: object) => app.patch('/activities/build', body, recipient.token)
    expectProblem(await patch({ state: 'paused' }), 400, 'activity.state_invalid')
    expectProblem(await patch({ priority: 11 }), 400, 'activity.priority_invalid')
    expectProblem(await patch({ content: { progress: 2 } }), 422, 'activity.content_invalid')
    expectProblem(await patch({ target: { groups: ['oncall'] } }), 422, 'org.target_unavailable')
    const answer = await app.post('/activities/build/answer', { option: 'yes' }, recipient.token)
    expectProblem(answer, 404, 'notification_answer.not_found')
  })

  test('403 activity.viewer_forbidden for DELETE, with the way to leave', async () => {
    const refused = await app.del('/activities/build', recipient.token)
    expectProblem(refused, 403, 'activity.viewer_forbidden')
    expect(refused.body.detail).toContain('DELETE /shares/')
    expect((await read(owner)).status).toBe(200)
  })

  test('is a viewer while its plan is free', async () => {
    await app.setPlan(recipient, 'free')
    expect((await read(recipient)).body.share_role).toBe('viewer')
    expect((await app.get('/activities', recipient.token)).body.items[0].share_role).toBe('viewer')
    expectProblem(
      await app.patch('/activities/build', { priority: 1 }, recipient.token),
      403,
      'activity.viewer_forbidden',
    )
    await app.setPlan(recipient, 'paid')
    expect((await read(recipient)).body.share_role).toBe('editor')
    expect((await app.patch('/activities/build', { priority: 1 }, recipient.token)).status).toBe(200)
  })
})

describe('several shares reach one activity', () => {
  const patch = () => app.patch('/activities/build', { priority: 1 }, recipient.token)

  test('the highest role counts, and leaving one keeps the others', async () => {
    await addActivity(app, owner, 'build')
    const viewing = await receive('viewer')
    const editing = await receive('editor', 'b*')
    const [item, ...more] = (await app.get('/activities', recipient.token)).body.items
    expect([item.share_role, more]).toEqual(['editor', []])
    expect((await patch()).status).toBe(200)
    await app.del(`/shares/${editing.id}`, recipient.token)
    expect((await read(recipient)).body.share_role).toBe('viewer')
    expectProblem(await patch(), 403, 'activity.viewer_forbidden')
    await app.del(`/shares/${viewing.id}`, owner.token)
    expectProblem(await read(recipient), 404, 'activity.not_found')
  })

  test('share_count counts recipients, not shares', async () => {
    await addActivity(app, owner, 'build')
    expect((await read(owner)).body).not.toHaveProperty('share_count')
    const ids = [(await receive()).id, (await receive('viewer', 'b*')).id]
    expect((await read(owner)).body.share_count).toBe(1)
    await share(app, { owner, recipient: await app.addUser(), what: '*' })
    expect((await read(owner)).body.share_count).toBe(2)
    expect((await app.get('/activities', owner.token)).body.items[0].share_count).toBe(2)
    expect((await app.patch('/activities/build', { priority: 1 }, owner.token)).body.share_count).toBe(2)
    expect((await app.post('/activities', { slug: 'build', name: 'B' }, owner.token)).body.share_count).toBe(2)
    expect((await read(owner, 'build')).body.share_count).toBe(2)
    for (const id of ids) await app.del(`/shares/${id}`, owner.token)
    expect((await read(owner)).body.share_count).toBe(1)
  })
})

describe('the end of an activity', () => {
  const items = async ({ token }: TestUser) => (await app.get('/shares', token)).body.items

  test('its deletion ends direct shares; patterns cover a new one with the same slug', async () => {
    await addActivity(app, owner, 'build')
    await receive()
    const viaPattern = await app.addUser()
    const pattern = await share(app, { owner, recipient: viaPattern, what: 'b*' })
    await app.del('/activities/build', owner.token)
    for (const user of [recipient, viaPattern]) expectProblem(await read(user), 404, 'activity.not_found')
    expect(await items(recipient)).toEqual([])
    expect(await items(viaPattern)).toEqual([pattern])
    await addActivity(app, owner, 'build')
    expectProblem(await read(recipient), 404, 'activity.not_found')
    expect((await read(viaPattern)).status).toBe(200)
  })

  test('ended_ttl deletes it for everyone', async () => {
    await addActivity(app, owner, 'build', { state: 'ongoing', ended_ttl: 60 })
    await receive()
    await app.patch('/activities/build', { state: 'ended' }, owner.token)
    app.advanceSeconds(60)
    await app.runDueJobs()
    expectProblem(await read(recipient), 404, 'activity.not_found')
    expect([await items(owner), await items(recipient)]).toEqual([[], []])
  })
})
