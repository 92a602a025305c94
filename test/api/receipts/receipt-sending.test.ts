// POST /notifications with acknowledge, by status. Rules without a database are in domain/receipts/acknowledge.test.ts.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestUser } from '../../support/app.ts'
import { sqliteSuffices } from '../../support/database/database.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'

const nodes = useTestNodes()
let user: TestUser
let key: string
beforeEach(async () => {
  user = await nodes.first.addUser()
  key = await nodes.first.addKey(user, { permissions: { notifications: 'send' } })
})

const alert = { title: 'Fire', body: 'in the server room', acknowledge: {} }
const post = (members: object = {}, token = key, query = '') =>
  nodes.first.post(`/notifications${query}`, { ...alert, ...members }, token)
const statusOf = async (id: number) => (await nodes.first.get(`/notifications/receipts/${id}`, user.token)).body
const used = async () => (await nodes.first.get('/auth/me', user.token)).body.notifications_used

async function rows() {
  const { db } = nodes.first.app.ctx
  const count = async (query: ReturnType<typeof sql>) => (await db.read.all(query)).length
  return {
    notifications: await count(sql`select id from notifications where user_id = ${user.userId}`),
    receipts: await count(sql`select notification_id from receipts where user_id = ${user.userId}`),
    active: await count(sql`select notification_id from receipts where user_id = ${user.userId} and status = 'active'`),
  }
}

describe('201', () => {
  test('with the receipt, the Acknowledge button, and a pending callback', async () => {
    const callback_url = 'https://example.org/hook'
    const { status, body } = await post({ tags: ['fire'], callback_url })
    expect([status, body.answerable]).toEqual([201, true])
    expect(body.actions).toEqual([{ id: 'pw_ack', title: 'Acknowledge' }])
    expect(body.receipt).toMatchObject({
      notification_id: body.id,
      status: 'active',
      repeat_seconds: 60,
      tags: ['fire'],
      callback: { status: 'pending', attempts: 0 },
    })
    expect(body.receipt).toEqual(await statusOf(body.id))
    expect(JSON.stringify(body)).not.toContain(callback_url)
  })

  test('without acknowledge there is no receipt, and the inbox shows none', async () => {
    const { body } = await post({ acknowledge: null })
    expect(body).not.toHaveProperty('receipt')
    expect((await nodes.first.get(`/notifications/${body.id}`, key)).body).not.toHaveProperty('receipt')
  })

  test('the same Idempotency-Key yields the same receipt, once', async () => {
    const request = { token: key, body: alert, headers: { 'idempotency-key': 'once' } }
    const first = await nodes.first.call('POST', '/notifications', request)
    const again = await nodes.first.call('POST', '/notifications', request)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await rows()).toEqual({ notifications: 1, receipts: 1, active: 1 })
  })

  test('uses one notification of the quota, and repeats use none', async () => {
    await post({ acknowledge: { repeat_seconds: 30 } })
    for (const _ of Array(3)) {
      nodes.first.advanceSeconds(30)
      await nodes.first.runDueJobs()
    }
    expect(await used()).toBe(1)
  })

  test('event streams get its start, its repeats and its end', async () => {
    const reader = await openEvents(nodes.first.url, user.token)
    const { id } = (await post({ acknowledge: { repeat_seconds: 30 } })).body
    nodes.first.advanceSeconds(30)
    await nodes.first.runDueJobs()
    await nodes.first.post(`/notifications/${id}/answer`, { action_id: 'pw_ack' }, user.token)
    await eventually(() => expect(reader.types()).toContain('notification.answered'))
    reader.close()
    expect(reader.types()).toEqual([
      'notification.created',
      'receipt.created',
      'receipt.repeated',
      'receipt.acknowledged',
      'notification.answered',
    ])
    expect(reader.events[3]?.data.data).toEqual({ id, repeats_sent: 1, action_id: 'pw_ack' })
  })

  test('event streams learn why it was canceled', async () => {
    const { id } = (await post({ acknowledge: {} })).body
    const reader = await openEvents(nodes.first.url, user.token)
    await nodes.first.post(`/notifications/receipts/${id}/cancel`, undefined, user.token)
    await eventually(() => expect(reader.types()).toEqual(['receipt.canceled']))
    reader.close()
    expect(reader.events[0]?.data.data).toEqual({ id, repeats_sent: 0, cancel_reason: 'api' })
  })
})

describe('superseding', () => {
  test('the same key and collapse_id: the older alert is canceled', async () => {
    const first = (await post({ collapse_id: 'db' })).body.id
    const second = (await post({ collapse_id: 'db' })).body.id
    expect(await statusOf(first)).toMatchObject({ status: 'canceled', cancel_reason: 'superseded' })
    expect((await statusOf(second)).status).toBe('active')
  })

  test('another collapse_id, none, another sender, or no acknowledge: the alert stays active', async () => {
    const { id } = (await post({ collapse_id: 'db' })).body
    await post({ collapse_id: 'DB' })
    await post()
    await post()
    await post({ collapse_id: 'db' }, user.defaultKey)
    await post({ collapse_id: 'db' }, user.token)
    await post({ collapse_id: 'db', acknowledge: null })
    expect((await statusOf(id)).status).toBe('active')
    expect((await rows()).active).toBe(6)
  })

  test('frees a place before the limit is checked', async () => {
    for (const index of Array(LIMITS.receipt.maxOpen).keys()) await post({ collapse_id: `c${index}` })
    expectProblem(await post({ collapse_id: 'new' }), 409, 'notification_receipt.limit_exceeded')
    expect((await post({ collapse_id: 'c7' })).status).toBe(201)
    expect((await rows()).active).toBe(LIMITS.receipt.maxOpen)
  })
})

