// Codes that an owner makes for an activity or a pattern, lists and deletes. Joining by them is in join.test.ts.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { addActivity, addCode, codesOf, createCode, join, share, sharesOf } from '../../support/shares.ts'

const PUBLIC_URL = 'https://push.example.org'
const app = useTestApp({ HELIOGRAPH_PUBLIC_URL: PUBLIC_URL })
let owner: TestUser
let other: TestUser
beforeEach(async () => {
  ;[owner, other] = [await app.addUser(), await app.addUser()]
  await addActivity(app, owner, 'build')
})

const inSeconds = (seconds: number) => new Date(app.clock.now() + seconds * 1000).toISOString()
const idsOf = async (user: TestUser) => (await codesOf(app, user)).map(({ id }) => id)
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CODE = /^[2-9A-HJ-NP-Z]{8}$/

describe('POST /activities/:slug/share', () => {
  test('201 without a body: one viewer, within 24 hours', async () => {
    const activity = (await app.get('/activities/build', owner.token)).body
    const created = await app.post('/activities/build/share', undefined, owner.token)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.stringMatching(UUID),
      code: expect.stringMatching(CODE),
      share_url: `${PUBLIC_URL}/app/#share=${created.body.code}`,
      slug: 'build',
      activity_id: activity.id,
      role: 'viewer',
      max_uses: 1,
      use_count: 0,
      created_at: inSeconds(0),
      expires_at: inSeconds(86_400),
    })
    expect(await codesOf(app, owner)).toEqual([created.body])
  })

  test('201 with all members', async () => {
    const created = await addCode(app, owner, 'build', { role: 'editor', max_uses: 1000, expires_in: 604_800 })
    expect(created).toMatchObject({ role: 'editor', max_uses: 1000, expires_at: inSeconds(604_800) })
  })

  test('201 an empty object is the same as no body; the id can be used in place of the slug', async () => {
    const { id } = (await app.get('/activities/build', owner.token)).body
    for (const name of ['build', id]) {
      expect(await addCode(app, owner, name)).toMatchObject({ slug: 'build', activity_id: id, max_uses: 1 })
    }
  })

  test('201 codes have 8 letters and digits that cannot be confused, and no two are the same', async () => {
    const codes = await Promise.all(Array.from({ length: 50 }, () => addCode(app, owner, 'build')))
    for (const { code } of codes) expect(code).toMatch(CODE)
    expect(new Set(codes.map(({ code }) => code)).size).toBe(50)
  })

  test('400 slug.invalid', async () => {
    expectProblem(await app.post('/activities/-x/share', {}, owner.token), 400, 'slug.invalid')
  })

  test('403 subscription.required on the free plan', async () => {
    await app.setPlan(owner, 'free')
    expectProblem(await createCode(app, owner, 'build'), 403, 'subscription.required')
  })

  test('404 activity.not_found if it is unknown, a stranger’s, or shared with the caller in any role', async () => {
    expectProblem(await createCode(app, owner, 'none'), 404, 'activity.not_found')
    expectProblem(await createCode(app, other, 'build'), 404, 'activity.not_found')
    for (const role of ['viewer', 'editor'] as const) {
      const recipient = await app.addUser()
      const { activity_id } = await share(app, { owner, recipient, what: 'build', role })
      for (const name of ['build', activity_id!]) {
        expectProblem(await createCode(app, recipient, name), 404, 'activity.not_found')
      }
    }
  })

  test.each([
    ['role', ['admin', '', null, 1]],
    ['max_uses', [0, 1001, 1.5, '1', null]],
    ['expires_in', [59, 604_801, 60.5, '60', null]],
    ['slug_pattern', ['*']],
    ['more', [1]],
  ])('422 request.validation_failed for a bad %s', async (member, values) => {
    for (const value of values) {
      const refused = await app.post('/activities/build/share', { [member]: value }, owner.token)
      expectProblem(refused, 422, 'request.validation_failed')
      expect(locations(refused)).toEqual([`body.${member}`])
    }
    expect(await codesOf(app, owner)).toEqual([])
  })

  test.each([
    ['max_uses', [1, 1000]],
    ['expires_in', [60, 604_800]],
  ])('201 at the limits of %s', async (member, values) => {
    for (const value of values) await addCode(app, owner, 'build', { [member]: value })
  })
})

