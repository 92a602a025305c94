// Limits of joining: recipients and received shares at their limits and one above, and refused codes by the minute.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { addActivity, addCode, codesOf, join, share, sharesOf } from '../../support/shares.ts'
import { tally } from '../../support/tally.ts'

const app = useTestApp({ HELIOGRAPH_TRUST_PROXY: '127.0.0.1' })
let owner: TestUser
beforeEach(async () => {
  app.advanceSeconds(60)
  owner = await app.addUser()
  await addActivity(app, owner, 'build')
})

function expectCap(answer: Answer, kind: string, limit: number): void {
  expectProblem(answer, 409, 'share.limit_exceeded')
  expect(answer.body).toMatchObject({ kind, limit })
}

// Hundreds of shares of patterns, without their requests.
async function insertShares(recipient: TestUser, count: number): Promise<void> {
  await app.app.ctx.db.transact(async (tx) => {
    for (let index = 0; index < count; index++) {
      tx.queue(sql`insert into shares (id, user_id, recipient_id, role, slug_prefix, created_at)
        values (${randomUUID()}, ${owner.userId}, ${recipient.userId}, 'viewer', ${`p${index}-`}, ${app.clock.now()})`)
    }
  })
}

describe('403 permission.free_recipient_limit_exceeded', () => {
  const { maxFreeRecipients } = LIMITS.share
  let members: TestUser[]
  beforeEach(async () => {
    members = []
    for (let count = 0; count < maxFreeRecipients; count++) {
      members.push(await app.addUser('free'))
      await share(app, { owner, recipient: members.at(-1)!, what: 'build' })
    }
  })

  test('for the sixth account on the free plan, on every activity of the owner; another owner is not concerned', async () => {
    const sixth = await app.addUser('free')
    await addActivity(app, owner, 'second')
    const codes = [await addCode(app, owner, 'build'), await addCode(app, owner, 'second')]
    for (const code of codes) {
      expectProblem(await join(app, sixth, code), 403, 'permission.free_recipient_limit_exceeded')
      const rehearsed = await app.post('/shares/join?dry_run=true', { code: code.code }, sixth.token)
      expectProblem(rehearsed, 403, 'permission.free_recipient_limit_exceeded')
    }
    expect((await codesOf(app, owner)).map(({ use_count }) => use_count)).toEqual([0, 0])
    const neighbour = await app.addUser()
    await addActivity(app, neighbour, 'build')
    await share(app, { owner: neighbour, recipient: sixth, what: 'build' })
  })

  test('plans are counted as they are now', async () => {
    const sixth = await app.addUser('free')
    const code = await addCode(app, owner, 'build', { max_uses: 10 })
    await app.setPlan(members[0]!, 'paid')
    expect((await join(app, sixth, code)).status).toBe(201)
    await app.setPlan(members[0]!, 'free')
    expectProblem(await join(app, await app.addUser('free'), code), 403, 'permission.free_recipient_limit_exceeded')
    expect(await sharesOf(app, members[0]!)).toHaveLength(1)
  })

  test('a recipient who became free joins nothing more while five others are free', async () => {
    const once = await app.addUser()
    await share(app, { owner, recipient: once, what: 'build' })
    await app.setPlan(once, 'free')
    await addActivity(app, owner, 'second')
    const code = await addCode(app, owner, 'second', { max_uses: 10 })
    expectProblem(await join(app, once, code), 403, 'permission.free_recipient_limit_exceeded')
    const [left] = await sharesOf(app, members[0]!)
    await app.del(`/shares/${left!.id}`, owner.token)
    expect((await join(app, once, code)).status).toBe(201)
  })
})

describe('received shares', () => {
  test('403 permission.free_share_limit_exceeded for the 21st of an account on the free plan', async () => {
    const { free: limit } = LIMITS.share.maxReceived
    const recipient = await app.addUser('free')
    for (let index = 0; index < limit; index++) {
      await addActivity(app, owner, `a${index}`)
      await share(app, { owner, recipient, what: `a${index}` })
    }
    const code = await addCode(app, owner, 'build')
    expectProblem(await join(app, recipient, code), 403, 'permission.free_share_limit_exceeded')
    expect((await codesOf(app, owner))[0]?.use_count).toBe(0)
    const [left] = await sharesOf(app, recipient)
    await app.del(`/shares/${left!.id}`, recipient.token)
    expect((await join(app, recipient, code)).status).toBe(201)
  })

  test('409 share.limit_exceeded for the 201st of an account on the paid plan', async () => {
    const { paid: limit } = LIMITS.share.maxReceived
    const recipient = await app.addUser()
    await insertShares(recipient, limit)
    const code = await addCode(app, owner, 'build')
    expectCap(await join(app, recipient, code), 'received', limit)
    expect((await codesOf(app, owner))[0]?.use_count).toBe(0)
    expect(await sharesOf(app, recipient)).toHaveLength(limit)
    const [left] = await sharesOf(app, recipient)
    await app.del(`/shares/${left!.id}`, recipient.token)
    expect((await join(app, recipient, code)).status).toBe(201)
  })

  test('an account that became free keeps more than 20, and receives no more', async () => {
    const recipient = await app.addUser()
    await insertShares(recipient, LIMITS.share.maxReceived.free + 1)
    await app.setPlan(recipient, 'free')
    expect(await sharesOf(app, recipient)).toHaveLength(LIMITS.share.maxReceived.free + 1)
    const refused = await join(app, recipient, await addCode(app, owner, 'build'))
    expectProblem(refused, 403, 'permission.free_share_limit_exceeded')
  })
})