describe.skipIf(sqliteSuffices())('400', () => {
  test('notification.invalid lists what is wrong, and nothing is stored', async () => {
    const refused = await post({ push: false, tags: ['a b'], callback_url: 'https://127.0.0.1/' })
    expectProblem(refused, 400, 'notification.invalid')
    expect(locations(refused)).toEqual(['body.acknowledge', 'body.tags[0]', 'body.callback_url'])
    expect(await rows()).toEqual({ notifications: 0, receipts: 0, active: 0 })
  })

  test('a callback_url without an integration key, whose secret would sign it', async () => {
    const refused = await post({ callback_url: 'https://example.org' }, user.token)
    expectProblem(refused, 400, 'notification.invalid')
    expect(locations(refused)).toEqual(['body.callback_url'])
  })
})

describe('409 notification_receipt.limit_exceeded', () => {
  test('for the 26th alert, until one has ended; plain notifications are still accepted', async () => {
    const sent = await Promise.all(Array.from({ length: LIMITS.receipt.maxOpen }, () => post()))
    const before = await used()
    expectProblem(await post(), 409, 'notification_receipt.limit_exceeded')
    expectProblem(await post({}, user.token), 409, 'notification_receipt.limit_exceeded')
    expectProblem(await post({}, key, '?dry_run=true'), 409, 'notification_receipt.limit_exceeded')
    expect([await used(), (await rows()).notifications]).toEqual([before, LIMITS.receipt.maxOpen])
    expect((await post({ acknowledge: null })).status).toBe(201)
    await nodes.first.post(`/notifications/receipts/${sent[0]?.body.id}/cancel`, undefined, key)
    expect((await post()).status).toBe(201)
  })

  test('R20 of 75 concurrent alerts by several senders exactly 25 are accepted, stored and counted', async () => {
    const tokens = [key, user.token, user.defaultKey]
    const answers = await nodes.atOnce(LIMITS.receipt.maxOpen + 50, (node, index) =>
      node.post('/notifications', alert, tokens[index % 3]),
    )
    const taken = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ body }) => body.code === 'notification_receipt.limit_exceeded')
    expect([taken.length, refused.length]).toEqual([LIMITS.receipt.maxOpen, 50])
    const maxActive = LIMITS.receipt.maxOpen
    expect(await rows()).toEqual({ notifications: maxActive, receipts: maxActive, active: maxActive })
    expect(await used()).toBe(maxActive)
  })

  test('R20 of 40 concurrent alerts with one collapse_id exactly one stays active', async () => {
    const answers = await nodes.atOnce(40, (node) => node.post('/notifications', { ...alert, collapse_id: 'db' }, key))
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201))
    expect(await rows()).toEqual({ notifications: 40, receipts: 40, active: 1 })
  })
})

describe.skipIf(sqliteSuffices())('422', () => {
  test.each([
    [{ acknowledge: { repeat_seconds: 29 } }, 'body.acknowledge.repeat_seconds'],
    [{ acknowledge: { expire_seconds: 10_801 } }, 'body.acknowledge.expire_seconds'],
    [{ tags: Array(11).fill('x') }, 'body.tags'],
    [{ callback_url: `https://example.org/${'x'.repeat(2048)}` }, 'body.callback_url'],
  ])('request.validation_failed (case %#)', async (members, location) => {
    const refused = await post(members)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual([location])
  })

  test.each(['HELIOGRAPH_ACKNOWLEDGE', 'HELIOGRAPH_ANSWERS'])(
    'notification_receipt.disabled when the operator has switched %s off',
    async (setting) => {
      const app = await startTestApp({ [setting]: 'off' })
      onTestFinished(() => app.stop())
      const { token } = await app.addUser()
      expectProblem(await app.post('/notifications', alert, token), 422, 'notification_receipt.disabled')
      expect((await app.post('/notifications', { ...alert, acknowledge: null }, token)).status).toBe(201)
    },
  )

  test('notification.encrypted_too_large includes the button that is added', async () => {
    const longest = (acknowledge: object | null) => ({
      ...{ title: '', body: '', acknowledge },
      encrypted: `pw1.0a1b2c3d.${'A'.repeat(3056)}`,
    })
    const roomFor = async (acknowledge: object | null) => {
      let [fits, tooMuch] = [0, 2000]
      while (tooMuch - fits > 1) {
        const bytes = Math.floor((fits + tooMuch) / 2)
        const body = { ...longest(acknowledge), metadata: { a: 'x'.repeat(bytes) } }
        const { status } = await nodes.first.post('/notifications?dry_run=true', body, key)
        if (status === 200) fits = bytes
        else tooMuch = bytes
      }
      return fits
    }
    const plain = await roomFor(null)
    expect(await roomFor({})).toBeLessThan(plain)
    expect(plain - (await roomFor({ action_title: 'x'.repeat(64) }))).toBeGreaterThan(64)
  })
})

describe.skipIf(sqliteSuffices())('?dry_run=true', () => {
  test('200 shows the receipt, the button and the tag that replaces banners, and stores nothing', async () => {
    const { status, body } = await post({ collapse_id: 'db', tags: ['fire'] }, key, '?dry_run=true')
    expect(status).toBe(200)
    expect(body.would.resource).toMatchObject({
      actions: [{ id: 'pw_ack' }],
      receipt: { status: 'active', tags: ['fire'] },
    })
    const web = body.would.pushes.find(({ channel }: { channel: string }) => channel === 'web_push')
    expect(web.payload.tag).toMatch(/^[\w-]{32}$/)
    expect(await rows()).toEqual({ notifications: 0, receipts: 0, active: 0 })
  })
})
