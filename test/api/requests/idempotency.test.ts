// R55, Idempotency-Key on POST /notifications: a repeated request yields one notification and two equal answers.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NotificationInput } from '../../../src/contract/notifications/notification.ts'
import { authenticate, readCredentials } from '../../../src/operations/authenticate.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { sendNotification } from '../../../src/operations/notifications/send.ts'
import type { TestApp, TestUser } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { isPostgres } from '../../support/database/database.ts'
import { addPhone } from '../../support/devices/phone.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { type PushServices, startPushServices } from '../../support/fakes/push-services.ts'
import { setUsed } from '../../support/usage.ts'

let services: PushServices
const nodes: TestApp[] = []
let app: TestApp
let user: TestUser
beforeAll(async () => {
  services = await startPushServices()
  app = await services.startNode()
  nodes.push(app)
  if (isPostgres()) nodes.unshift(await services.startNode({}, app.database))
})
afterAll(async () => {
  await services.close()
  for (const node of nodes) await node.stop()
})
beforeEach(async () => {
  user = await app.addUser()
})

const plain = { title: 'Deployed', body: 'v2 is live' }
type Request = { key?: string; body?: object; token?: string; node?: TestApp; query?: string }

function send({ key = 'once', body = plain, token = user.token, node = app, query = '' }: Request = {}) {
  return node.call('POST', `/notifications${query}`, { token, body, headers: { 'idempotency-key': key } })
}

const inbox = async (): Promise<{ id: number }[]> => (await app.get('/notifications', user.token)).body.items
const used = async () => (await app.get('/auth/me', user.token)).body.notifications_used
const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true'
const phoneOf = (owner = user) => addPhone(services, { app, user: owner })

// A server that is killed right after the commit: it neither pushes nor answers.
async function sendAndDie(body: NotificationInput = plain): Promise<void> {
  const { ctx } = app.app
  const killed = () => Promise.reject(new Error('killed'))
  let commits = 0
  const transact: typeof ctx.db.transact = (work) => (commits++ === 0 ? ctx.db.transact(work) : killed())
  const dying = { ...ctx, runNow: killed, db: { ...ctx.db, transact } }
  const request = { key: 'once', route: 'POST /notifications', body }
  const sending = sendNotification(dying, await authenticate(ctx, readCredentials(user.token)), body, request)
  await expect(sending).rejects.toThrow('killed')
}

function expectInProgress({ status, body, headers }: Answer) {
  expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'idempotency.in_progress', '1'])
}

describe('the same key with the same body', () => {
  test('201 the stored answer again, marked as replayed; nothing is stored, counted or pushed twice', async () => {
    const phone = await phoneOf()
    const first = await send()
    app.advanceSeconds(60)
    const again = await send()
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(first.body.delivery).toBe('all')
    expect([isReplayed(first), isReplayed(again)]).toEqual([false, true])
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect([(await inbox()).length, await used(), (await phone.pushes()).length]).toEqual([1, 1, 1])
  })

  test('201 also after the notification was read or deleted', async () => {
    const first = await send({ body: { ...plain, actions: [{ id: 'ok', title: 'OK' }] } })
    const same = { body: { ...plain, actions: [{ id: 'ok', title: 'OK' }] } }
    await app.post('/notifications/read', { all: true }, user.token)
    expect((await send(same)).body).toEqual(first.body)
    await app.del(`/notifications/${first.body.id}`, user.token)
    expect((await send(same)).body).toEqual(first.body)
    expect(await inbox()).toEqual([])
  })

  test('201 once for each route', async () => {
    const body = { ...plain, send_at: new Date(app.clock.now() + 3_600_000).toISOString() }
    const headers = { 'idempotency-key': 'once' }
    const schedule = () => app.call('POST', '/notifications/scheduled', { token: user.token, body, headers })
    const [sent, planned] = [await send(), await schedule()]
    expect([sent.status, planned.status]).toEqual([201, 201])
    expect([isReplayed(sent), isReplayed(planned)]).toEqual([false, false])
    expect((await send()).body).toEqual(sent.body)
    expect((await schedule()).body).toEqual(planned.body)
  })

  test('201 on another node', async () => {
    const [first, again] = [await send({ node: nodes.at(0) }), await send({ node: nodes.at(-1) })]
    expect(again.body).toEqual(first.body)
    expect(isReplayed(again)).toBe(true)
  })

  test('201 after the key that sent it was rolled', async () => {
    const { id, key } = (await app.post('/integrations/keys', { name: 'K', notifications: true }, user.token)).body
    const first = await send({ token: key })
    const rolled = (await app.post(`/integrations/keys/${id}/roll`, undefined, user.token)).body.key
    expect((await send({ token: rolled })).body).toEqual(first.body)
  })

  test('409 idempotency.in_progress with Retry-After 1 while the first request waits for push services', async () => {
    const phone = await phoneOf()
    services.apns.script(phone.token, 'silence')
    const first = send()
    await services.apns.until(() => services.apns.requests.some(({ token }) => token === phone.token))
    expectInProgress(await send({ node: nodes.at(0) }))
    app.advanceSeconds(3)
    expect((await first).status).toBe(201)
    const again = await send()
    expect(again.body).toEqual((await first).body)
    expect(await inbox()).toHaveLength(1)
  })

  test('20 concurrent requests on all nodes: one notification; each answer is 201 with it or 409', async () => {
    const phone = await phoneOf()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send({ node: nodes[index % nodes.length] })),
    )
    const [stored, ...more] = await inbox()
    expect(more).toEqual([])
    expect(answers.filter((answer) => answer.status === 201 && !isReplayed(answer))).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 201) expect(answer.body.id).toBe(stored?.id)
      else expectInProgress(answer)
    }
    expect([await used(), (await phone.pushes()).length]).toEqual([1, 1])
    expect((await send()).body.id).toBe(stored?.id)
  })
})

