// Receipts by endpoint: reading, canceling and acknowledging. Sending alerts is in receipt-sending.test.ts, their
// repeats in receipt-repeats.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { makeTicket } from '../../../src/domain/answers/answer-ticket.ts'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestUser } from '../../support/app.ts'
import { terminal } from '../../support/devices/devices.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'

const nodes = useTestNodes()
let user: TestUser
let other: TestUser
let key: string
beforeEach(async () => {
  user = await nodes.first.addUser()
  other = await nodes.first.addUser()
  key = await nodes.first.addKey(user, { permissions: { notifications: 'send' } })
})

const alert = { title: 'Fire', body: 'in the server room', acknowledge: {} }
const isoNow = (seconds = 0) => new Date(nodes.first.clock.now() + seconds * 1000).toISOString()

async function send(members: object = {}, token = key): Promise<number> {
  return (await nodes.first.post('/notifications', { ...alert, ...members }, token)).body.id
}

const read = (id: number | string, token = key) => nodes.first.get(`/notifications/receipts/${id}`, token)
const cancel = (id: number | string, token = key) =>
  nodes.first.post(`/notifications/receipts/${id}/cancel`, undefined, token)
const cancelTag = (body: unknown, token = key) => nodes.first.post('/notifications/receipts/cancel', body, token)
const press = (id: number, body: object = { action_id: 'pw_ack' }) =>
  nodes.first.post(`/notifications/${id}/answer`, body, user.token)
const timeline = async (id: number) =>
  (await nodes.first.get(`/notifications/${id}/timeline`, user.token)).body.items.slice(2)
const statusesOf = (ids: number[]) => Promise.all(ids.map(async (id) => (await read(id, user.token)).body.status))

describe('GET /notifications/receipts/:id', () => {
  test('200 active until it is acknowledged', async () => {
    const id = await send({ acknowledge: { repeat_seconds: 30, expire_seconds: 600 }, tags: ['b', 'a', 'b'] })
    const { status, body } = await read(id)
    expect(status).toBe(200)
    expect(body).toEqual({
      notification_id: id,
      status: 'active',
      repeat_seconds: 30,
      expires_at: isoNow(600),
      repeats_sent: 0,
      created_at: isoNow(),
      tags: ['b', 'a'],
    })
  })

  test('200 a key reads receipts of what it sent, a full-access token all of the account', async () => {
    const curious = await nodes.first.addKey(user, { permissions: { notifications: 'schedule' } })
    const [ofKey, ofUser] = [await send(), await send({}, user.token)]
    expect((await read(ofKey)).status).toBe(200)
    expect((await read(ofKey, user.token)).status).toBe(200)
    expect((await read(ofUser, user.token)).status).toBe(200)
    expectProblem(await read(ofKey, curious), 404, 'notification_receipt.not_found')
    expectProblem(await read(ofKey, user.defaultKey), 404, 'notification_receipt.not_found')
    expectProblem(await read(ofUser), 404, 'notification_receipt.not_found')
  })

  test('200 ?wait returns on an acknowledgement on any node, and immediately when it has ended', async () => {
    const id = await send()
    const waits = nodes.atOnce(2, (node) => node.get(`/notifications/receipts/${id}?wait=25`, key))
    const { db } = nodes.first.app.ctx
    const held = sql`select id from open_waits where user_id = ${user.userId}`
    await eventually(async () => expect(await db.read.all(held)).toHaveLength(2))
    await press(id)
    for (const { status, body } of await waits) expect([status, body.status]).toEqual([200, 'acknowledged'])
    const late = await nodes.first.get(`/notifications/receipts/${id}?wait=25`, key)
    expect(late.body.status).toBe('acknowledged')
  })

  test('401 token.invalid, 403 for a key without notifications', async () => {
    expectProblem(await nodes.first.get('/notifications/receipts/1'), 401, 'token.invalid')
    const widgets = await nodes.first.addKey(user, { permissions: { widgets: 'write' } })
    expectProblem(await read(1, widgets), 403, 'integration_key.permission_denied')
  })

  test('404 notification_receipt.not_found without acknowledge, and for another account’s notification', async () => {
    const plain = await send({ acknowledge: null })
    const foreign = await send({}, other.token)
    for (const id of [plain, foreign, 987_654_321]) {
      expectProblem(await read(id), 404, 'notification_receipt.not_found')
    }
  })

  test.each(['x', '0', '1?wait=26', '1?wait=x'])('422 for %s', async (id) => {
    expectProblem(await read(id), 422, 'request.validation_failed')
  })

  test('429 answer_wait.limit_exceeded for a fifth wait of the account', async () => {
    const id = await send()
    // The refused wait cancels the alert, which ends the others.
    const waitAndCancel = async () => {
      const answer = await nodes.first.get(`/notifications/receipts/${id}?wait=25`, key)
      await cancel(id)
      return answer
    }
    const waits = await Promise.all(Array.from({ length: LIMITS.wait.maxOpen + 1 }, waitAndCancel))
    const statuses = waits.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expectProblem(waits.find(({ status }) => status === 429) as never, 429, 'answer_wait.limit_exceeded')
  })
})