describe('POST /shares/patterns', () => {
  const prefix = (length: number) => `${'a'.repeat(length)}*`

  test('201 with the pattern in place of slug and activity', async () => {
    const created = await addCode(app, owner, 'deploy-*', { role: 'editor', max_uses: 3, expires_in: 60 })
    expect(created).toEqual({
      id: expect.stringMatching(UUID),
      code: expect.stringMatching(CODE),
      share_url: `${PUBLIC_URL}/app/#share=${created.code}`,
      slug_pattern: 'deploy-*',
      role: 'editor',
      max_uses: 3,
      use_count: 0,
      created_at: inSeconds(0),
      expires_at: inSeconds(60),
    })
  })

  test.each(['*', 'a*', 'A_9-*', '0*', prefix(LIMITS.slug.maxChars)])('201 for %s', async (pattern) => {
    expect((await addCode(app, owner, pattern)).slug_pattern).toBe(pattern)
  })

  test.each([
    '',
    'deploy',
    '*x',
    '**',
    'a**',
    'a*b',
    'a*b*',
    '-x*',
    '_x*',
    'a b*',
    ' *',
    'a.b*',
    'ä*',
    'a*\n',
    '%*',
    prefix(LIMITS.slug.maxChars + 1),
  ])('422 request.validation_failed for %j', async (pattern) => {
    const refused = await app.post('/shares/patterns', { slug_pattern: pattern }, owner.token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(new Set(locations(refused))).toEqual(new Set(['body.slug_pattern']))
  })

  test('403 subscription.required on the free plan', async () => {
    await app.setPlan(owner, 'free')
    expectProblem(await createCode(app, owner, 'deploy-*'), 403, 'subscription.required')
  })

  test('422 request.validation_failed without a pattern and for bad members; 400 request.body_required without a body', async () => {
    for (const body of [{}, { slug_pattern: null }, { slug_pattern: 1 }]) {
      expectProblem(await app.post('/shares/patterns', body, owner.token), 422, 'request.validation_failed')
    }
    expectProblem(await app.post('/shares/patterns', undefined, owner.token), 400, 'request.body_required')
    const bad = { slug_pattern: '*', role: 'admin', max_uses: 0, expires_in: 59, slug: 'build' }
    const refused = await app.post('/shares/patterns', bad, owner.token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused).sort()).toEqual(['body.expires_in', 'body.max_uses', 'body.role', 'body.slug'])
  })
})

describe('409 share.limit_exceeded: open codes of an owner', () => {
  test('the 101st is refused until one is deleted, used up or expired', async () => {
    const first = await addCode(app, owner, 'build', { expires_in: 60 })
    for (let count = 1; count < LIMITS.share.maxOpenCodes; count++) await addCode(app, owner, 'build')
    // All were made at the same moment, so their order is that of their ids.
    const another = (await codesOf(app, owner)).find(({ id }) => id !== first.id)
    const full = async () => {
      for (const what of ['build', 'deploy-*']) {
        const refused = await createCode(app, owner, what)
        expectProblem(refused, 409, 'share.limit_exceeded')
        expect(refused.body).toMatchObject({ kind: 'codes', limit: LIMITS.share.maxOpenCodes })
      }
      expect(await codesOf(app, owner)).toHaveLength(LIMITS.share.maxOpenCodes)
    }
    await full()
    await app.del(`/shares/codes/${another!.id}`, owner.token)
    const used = await addCode(app, owner, 'deploy-*')
    await full()
    expect((await join(app, other, used)).status).toBe(201)
    await addCode(app, owner, 'build')
    await full()
    app.advanceSeconds(60)
    expect(await idsOf(owner)).not.toContain(first.id)
    await addCode(app, owner, 'build')
    await full()
    expect((await createCode(app, other, 'deploy-*')).status).toBe(201)
  })
})

