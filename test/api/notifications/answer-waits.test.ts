// GET /notifications/answers/:id?wait=…: held until the answer or the timeout, on every node.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { insertOpenWait } from '../../../src/store/open-waits.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createWatchedClock } from '../../support/fakes/watched-clock.ts'

const clock = createWatchedClock()
const nodes: TestApp[] = []
let first: TestApp
// Another server on the same database if the database allows two, else the same.
let second: TestApp
let user: TestUser
beforeAll(async () => {
  first = await startTestApp({}, undefined, { clock })
  nodes.push(first)
  if (isPostgres()) nodes.unshift(await startTestApp({}, first.database, { clock }))
  second = nodes[0] as TestApp
})
afterAll(async () => {
  for (const node of nodes) await node.stop()
})
beforeEach(async () => {
  user = await first.addUser()
})

async function ask({ token } = user): Promise<number> {
  const body = { title: 'Deploy?', body: 'v2', push: false, actions: [{ id: 'yes', title: 'Yes' }] }
  return (await first.post('/notifications', body, token)).body.id
}

const reply = (node: TestApp, id: number) => node.post(`/notifications/${id}/answer`, { action_id: 'yes' }, user.token)
const path = (id: number, seconds: number) => `/notifications/answers/${id}?wait=${seconds}`
const wait = (id: number, seconds = 25, token = user.token, node = first) => node.get(path(id, seconds), token)

async function openWaits({ userId } = user): Promise<number> {
  return (await first.app.ctx.db.read.all(sql`select id from open_waits where user_id = ${userId}`)).length
}

// Starts a wait and returns once it is held: its slot is taken and its first timer is set.
async function hold(begin: () => Promise<Answer>): Promise<{ answer: Promise<Answer> }> {
  const held = clock.alarmsMs.length
  const answer = begin()
  await eventually(() => expect(clock.alarmsMs.length).toBeGreaterThan(held))
  return { answer }
}

const PENDING = { status: 'pending' }
const ANSWERED = { status: 'answered', action_id: 'yes' }

describe('a wait', () => {
  test('200 returns immediately when the answer exists', async () => {
    const id = await ask()
    await reply(first, id)
    expect((await wait(id)).body).toMatchObject(ANSWERED)
    expect(await openWaits()).toBe(0)
  })

  test('200 returns on the answer without a poll, also when it is given on another node', async () => {
    for (const node of [first, second]) {
      const id = await ask()
      const { answer } = await hold(() => wait(id))
      await reply(node, id)
      expect((await answer).body).toMatchObject(ANSWERED)
    }
    expect(await openWaits()).toBe(0)
  })

  test('200 all four waits for one answer get it', async () => {
    const id = await ask()
    const waits = [await hold(() => wait(id)), await hold(() => wait(id, 25, user.token, second))]
    waits.push(await hold(() => wait(id)), await hold(() => wait(id)))
    await reply(second, id)
    const answers = await Promise.all(waits.map(({ answer }) => answer))
    expect(answers.map(({ body }) => body.action_id)).toEqual(['yes', 'yes', 'yes', 'yes'])
  })

  test('R19 200 an answer whose signal was lost is found by the poll of every second', async () => {
    const id = await ask()
    const { answer } = await hold(() => wait(id))
    await first.app.ctx.db.transact((tx) =>
      tx.execute(
        sql`update answers set status = 'answered', action_id = 'yes', answered_at = 1 where notification_id = ${id}`,
      ),
    )
    clock.advanceSeconds(1)
    expect((await answer).body).toMatchObject(ANSWERED)
  })

  test.each([1, 25])('R44 200 returns pending after %i seconds, and not before', async (seconds) => {
    const id = await ask()
    const { answer } = await hold(() => wait(id, seconds))
    clock.advanceSeconds(seconds - 0.001)
    // Leaves time for a wait that ends too early.
    await first.get(`/notifications/answers/${id}`, user.token)
    expect(await openWaits()).toBe(1)
    clock.advanceSeconds(0.001)
    expect((await answer).body).toEqual({ notification_id: id, ...PENDING })
    expect(await openWaits()).toBe(0)
  })

  test('200 with wait=0 does not wait and takes no slot', async () => {
    const id = await ask()
    expect((await wait(id, 0)).body).toMatchObject(PENDING)
  })

  test('404 notification_answer.not_found does not wait', async () => {
    expectProblem(await wait(987_654_321), 404, 'notification_answer.not_found')
    expect(await openWaits()).toBe(0)
  })
})