describe('acknowledging', () => {
  test('records who, on which device and with which button, also in the timeline', async () => {
    await nodes.first.put('/devices/d1', { ...terminal, name: 'Desk' }, user.token)
    const id = await send({ actions: [{ id: 'mine', title: 'On it', text_input: true }] })
    const sentAt = isoNow()
    nodes.first.advanceSeconds(5)
    await press(id, { action_id: 'mine', text: 'two minutes', device_id: 'd1' })
    expect((await read(id)).body).toMatchObject({
      status: 'acknowledged',
      acknowledged_at: isoNow(),
      acknowledged_by: user.userId,
      acknowledged_by_device: 'Desk',
      action_id: 'mine',
    })
    expect((await nodes.first.get(`/notifications/answers/${id}`, key)).body).toMatchObject({ text: 'two minutes' })
    expect(await timeline(id)).toEqual([
      { at: sentAt, event: 'not_connected', device: 'Desk' },
      { at: isoNow(), event: 'acknowledged', device: 'Desk', detail: 'mine' },
      { at: isoNow(), event: 'answered', device: 'Desk', detail: 'mine' },
    ])
  })

  test('works with the ticket of the push, on all nodes', async () => {
    for (const node of nodes.all) {
      const id = await send()
      const ticket = makeTicket(node.app.ctx.signingKey, id as NotificationId)
      expect((await node.post(`/answers/${ticket}`, { action_id: 'pw_ack' })).status).toBe(200)
      expect((await read(id)).body).toMatchObject({ status: 'acknowledged', acknowledged_by: user.userId })
    }
  })

  test('does not happen by opening the app, but by pressing the button afterwards', async () => {
    const id = await send({ actions: [{ id: 'open', title: 'Open', foreground: true }] })
    expect((await press(id, { action_id: 'open' })).status).toBe(200)
    expect((await read(id)).body.status).toBe('active')
    expectProblem(await press(id), 409, 'notification_answer.already_answered')
    expect((await read(id)).body).toMatchObject({ status: 'acknowledged', action_id: 'pw_ack' })
    expect((await nodes.first.get(`/notifications/answers/${id}`, key)).body.action_id).toBe('open')
  })

  test('changes nothing once the alert has ended', async () => {
    const id = await send()
    const canceled = (await cancel(id)).body
    nodes.first.advanceSeconds(5)
    expect((await press(id)).status).toBe(200)
    expect((await read(id)).body).toEqual(canceled)
  })

  test('R30 by 50 concurrent answers, by token and by ticket, succeeds once', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `Device ${index}`)
    for (const name of names)
      await nodes.first.put(`/devices/${name.replace(' ', '')}`, { ...terminal, name }, user.token)
    const id = await send()
    const ticket = makeTicket(nodes.first.app.ctx.signingKey, id as NotificationId)
    const answers = await nodes.atOnce(50, (node, index) => {
      const body = { action_id: 'pw_ack', device_id: `Device${index % 10}` }
      return index % 4 < 2
        ? node.post(`/answers/${ticket}`, body)
        : node.post(`/notifications/${id}/answer`, body, user.token)
    })
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    expect(winners).toHaveLength(1)
    expect((await read(id)).body.acknowledged_by_device).toBe(names[(winners[0] ?? 0) % 10])
    const events = (await timeline(id)).map(({ event }: { event: string }) => event)
    expect(events).toEqual([...names.map(() => 'not_connected'), 'acknowledged', 'answered'])
  })
})

describe('POST /notifications/receipts/:id/cancel', () => {
  test('200 with the receipt, and the same when repeated', async () => {
    const id = await send()
    nodes.first.advanceSeconds(3)
    const { status, body } = await cancel(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ notification_id: id, status: 'canceled', canceled_at: isoNow(), cancel_reason: 'api' })
    nodes.first.advanceSeconds(3)
    expect((await cancel(id)).body).toEqual(body)
    expect(await timeline(id)).toEqual([{ at: body.canceled_at, event: 'canceled', detail: 'api' }])
  })

  test('200 an acknowledged or expired receipt stays unchanged', async () => {
    const [acknowledged, expired] = [await send(), await send({ acknowledge: { expire_seconds: 60 } })]
    await press(acknowledged)
    nodes.first.advanceSeconds(60)
    await nodes.first.runDueJobs()
    for (const id of [acknowledged, expired]) {
      const before = (await read(id)).body
      expect((await cancel(id)).body).toEqual(before)
    }
    expect(await statusesOf([acknowledged, expired])).toEqual(['acknowledged', 'expired'])
  })

  test('200 with a full-access token for every receipt of the account', async () => {
    expect((await cancel(await send(), user.token)).body.cancel_reason).toBe('api')
  })

  test('401, 403, 404 and 422', async () => {
    const id = await send({}, user.token)
    expectProblem(await nodes.first.post(`/notifications/receipts/${id}/cancel`), 401, 'token.invalid')
    const none = await nodes.first.addKey(user, { permissions: {} })
    expectProblem(await cancel(id, none), 403, 'integration_key.permission_denied')
    for (const token of [key, other.token]) {
      expectProblem(await cancel(id, token), 404, 'notification_receipt.not_found')
    }
    expectProblem(await cancel('x'), 422, 'request.validation_failed')
    expect(await statusesOf([id])).toEqual(['active'])
  })
})