describe('GET /shares/codes', () => {
  test('200 open codes of the caller, newest first', async () => {
    const ids: string[] = []
    for (const what of ['build', 'deploy-*', 'build']) {
      ids.unshift((await addCode(app, owner, what)).id)
      app.advanceSeconds(1)
    }
    expect(await idsOf(owner)).toEqual(ids)
    expect(await idsOf(other)).toEqual([])
  })

  test('200 without those that are used up, expired or deleted', async () => {
    const [used, expiring, deleted, open] = [
      await addCode(app, owner, 'build'),
      await addCode(app, owner, 'build', { expires_in: 60 }),
      await addCode(app, owner, 'build'),
      await addCode(app, owner, 'build', { max_uses: 2 }),
    ]
    await join(app, other, used)
    await join(app, await app.addUser(), open)
    await app.del(`/shares/codes/${deleted.id}`, owner.token)
    app.advanceSeconds(59)
    expect((await idsOf(owner)).sort()).toEqual([expiring.id, open.id].sort())
    app.advanceSeconds(1)
    expect(await codesOf(app, owner)).toEqual([{ ...open, use_count: 1 }])
  })
})

describe('DELETE /shares/codes/:id', () => {
  const del = (id: string, { token } = owner) => app.del(`/shares/codes/${id}`, token)

  test('204, then 404 share.not_found; accounts that joined by it stay', async () => {
    const code = await addCode(app, owner, 'build', { max_uses: 2 })
    await join(app, other, code)
    expect((await del(code.id)).status).toBe(204)
    expectProblem(await del(code.id), 404, 'share.not_found')
    expectProblem(await join(app, await app.addUser(), code), 410, 'share.code_invalid')
    expect(await sharesOf(app, other)).toHaveLength(1)
  })

  test('404 share.not_found for a code of another owner, also for its recipients, and for the id of a share', async () => {
    const code = await addCode(app, owner, 'build', { max_uses: 2 })
    const { body } = await join(app, other, code)
    expectProblem(await del(code.id, other), 404, 'share.not_found')
    expectProblem(await del(body.id), 404, 'share.not_found')
    expect(await idsOf(owner)).toEqual([code.id])
    expect(await sharesOf(app, other)).toHaveLength(1)
  })

  test.each([randomUUID(), 'x', `${randomUUID()}x`, '-', 'x'.repeat(64)])(
    '404 share.not_found for %s',
    async (unknown) => {
      expectProblem(await del(unknown), 404, 'share.not_found')
    },
  )

  test('400 path.too_long over 64 characters', async () => {
    expectProblem(await del('x'.repeat(65)), 400, 'path.too_long')
  })
})

test('codes that are used up or expired are deleted after seven days; open ones are kept', async () => {
  const days = (count: number) => count * 86_400
  const storedAfter = async (seconds: number) => {
    app.advanceSeconds(seconds)
    await scheduleHousekeeping(app.app.ctx)
    await app.runDueJobs()
    const query = sql`select id from join_codes where user_id = ${owner.userId} order by created_at`
    return (await app.app.ctx.db.read.all<{ id: string }>(query)).map(({ id }) => id)
  }
  const expired = await addCode(app, owner, 'build', { expires_in: 60 })
  app.advanceSeconds(60)
  const used = await addCode(app, owner, 'build', { expires_in: days(7) })
  await join(app, other, used)
  app.advanceSeconds(days(6))
  const open = await addCode(app, owner, 'build', { expires_in: days(7) })
  expect(await storedAfter(days(1) - 1)).toEqual([expired.id, used.id, open.id])
  expect(await storedAfter(2)).toEqual([open.id])
})
