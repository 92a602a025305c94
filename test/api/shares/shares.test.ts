// Shares by endpoint: list, change the role, end.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { removeUser } from '../../../src/operations/accounts/remove.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { addActivity, addCode, join, share, sharesOf } from '../../support/shares.ts'

const app = useTestApp()
let owner: TestUser
let recipient: TestUser
let stranger: TestUser
beforeEach(async () => {
  app.advanceSeconds(60)
  ;[owner, recipient, stranger] = [await app.addUser(), await app.addUser(), await app.addUser()]
  await addActivity(app, owner, 'build')
})

const idsOf = async (user: TestUser, query = '') => (await sharesOf(app, user, query)).map(({ id }) => id)
const read = ({ token }: TestUser, slug: string) => app.get(`/activities/${slug}`, token)
const setRole = (id: string, role: unknown, { token } = owner) => app.patch(`/shares/${id}`, { role }, token)
const del = (id: string, { token }: TestUser) => app.del(`/shares/${id}`, token)

// Answers of routes with the id of a share in their path.
const NO_SHARE = [randomUUID(), 'x', `${randomUUID()}x`, '%20', '-', 'x'.repeat(64)]

describe('GET /shares', () => {
  test('200 given and received, newest first', async () => {
    await addActivity(app, recipient, 'back')
    const sharings = [
      { owner, recipient, what: 'build' },
      { owner: recipient, recipient: owner, what: 'back' },
      { owner, recipient: stranger, what: 'b*' },
    ]
    const ids: string[] = []
    for (const sharing of sharings) {
      app.advanceSeconds(1)
      ids.unshift((await share(app, sharing)).id)
    }
    const seen = await sharesOf(app, owner)
    expect(seen.map(({ id, direction }) => [id, direction])).toEqual([
      [ids[0], 'given'],
      [ids[1], 'received'],
      [ids[2], 'given'],
    ])
    expect(await idsOf(recipient)).toEqual([ids[1], ids[2]])
    expect(await idsOf(await app.addUser())).toEqual([])
  })

  test('200 is never paged', async () => {
    for (let count = 0; count < 120; count++) await share(app, { owner, recipient, what: `p${count}-*` })
    const answer = await app.get('/shares?limit=10', recipient.token)
    expect(answer.body.items).toHaveLength(120)
    expect(Object.keys(answer.body)).toEqual(['items'])
  })

  test('200 ?slug= has the shares of this own activity, by patterns too', async () => {
    const third = await app.addUser()
    for (const slug of ['build-2', 'bu', 'Build']) await addActivity(app, owner, slug)
    const wanted: string[] = []
    for (const [who, what] of [
      [recipient, 'build'],
      [recipient, 'b*'],
      [stranger, 'build*'],
      [third, '*'],
    ] as const) {
      app.advanceSeconds(1)
      wanted.unshift((await share(app, { owner, recipient: who, what })).id)
    }
    for (const what of ['build-2', 'build-*', 'bu', 'Build', 'B*', 'c*']) {
      await share(app, { owner, recipient: await app.addUser(), what })
    }
    expect(await idsOf(owner, '?slug=build')).toEqual(wanted)
  })

  test('200 ?slug= is about own activities: shares received under the same slug are left out', async () => {
    await addActivity(app, recipient, 'build')
    await share(app, { owner, recipient, what: 'build' })
    expect(await idsOf(recipient, '?slug=build')).toEqual([])
    const given = await share(app, { owner: recipient, recipient: stranger, what: 'build' })
    expect(await idsOf(recipient, '?slug=build')).toEqual([given.id])
  })

  test('200 nothing for a slug that no share is about', async () => {
    await share(app, { owner, recipient, what: 'build' })
    expect(await idsOf(owner, '?slug=none')).toEqual([])
  })

  test.each(['', 'x'.repeat(129)])('422 request.validation_failed for ?slug=%s', async (slug) => {
    const refused = await app.get(`/shares?slug=${slug}`, owner.token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['query.slug'])
  })
})