describe('POST /notifications/receipts/cancel', () => {
  test('200 R30 cancels alerts of the calling key with the tag, and returns how many', async () => {
    const second = await nodes.first.addKey(user, { permissions: { notifications: 'send' } })
    const tags = ['fire', 'db']
    const mine = [await send({ tags }), await send({ tags: ['db'] }), await send({ tags: ['DB', 'db2'] }), await send()]
    const others = [await send({ tags }, second), await send({ tags }, user.token)]
    const foreign = await send({ tags }, other.token)
    await press(mine[1] as number)

    expect(await cancelTag({ tag: 'db' })).toMatchObject({ status: 200, body: { canceled: 1 } })
    expect(await statusesOf([...mine, ...others])).toEqual([
      ...['canceled', 'acknowledged', 'active', 'active'],
      ...['active', 'active'],
    ])
    expect((await read(mine[0] as number)).body.cancel_reason).toBe('tag')
    expect((await cancelTag({ tag: 'db' })).body).toEqual({ canceled: 0 })

    expect((await cancelTag({ tag: 'fire' }, user.token)).body).toEqual({ canceled: 2 })
    expect(await statusesOf(others)).toEqual(['canceled', 'canceled'])
    expect((await read(foreign, other.token)).body.status).toBe('active')
  })

  test('200 with characters that are special in SQL and JSON', async () => {
    const tag = `"\\%_'[`
    const [id, like] = [await send({ tags: [tag] }), await send({ tags: ['"\\xx\'['] })]
    expect((await cancelTag({ tag })).body).toEqual({ canceled: 1 })
    expect(await statusesOf([id, like])).toEqual(['canceled', 'active'])
  })

  test('400 request.body_required, 401, 403', async () => {
    expectProblem(await cancelTag(undefined), 400, 'request.body_required')
    expectProblem(await nodes.first.post('/notifications/receipts/cancel', { tag: 'x' }), 401, 'token.invalid')
    const none = await nodes.first.addKey(user, { permissions: {} })
    expectProblem(await cancelTag({ tag: 'x' }, none), 403, 'integration_key.permission_denied')
  })

  test.each([[{}], [{ tag: '' }], [{ tag: 'a b' }], [{ tag: 'ä' }], [{ tag: 'x'.repeat(65) }], [{ tag: 5 }]])(
    '422 for %j',
    async (body) => {
      const refused = await cancelTag(body)
      expectProblem(refused, 422, 'request.validation_failed')
      expect(locations(refused)).toEqual(['body.tag'])
    },
  )
})

describe('a receipt ends with its notification or key', () => {
  test('when its notification is deleted it is canceled, and still readable', async () => {
    const id = await send()
    await nodes.first.del(`/notifications/${id}`, user.token)
    expect((await read(id)).body).toMatchObject({ status: 'canceled', cancel_reason: 'deleted', canceled_at: isoNow() })
  })

  test('when its key is deleted it is canceled, those of other senders are not', async () => {
    const created = (await nodes.first.post('/integrations/keys', { name: 'K' }, user.token)).body
    const [doomed, safe] = [await send({}, created.key), await send()]
    await nodes.first.del(`/integrations/keys/${created.id}`, user.token)
    expect((await read(doomed, user.token)).body).toMatchObject({ status: 'canceled', cancel_reason: 'key_revoked' })
    expect(await statusesOf([safe])).toEqual(['active'])
  })

  test('when its key is rolled it stays active, and the new secret reads it', async () => {
    const created = (await nodes.first.post('/integrations/keys', { name: 'K' }, user.token)).body
    const id = await send({}, created.key)
    const rolled = (await nodes.first.post(`/integrations/keys/${created.id}/roll`, undefined, user.token)).body.key
    expect((await read(id, rolled)).body.status).toBe('active')
  })

  test('a key deleted during concurrent sends leaves no active receipt behind', async () => {
    const created = (await nodes.first.post('/integrations/keys', { name: 'K' }, user.token)).body
    await nodes.atOnce(12, (node, index) =>
      index === 6
        ? node.del(`/integrations/keys/${created.id}`, user.token)
        : node.post('/notifications', alert, created.key),
    )
    const { items } = (await nodes.first.get('/notifications', user.token)).body
    const statuses = await statusesOf(items.map(({ id }: { id: number }) => id))
    expect(statuses.filter((status) => status !== 'canceled')).toEqual([])
  })
})
