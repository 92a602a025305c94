// Joining by a share code: who is admitted, what a use is, and every refusal. Limits that take many accounts are in
// share-limits.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import { removeUser } from '../../../src/operations/accounts/remove.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { addActivity, addCode, codesOf, join, share, sharesOf } from '../../support/shares.ts'

const app = useTestApp()
let owner: TestUser
let paid: TestUser
let free: TestUser
beforeEach(async () => {
  // All tests join from one address, on which refused codes are counted by the minute.
  app.advanceSeconds(60)
  ;[owner, paid, free] = [await app.addUser(), await app.addUser(), await app.addUser('free')]
  await addActivity(app, owner, 'build')
})

const now = () => new Date(app.clock.now()).toISOString()
const rehearse = (user: TestUser, { code }: { code: string }) =>
  app.post('/shares/join?dry_run=true', { code }, user.token)
const usesOf = async (id: string) => (await codesOf(app, owner)).find((code) => code.id === id)?.use_count

describe('201', () => {
  test('the share of an activity, from the side of the recipient; its owner sees the same as given', async () => {
    const code = await addCode(app, owner, 'build')
    const joined = await join(app, paid, code)
    expect(joined.status).toBe(201)
    expect(joined.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      direction: 'received',
      role: 'viewer',
      slug: 'build',
      activity_id: code.activity_id,
      owner_id: owner.userId,
      recipient_id: paid.userId,
      created_at: now(),
    })
    expect(await sharesOf(app, paid)).toEqual([joined.body])
    expect(await sharesOf(app, owner)).toEqual([{ ...joined.body, direction: 'given' }])
  })

  test('the share of a pattern, with the nicknames of both', async () => {
    await app.patch('/auth/me', { nickname: 'Ada' }, owner.token)
    await app.patch('/auth/me', { nickname: 'Bob' }, paid.token)
    const joined = await join(app, paid, await addCode(app, owner, 'deploy-*', { role: 'editor' }))
    expect(joined.body).toEqual({
      id: expect.any(String),
      direction: 'received',
      role: 'editor',
      slug_pattern: 'deploy-*',
      owner_id: owner.userId,
      owner_nickname: 'Ada',
      recipient_id: paid.userId,
      recipient_nickname: 'Bob',
      created_at: now(),
    })
  })

  test('a code is read without regard to case, spaces and hyphens', async () => {
    const { code } = await addCode(app, owner, 'build', { max_uses: 10 })
    const spellings = [
      code.toLowerCase(),
      `${code.slice(0, 4)}-${code.slice(4)}`,
      ` ${code.slice(0, 4)} ${code.slice(4).toLowerCase()} `,
      [...code].join(' - '),
      code.padEnd(64, '-'),
    ]
    for (const spelling of spellings) {
      expect((await join(app, await app.addUser(), { code: spelling })).status).toBe(201)
    }
  })

  test('one account can hold a share of an activity and patterns that cover it', async () => {
    for (const what of ['build', 'b*', '*']) await share(app, { owner, recipient: paid, what })
    expect(await sharesOf(app, paid)).toHaveLength(3)
  })

  test('until the second before the code expires', async () => {
    const code = await addCode(app, owner, 'build', { expires_in: 60, max_uses: 2 })
    app.advanceSeconds(59)
    expect((await join(app, paid, code)).status).toBe(201)
    app.advanceSeconds(1)
    expectProblem(await join(app, free, code), 410, 'share.code_invalid')
  })
})