describe('the wait slots of an account', () => {
  async function holdFour(id: number): Promise<Promise<Answer>[]> {
    const held: Promise<Answer>[] = []
    for (const node of [first, second, first, second])
      held.push((await hold(() => wait(id, 25, user.token, node))).answer)
    return held
  }

  test('429 answer_wait.limit_exceeded for a fifth wait of any kind, with Retry-After 2', async () => {
    const id = await ask()
    const held = await holdFour(id)
    const answered = await ask()
    await reply(first, answered)
    for (const refused of [await wait(id), await wait(answered), await wait(987_654_321, 1, user.token, second)]) {
      expectProblem(refused, 429, 'answer_wait.limit_exceeded')
      expect(refused.headers.get('retry-after')).toBe('2')
      expect(refused.body.retry_after_ms).toBe(2000)
    }
    expect((await wait(id, 0)).status).toBe(200)
    await reply(first, id)
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await wait(id)).status).toBe(200)
  })

  test('R20 of 30 concurrent waits on all nodes, exactly four are held', async () => {
    const id = await ask()
    const begun = Array.from({ length: 30 }, (_, index) => wait(id, 25, user.token, index % 2 ? first : second))
    const refused: Answer[] = []
    for (const answer of begun) void answer.then((early) => refused.push(early))
    await eventually(() => expect(refused).toHaveLength(30 - LIMITS.wait.maxOpen))
    expect(await openWaits()).toBe(LIMITS.wait.maxOpen)
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['answer_wait.limit_exceeded']))
    await reply(first, id)
    const answers = await Promise.all(begun)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMITS.wait.maxOpen)
  })

  test('are separate from those of another account', async () => {
    const held = await holdFour(await ask())
    const other = await first.addUser()
    const id = await ask(other)
    const { answer } = await hold(() => wait(id, 1, other.token))
    clock.advanceSeconds(25)
    expect((await answer).status).toBe(200)
    await Promise.all(held)
  })

  test('R44 are freed when clients disconnect, a hundred times in a row', async () => {
    const id = await ask()
    const headers = { authorization: `Bearer ${user.token}` }
    for (let round = 0; round < 25; round++) {
      const disconnect = new AbortController()
      const calls = [first, second, first, second].map((node) =>
        fetch(node.url + path(id, 25), { headers, signal: disconnect.signal }).catch(() => 'disconnected'),
      )
      await eventually(async () => expect(await openWaits()).toBe(4))
      disconnect.abort()
      expect(await Promise.all(calls)).toEqual(Array(4).fill('disconnected'))
      await eventually(async () => expect(await openWaits()).toBe(0))
    }
    const { answer } = await hold(() => wait(id))
    await reply(first, id)
    expect((await answer).status).toBe(200)
  })

  test('of a dead node are freed after a minute', async () => {
    const id = await ask()
    for (let slot = 0; slot < LIMITS.wait.maxOpen; slot++) {
      const lost = { id: `${id}-${slot}`, userId: user.userId, heldBy: 'request', keyId: null } as const
      await first.app.ctx.db.transact(async (tx) => insertOpenWait(tx, lost, clock.now()))
    }
    expect((await wait(id)).status).toBe(429)
    clock.advanceSeconds(60)
    await reply(first, id)
    expect((await wait(id)).status).toBe(200)
  })
})