describe('after a server was killed between the commit and the answer', () => {
  test('409 for 10 seconds, then 201 with the stored notification', async () => {
    const body = { ...plain, actions: [{ id: 'ok', title: 'OK' }] }
    await sendAndDie(body)
    const [stored] = await inbox()
    const again = () => send({ body, node: nodes.at(0) })
    expectInProgress(await again())
    app.advanceSeconds(9.999)
    expectInProgress(await again())
    app.advanceSeconds(0.001)
    const answer = await again()
    expect([answer.status, isReplayed(answer)]).toEqual([201, true])
    // The answer that it waits for is shown in the inbox only.
    const { answer: _, ...sent } = stored as { id: number; answer?: object }
    expect(answer.body).toMatchObject({ ...sent, answerable: true, delivery: 'none' })
    expect([(await inbox()).length, await used()]).toEqual([1, 1])
  })

  test('the push is sent once, by any node, when the lease has expired', async () => {
    const phone = await phoneOf()
    await sendAndDie()
    app.advanceSeconds(14.999)
    await app.runDueJobs()
    expect(await phone.pushes()).toEqual([])
    expect(isReplayed(await send())).toBe(true)
    await eventually(async () => {
      app.advanceSeconds(1)
      await Promise.all(nodes.map((node) => node.runDueJobs()))
      expect((await phone.screen()).banners).toEqual(['Deployed'])
    })
    expect(isReplayed(await send())).toBe(true)
    app.advanceSeconds(3600)
    await app.runDueJobs()
    expect(await phone.pushes()).toHaveLength(1)
  })

  test('404 notification.not_found if the notification was deleted before the retry', async () => {
    await sendAndDie()
    const [stored] = await inbox()
    await app.del(`/notifications/${stored?.id}`, user.token)
    app.advanceSeconds(10)
    expectProblem(await send(), 404, 'notification.not_found')
    expect(await inbox()).toEqual([])
  })
})

describe('keys are separate', () => {
  test('422 idempotency.key_reused with another body; the first notification is kept', async () => {
    const first = await send()
    expectProblem(await send({ body: { ...plain, body: 'v3 is live' } }), 422, 'idempotency.key_reused')
    expect(await inbox()).toMatchObject([{ id: first.body.id, body: 'v2 is live' }])
  })

  test('by token: other keys and other accounts are independent', async () => {
    const key = await app.addKey(user, { permissions: { notifications: 'send' } })
    const other = await app.addUser()
    const answers = [
      await send(),
      await send({ token: key }),
      await send({ token: user.defaultKey }),
      await send(other),
    ]
    expect(answers.map(isReplayed)).toEqual([false, false, false, false])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(4)
  })

  test('without a key, the same request is a second notification', async () => {
    for (let count = 0; count < 2; count++) await app.post('/notifications', plain, user.token)
    expect(await inbox()).toHaveLength(2)
  })

  test('a refused request and a dry run do not use up the key', async () => {
    expect((await send({ query: '?dry_run=true' })).status).toBe(200)
    expectProblem(await send({ body: { ...plain, url: 'data:x' } }), 400, 'notification.invalid')
    const poor = await app.addUser('free')
    await setUsed(app, poor, 'notifications', 500)
    expectProblem(await send({ token: poor.token }), 429, 'quota.exceeded')
    await setUsed(app, poor, 'notifications', 0)
    const sent = await send({ token: poor.token })
    expect([sent.status, isReplayed(sent)]).toEqual([201, false])
    expect(isReplayed(await send())).toBe(false)
  })

  test('for 24 hours, and no longer', async () => {
    await send()
    const housekeep = async () => {
      await scheduleHousekeeping(app.app.ctx)
      await app.runDueJobs()
    }
    app.advanceSeconds(24 * 3600)
    await housekeep()
    expect(isReplayed(await send())).toBe(true)
    app.advanceSeconds(1)
    await housekeep()
    expect(isReplayed(await send())).toBe(false)
    expect(await inbox()).toHaveLength(2)
  })
})

describe('the header', () => {
  test.each(['x', ' !"#~', 'k'.repeat(255)])('201 for %s', async (key) => {
    expect((await send({ key })).status).toBe(201)
    expect(isReplayed(await send({ key }))).toBe(true)
  })

  test.each(['', 'k'.repeat(256), 'schlüssel', 'a\tb'])('422 for %s', async (key) => {
    const refused = await send({ key })
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['header.idempotency-key'])
    expect(await inbox()).toEqual([])
  })
})