describe('200 for an account that has joined before', () => {
  test.each([
    ['the same role', 'viewer', 'viewer'],
    ['a higher role', 'editor', 'viewer'],
  ] as const)('in %s: the share as it is, no use counted', async (_, held, offered) => {
    const before = await share(app, { owner, recipient: paid, what: 'build', role: held })
    const code = await addCode(app, owner, 'build', { role: offered, max_uses: 2 })
    const again = await join(app, paid, code)
    expect([again.status, again.body]).toEqual([200, before])
    expect(await usesOf(code.id)).toBe(0)
    expect(await sharesOf(app, paid)).toEqual([before])
  })

  test.each(['build', 'b*'])('in a lower role: raised, and one use counted (%s)', async (what) => {
    const before = await share(app, { owner, recipient: paid, what })
    const code = await addCode(app, owner, what, { role: 'editor', max_uses: 2 })
    const again = await join(app, paid, code)
    expect([again.status, again.body]).toEqual([200, { ...before, role: 'editor' }])
    expect(await usesOf(code.id)).toBe(1)
    expect(await sharesOf(app, paid)).toEqual([again.body])
  })

  test('also when the code is used up', async () => {
    const code = await addCode(app, owner, 'build')
    const first = await join(app, paid, code)
    const again = await join(app, paid, code)
    expect([again.status, again.body]).toEqual([200, first.body])
  })

  test('410 share.code_invalid once the code is expired or deleted', async () => {
    const codes = [await addCode(app, owner, 'build', { expires_in: 60 }), await addCode(app, owner, 'b*')]
    for (const code of codes) expect((await join(app, paid, code)).status).toBe(201)
    app.advanceSeconds(60)
    await app.del(`/shares/codes/${codes[1]!.id}`, owner.token)
    for (const code of codes) expectProblem(await join(app, paid, code), 410, 'share.code_invalid')
    expect(await sharesOf(app, paid)).toHaveLength(2)
  })

  test('403 permission.editor_requires_paid_recipient for a viewer on the free plan; it stays a viewer', async () => {
    const before = await share(app, { owner, recipient: free, what: 'build' })
    const code = await addCode(app, owner, 'build', { role: 'editor' })
    expectProblem(await join(app, free, code), 403, 'permission.editor_requires_paid_recipient')
    expect(await usesOf(code.id)).toBe(0)
    expect(await sharesOf(app, free)).toEqual([before])
  })
})

describe('410 share.code_invalid', () => {
  const INVALID: Record<string, () => Promise<{ code: string }>> = {
    'an unknown code': async () => ({ code: 'ZZZZ-9999' }),
    'a code of another length': async () => ({ code: `${(await addCode(app, owner, 'build')).code}2` }),
    'characters that no code has': async () => ({ code: 'ä🙂\u200B%' }),
    'only hyphens': async () => ({ code: '----' }),
    'a code that is used up': async () => {
      const code = await addCode(app, owner, 'build')
      await join(app, await app.addUser(), code)
      return code
    },
    'an expired code': async () => {
      const code = await addCode(app, owner, 'build', { expires_in: 60 })
      app.advanceSeconds(60)
      return code
    },
    'a deleted code': async () => {
      const code = await addCode(app, owner, 'build')
      await app.del(`/shares/codes/${code.id}`, owner.token)
      return code
    },
    'a code of a deleted activity': async () => {
      const code = await addCode(app, owner, 'build')
      await app.del('/activities/build', owner.token)
      return code
    },
    'a code of an owner who became free': async () => {
      const code = await addCode(app, owner, 'build')
      await app.setPlan(owner, 'free')
      return code
    },
    'a code of a deleted account': async () => {
      const code = await addCode(app, owner, 'b*')
      await removeUser(app.app.ctx, owner.name)
      return code
    },
  }
  const words = ({ body: { instance: _request, ...rest } }: Answer) => rest

  test.each(Object.keys(INVALID))('for %s, in the same words as for an unknown one', async (name) => {
    const code = await INVALID[name]!()
    const unknown = words(await join(app, paid, { code: 'ZZZZ-ZZZZ' }))
    for (const refused of [await join(app, paid, code), await rehearse(paid, code)]) {
      expectProblem(refused, 410, 'share.code_invalid')
      expect(words(refused)).toEqual(unknown)
    }
    expect(await sharesOf(app, paid)).toEqual([])
  })

  test('also for the owner of a code that is used up', async () => {
    const code = await addCode(app, owner, 'build')
    await join(app, paid, code)
    expectProblem(await join(app, owner, code), 410, 'share.code_invalid')
  })
})