describe('PATCH /shares/:id', () => {
  test.each(['build', 'b*'])('200 raises and lowers the role on %s', async (what) => {
    const received = await share(app, { owner, recipient, what })
    for (const role of ['editor', 'editor', 'viewer'] as const) {
      const answer = await setRole(received.id, role)
      expect([answer.status, answer.body]).toEqual([200, { ...received, direction: 'given', role }])
      expect(await sharesOf(app, recipient)).toEqual([{ ...received, role }])
      expect((await read(recipient, 'build')).body.share_role).toBe(role)
    }
  })

  test('200 the role of a pattern is the role on all activities that it covers', async () => {
    await addActivity(app, owner, 'bake')
    const { id } = await share(app, { owner, recipient, what: 'b*' })
    await setRole(id, 'editor')
    for (const slug of ['build', 'bake']) {
      expect((await app.patch(`/activities/${slug}`, { priority: 5 }, recipient.token)).status).toBe(200)
    }
    await setRole(id, 'viewer')
    for (const slug of ['build', 'bake']) {
      const refused = await app.patch(`/activities/${slug}`, { priority: 6 }, recipient.token)
      expectProblem(refused, 403, 'activity.viewer_forbidden')
    }
  })

  test('403 share.owner_required for the recipient, who may not lower the role either', async () => {
    const { id } = await share(app, { owner, recipient, what: 'build', role: 'editor' })
    for (const role of ['viewer', 'editor']) {
      expectProblem(await setRole(id, role, recipient), 403, 'share.owner_required')
    }
    expect((await sharesOf(app, recipient))[0]?.role).toBe('editor')
  })

  test('403 permission.editor_requires_paid_recipient while the recipient is on the free plan', async () => {
    const { id } = await share(app, { owner, recipient, what: 'build' })
    await app.setPlan(recipient, 'free')
    expectProblem(await setRole(id, 'editor'), 403, 'permission.editor_requires_paid_recipient')
    expect((await setRole(id, 'viewer')).status).toBe(200)
    await app.setPlan(recipient, 'paid')
    expect((await setRole(id, 'editor')).status).toBe(200)
  })

  test('404 share.not_found for a stranger, as for an id that was never given out', async () => {
    const { id } = await share(app, { owner, recipient, what: 'build' })
    expectProblem(await setRole(id, 'editor', stranger), 404, 'share.not_found')
    const code = await addCode(app, owner, 'build')
    expectProblem(await setRole(code.id, 'editor'), 404, 'share.not_found')
  })

  test.each(NO_SHARE)('404 share.not_found for %s', async (id) => {
    expectProblem(await setRole(id, 'editor'), 404, 'share.not_found')
  })

  test('400 path.too_long over 64 characters', async () => {
    expectProblem(await setRole('x'.repeat(65), 'editor'), 400, 'path.too_long')
  })

  test('400 request.body_required without a role', async () => {
    const { id } = await share(app, { owner, recipient, what: 'build' })
    expectProblem(await app.patch(`/shares/${id}`, {}, owner.token), 400, 'request.body_required')
  })

  test.each([{ role: 'admin' }, { role: null }, { role: 'Editor' }])(
    '422 request.validation_failed for %j',
    async (body) => {
      const { id } = await share(app, { owner, recipient, what: 'build' })
      const refused = await app.patch(`/shares/${id}`, body, owner.token)
      expectProblem(refused, 422, 'request.validation_failed')
      expect(locations(refused)).toEqual(['body.role'])
    },
  )

  test('422 request.validation_failed for members that it does not know', async () => {
    const { id } = await share(app, { owner, recipient, what: 'build' })
    const refused = await app.patch(`/shares/${id}`, { role: 'editor', slug: 'x' }, owner.token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['body.slug'])
  })
})

describe('DELETE /shares/:id', () => {
  test.each(['owner', 'recipient'])('204 by the %s, then 404 for both', async (who) => {
    const { id } = await share(app, { owner, recipient, what: 'build' })
    expect((await del(id, who === 'owner' ? owner : recipient)).status).toBe(204)
    for (const user of [owner, recipient]) {
      expectProblem(await del(id, user), 404, 'share.not_found')
      expect(await idsOf(user)).toEqual([])
    }
    expectProblem(await read(recipient, 'build'), 404, 'activity.not_found')
  })

  test('204 other recipients keep theirs, and the one who left can join again', async () => {
    const code = await addCode(app, owner, 'build', { max_uses: 3 })
    const first = (await join(app, recipient, code)).body
    await join(app, stranger, code)
    await del(first.id, recipient)
    expect((await read(stranger, 'build')).status).toBe(200)
    const again = await join(app, recipient, code)
    expect(again.status).toBe(201)
    expect(again.body.id).not.toBe(first.id)
    expectProblem(await join(app, await app.addUser(), code), 410, 'share.code_invalid')
  })

  test('404 share.not_found for a stranger', async () => {
    const { id } = await share(app, { owner, recipient, what: 'build' })
    expectProblem(await del(id, stranger), 404, 'share.not_found')
    expect(await idsOf(recipient)).toEqual([id])
  })

  test.each(NO_SHARE)('404 share.not_found for %s', async (id) => {
    expectProblem(await del(id, owner), 404, 'share.not_found')
  })

  test('400 path.too_long over 64 characters', async () => {
    expectProblem(await del('x'.repeat(65), owner), 400, 'path.too_long')
  })
})

describe('the deletion of an account', () => {
  test('of the owner ends shares of activities and of patterns', async () => {
    for (const what of ['build', 'b*']) await share(app, { owner, recipient, what })
    await removeUser(app.app.ctx, owner.name)
    expect(await idsOf(recipient)).toEqual([])
    expect((await app.get('/activities', recipient.token)).body.items).toEqual([])
  })

  test('of a recipient ends what it received', async () => {
    for (const what of ['build', 'b*']) await share(app, { owner, recipient, what })
    await removeUser(app.app.ctx, recipient.name)
    expect(await idsOf(owner)).toEqual([])
    expect((await read(owner, 'build')).body).not.toHaveProperty('share_count')
  })
})