describe('409 share.limit_exceeded: recipients', () => {
  test.each(['build', 'b*'])('the 101st of %s is refused until one leaves', async (what) => {
    const { maxRecipients } = LIMITS.share
    const code = await addCode(app, owner, what, { max_uses: 1000 })
    const users: TestUser[] = []
    for (let count = 0; count < maxRecipients; count++) {
      users.push(await app.addUser())
      expect((await join(app, users.at(-1)!, code)).status).toBe(201)
    }
    const late = await app.addUser()
    expectCap(await join(app, late, code), 'recipients', maxRecipients)
    expect((await codesOf(app, owner))[0]?.use_count).toBe(maxRecipients)
    expect((await app.get('/activities/build', owner.token)).body.share_count).toBe(maxRecipients)
    // Another activity or pattern has recipients of its own.
    await share(app, { owner, recipient: late, what: 'other-*' })
    const [left] = await sharesOf(app, users[0]!)
    await app.del(`/shares/${left!.id}`, users[0]!.token)
    expect((await join(app, late, code)).status).toBe(201)
  })
})

test('409 share.limit_exceeded for the 1001st share that an owner gives', async () => {
  const { maxGiven } = LIMITS.share
  const recipient = await app.addUser()
  await insertShares(recipient, maxGiven - 1)
  const [last, late] = [await app.addUser(), await app.addUser()]
  const code = await addCode(app, owner, 'build', { max_uses: 2 })
  expect((await join(app, last, code)).status).toBe(201)
  expectCap(await join(app, late, code), 'recipients', maxGiven)
  expect((await codesOf(app, owner))[0]?.use_count).toBe(1)
  expect(await sharesOf(app, owner)).toHaveLength(maxGiven)
  const [left] = await sharesOf(app, last)
  await app.del(`/shares/${left!.id}`, owner.token)
  expect((await join(app, late, code)).status).toBe(201)
})

describe('429 rate_limit.exceeded, although the general limit is off', () => {
  const { refusedCodesPerMinute } = LIMITS.rate
  const joinFrom = (address: string, user: TestUser, code: string, query = '') =>
    app.call('POST', `/shares/join${query}`, {
      token: user.token,
      body: { code },
      headers: { 'x-forwarded-for': address },
    })
  const refuse = async (address: string, count: number) => {
    // Several accounts behind one address share its count.
    const users = [await app.addUser(), await app.addUser()]
    for (let index = 0; index < count; index++) {
      const refused = await joinFrom(address, users[index % 2]!, 'ZZZZZZZZ', index % 3 ? '' : '?dry_run=true')
      expectProblem(refused, 410, 'share.code_invalid')
    }
  }

  test('for every join after 20 refused codes, with Retry-After 60; another address is not concerned', async () => {
    const { code } = await addCode(app, owner, 'build', { max_uses: 3 })
    await refuse('203.0.113.1', refusedCodesPerMinute)
    const recipient = await app.addUser()
    for (const query of ['', '?dry_run=true']) {
      for (const attempt of [code, 'ZZZZZZZZ']) {
        const refused = await joinFrom('203.0.113.1', recipient, attempt, query)
        expectProblem(refused, 429, 'rate_limit.exceeded')
        expect(refused.headers.get('retry-after')).toBe('60')
        expect(refused.body.retry_after_ms).toBe(60_000)
      }
    }
    expect((await joinFrom('203.0.113.2', recipient, code)).status).toBe(201)
    app.advanceSeconds(60)
    expect((await joinFrom('203.0.113.1', await app.addUser(), code)).status).toBe(201)
  })

  test('also for those of 60 concurrent joins that come after 20 refused ones', async () => {
    const user = await app.addUser()
    const answers = await Promise.all(Array.from({ length: 60 }, () => joinFrom('203.0.113.5', user, 'ZZZZZZZZ')))
    expect(tally(answers)).toEqual({ '410 share.code_invalid': 20, '429 rate_limit.exceeded': 40 })
  })

  test('not after 19', async () => {
    await refuse('203.0.113.3', refusedCodesPerMinute - 1)
    const { code } = await addCode(app, owner, 'build')
    expect((await joinFrom('203.0.113.3', await app.addUser(), code)).status).toBe(201)
  })

  test('not after other answers: successes and refusals of another kind do not count', async () => {
    const own = await addCode(app, owner, 'build', { max_uses: 1000 })
    const editors = await addCode(app, owner, 'build', { role: 'editor' })
    const [free, paid] = [await app.addUser('free'), await app.addUser()]
    const address = '203.0.113.4'
    for (let count = 0; count < 8; count++) {
      expect((await joinFrom(address, owner, own.code)).status).toBe(409)
      expect((await joinFrom(address, free, editors.code)).status).toBe(403)
      expect((await joinFrom(address, owner, '')).status).toBe(422)
      expect((await joinFrom(address, paid, own.code)).status).toBe(count ? 200 : 201)
    }
    expect((await joinFrom(address, await app.addUser(), own.code)).status).toBe(201)
  })
})