describe('after the owner has ended a share', () => {
  test.each(['build', 'bu*'])('410 with the codes of %s that were open then; 201 with a newer one', async (what) => {
    const code = await addCode(app, owner, what, { max_uses: 5 })
    const { id } = (await join(app, paid, code)).body
    await app.del(`/shares/${id}`, owner.token)
    for (const refused of [await join(app, paid, code), await rehearse(paid, code)]) {
      expectProblem(refused, 410, 'share.code_invalid')
    }
    expect((await join(app, await app.addUser(), code)).status).toBe(201)
    expect((await join(app, paid, await addCode(app, owner, what))).status).toBe(201)
    expect((await join(app, paid, code)).status).toBe(200)
  })

  test('201 with a code of something else; a recipient who left comes back by the same code', async () => {
    await addActivity(app, owner, 'deploy')
    const [build, deploy] = [await addCode(app, owner, 'build', { max_uses: 5 }), await addCode(app, owner, 'deploy')]
    await app.del(`/shares/${(await join(app, paid, build)).body.id}`, owner.token)
    expect((await join(app, paid, deploy)).status).toBe(201)
    const other = await app.addUser()
    await app.del(`/shares/${(await join(app, other, build)).body.id}`, other.token)
    expect((await join(app, other, build)).status).toBe(201)
  })

  test('410 with an editor code for an editor who was made a viewer; the role stays', async () => {
    const code = await addCode(app, owner, 'build', { role: 'editor', max_uses: 5 })
    const { id } = (await join(app, paid, code)).body
    await app.patch(`/shares/${id}`, { role: 'viewer' }, owner.token)
    expectProblem(await join(app, paid, code), 410, 'share.code_invalid')
    expect(await sharesOf(app, paid)).toMatchObject([{ role: 'viewer' }])
    expect((await join(app, paid, await addCode(app, owner, 'build', { role: 'editor' }))).body.role).toBe('editor')
  })
})

describe('refusals that use nothing up', () => {
  const expectRefused = async (user: TestUser, code: { id: string; code: string }, status: number, problem: string) => {
    for (const refused of [await rehearse(user, code), await join(app, user, code)]) {
      expectProblem(refused, status, problem)
    }
    expect(await usesOf(code.id)).toBe(0)
    expect(await sharesOf(app, user)).toEqual([])
  }

  test('403 permission.editor_requires_paid_recipient: an editor code and the free plan', async () => {
    const code = await addCode(app, owner, 'build', { role: 'editor' })
    await expectRefused(free, code, 403, 'permission.editor_requires_paid_recipient')
  })

  test('403 permission.editor_requires_paid_recipient: an editor code for a pattern and the free plan', async () => {
    const code = await addCode(app, owner, 'b*', { role: 'editor' })
    await expectRefused(free, code, 403, 'permission.editor_requires_paid_recipient')
  })

  test('403 subscription.required: a pattern code and the free plan', async () => {
    await expectRefused(free, await addCode(app, owner, 'b*'), 403, 'subscription.required')
  })

  test('409 share.own', async () => {
    for (const what of ['build', 'b*']) await expectRefused(owner, await addCode(app, owner, what), 409, 'share.own')
  })
})

describe('POST /shares/join?dry_run=true', () => {
  test('200 what would be joined, and nothing changes', async () => {
    await app.patch('/auth/me', { nickname: 'Ada' }, owner.token)
    const code = await addCode(app, owner, 'build')
    const who = { owner_id: owner.userId, owner_nickname: 'Ada' }
    const answer = await rehearse(free, code)
    expect([answer.status, answer.body]).toEqual([
      200,
      { valid: true, would: { role: 'viewer', slug: 'build', ...who } },
    ])
    const pattern = await rehearse(paid, await addCode(app, owner, 'b*', { role: 'editor' }))
    expect(pattern.body).toEqual({ valid: true, would: { role: 'editor', slug_pattern: 'b*', ...who } })
    expect(await usesOf(code.id)).toBe(0)
    expect([await sharesOf(app, free), await sharesOf(app, owner)]).toEqual([[], []])
    expect((await join(app, free, code)).status).toBe(201)
    expect((await rehearse(free, code)).status).toBe(200)
  })
})

describe('422 request.validation_failed', () => {
  test.each([{}, { code: '' }, { code: null }, { code: 12_345_678 }, { code: 'x'.repeat(65) }])(
    'for %j',
    async (body) => {
      const refused = await app.post('/shares/join', body, paid.token)
      expectProblem(refused, 422, 'request.validation_failed')
      expect(locations(refused)).toEqual(['body.code'])
    },
  )

  test('for members that it does not know; 400 request.body_required without a body', async () => {
    const { code } = await addCode(app, owner, 'build')
    const refused = await app.post('/shares/join', { code, role: 'editor' }, paid.token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['body.role'])
    expectProblem(await app.post('/shares/join', undefined, paid.token), 400, 'request.body_required')
  })
})