describe('R44, R46: a wait whose token is revoked or restricted', () => {
  async function holdByKey(members: object = {}) {
    const created = await first.post(
      '/integrations/keys',
      { name: 'K', permissions: { notifications: 'send' }, ...members },
      user.token,
    )
    const { id: keyId, key } = created.body
    const { body } = await first.post(
      '/notifications',
      { title: 'T', body: 'B', push: false, actions: [{ id: 'yes', title: 'Yes' }] },
      key,
    )
    return { keyId, id: body.id, ...(await hold(() => wait(body.id, 25, key))) }
  }

  test('401 when the key is deleted on any node, even if the answer comes at the same time', async () => {
    const { keyId, id, answer } = await holdByKey()
    await second.del(`/integrations/keys/${keyId}`, user.token)
    await reply(second, id)
    expectProblem(await answer, 401, 'token.invalid')
    expect(await openWaits()).toBe(0)
  })

  test('401 when the key is rolled', async () => {
    const { keyId, answer } = await holdByKey()
    await second.post(`/integrations/keys/${keyId}/roll`, undefined, user.token)
    expectProblem(await answer, 401, 'token.invalid')
  })

  test('401 integration_key.expired when it expires', async () => {
    const { answer } = await holdByKey({ expires_at: new Date(clock.now() + 5000).toISOString() })
    clock.advanceSeconds(5)
    expectProblem(await answer, 401, 'integration_key.expired')
  })

  test('403 when the key loses its permission on any node, even if the answer comes at the same time', async () => {
    const { keyId, id, answer } = await holdByKey()
    await second.patch(`/integrations/keys/${keyId}`, { permissions: { notifications: 'none' } }, user.token)
    await reply(second, id)
    expectProblem(await answer, 403, 'integration_key.permission_denied')
    expect(await openWaits()).toBe(0)
  })

  test('200 when the key is changed but may still read the answer', async () => {
    const { keyId, id, answer } = await holdByKey()
    await second.patch(`/integrations/keys/${keyId}`, { name: 'renamed' }, user.token)
    await reply(second, id)
    expect((await answer).body).toMatchObject(ANSWERED)
  })

  test('403 immediately for the receipt of an alert, without a poll', async () => {
    const created = await first.post(
      '/integrations/keys',
      { name: 'K', permissions: { notifications: 'send' } },
      user.token,
    )
    const alert = { title: 'T', body: 'B', acknowledge: { repeat_seconds: 60, expire_seconds: 600 } }
    const { id } = (await first.post('/notifications', alert, created.body.key)).body
    const { answer } = await hold(() => first.get(`/notifications/receipts/${id}?wait=25`, created.body.key))
    await second.patch(`/integrations/keys/${created.body.id}`, { permissions: { notifications: 'none' } }, user.token)
    expectProblem(await answer, 403, 'integration_key.permission_denied')
  })

  test('403 immediately for an approval whose slug the key may no longer access', async () => {
    const created = await first.post(
      '/integrations/keys',
      { name: 'K', permissions: { activities: 'manage' }, activity_slugs: ['deploy'] },
      user.token,
    )
    const options = ['yes', 'no'].map((id) => ({ id, title: id }))
    const activity = { state: 'ongoing', content: { template: 'approval', options } }
    expect((await first.patch('/activities/deploy?upsert=true', activity, created.body.key)).status).toBe(201)
    const { answer } = await hold(() => first.get('/activities/deploy?wait=25', created.body.key))
    await second.patch(`/integrations/keys/${created.body.id}`, { activity_slugs: ['other'] }, user.token)
    expectProblem(await answer, 403, 'integration_key.slug_invalid')
  })

  test('401 when a full-access token is signed out', async () => {
    const id = await ask()
    const { answer } = await hold(() => wait(id))
    await second.del('/auth/token', user.token)
    expectProblem(await answer, 401, 'token.invalid')
  })
})

describe.skipIf(sqliteSuffices())('R44: a server that stops', () => {
  test('answers all 200 waits with the current state, without a poll', async () => {
    const stopping = await startTestApp({}, undefined, { clock })
    const users = await Promise.all(Array.from({ length: 50 }, () => stopping.addUser()))
    const question = { title: 'T', body: 'B', push: false, actions: [{ id: 'yes', title: 'Yes' }] }
    const questions = await Promise.all(
      users.map(async ({ token }) => {
        const { id } = (await stopping.post('/notifications', question, token)).body
        return { id, token }
      }),
    )
    const before = clock.alarmsMs.length
    const held = questions.flatMap(({ id, token }) =>
      Array.from({ length: LIMITS.wait.maxOpen }, () => wait(id, 25, token, stopping)),
    )
    await eventually(() => expect(clock.alarmsMs).toHaveLength(before + 200))
    await stopping.stop()
    const answers = await Promise.all(held)
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(Array(200).fill([200, 'pending']))
  })
})
