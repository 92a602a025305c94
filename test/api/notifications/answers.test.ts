// Answers by endpoint: who may read and give them, and that the first one wins. Waiting is in answer-waits.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { makeTicket } from '../../../src/domain/answers/answer-ticket.ts'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import type { TestUser } from '../../support/app.ts'
import { terminal } from '../../support/devices/devices.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'

const nodes = useTestNodes()
let user: TestUser
let other: TestUser
beforeEach(async () => {
  user = await nodes.first.addUser()
  other = await nodes.first.addUser()
})

const actions = [
  { id: 'yes', title: 'Yes' },
  { id: 'no', title: 'No', destructive: true },
  { id: 'say', title: 'Say', text_input: true },
  { id: 'open', title: 'Open', foreground: true },
  { id: 'call', title: 'Call', url: 'https://example.org/call' },
]
const isoNow = () => new Date(nodes.first.clock.now()).toISOString()

async function ask(token = user.token, members: object = { actions }): Promise<number> {
  const body = { title: 'Deploy?', body: 'v2 is ready', push: false, ...members }
  return (await nodes.first.post('/notifications', body, token)).body.id
}

const read = (id: number | string, token = user.token) => nodes.first.get(`/notifications/answers/${id}`, token)
const reply = (id: number | string, body: unknown, token = user.token) =>
  nodes.first.post(`/notifications/${id}/answer`, body, token)
// The ticket that a push would carry.
const ticketFor = (id: number) => makeTicket(nodes.first.app.ctx.signingKey, id as NotificationId)
const replyByTicket = (ticket: string, body: unknown) => nodes.first.post(`/answers/${ticket}`, body)

describe('GET /notifications/answers/:id', () => {
  test('200 pending has only the id and the status', async () => {
    const id = await ask()
    const answer = await read(id)
    expect([answer.status, answer.body]).toEqual([200, { notification_id: id, status: 'pending' }])
  })

  test('200 answered', async () => {
    const id = await ask()
    await reply(id, { action_id: 'say', text: 'Не сейчас 🙂', device_id: 'phone' })
    expect((await read(id)).body).toEqual({
      notification_id: id,
      status: 'answered',
      action_id: 'say',
      text: 'Не сейчас 🙂',
      answered_at: isoNow(),
    })
  })

  test('200 a key reads answers to notifications it sent; a full-access token those of the account', async () => {
    const permissions = { notifications: 'send' }
    const [asking, curious] = [
      await nodes.first.addKey(user, { permissions }),
      await nodes.first.addKey(user, { permissions }),
    ]
    const id = await ask(asking)
    expect((await read(id, asking)).status).toBe(200)
    expect((await read(id)).status).toBe(200)
    expectProblem(await read(id, curious), 404, 'notification_answer.not_found')
    expectProblem(await read(id, user.defaultKey), 404, 'notification_answer.not_found')
    expectProblem(await read(await ask(), asking), 404, 'notification_answer.not_found')
  })

  test('401 token.invalid, 403 for a key without notifications and for a widget token', async () => {
    expectProblem(await nodes.first.get('/notifications/answers/1'), 401, 'token.invalid')
    const key = await nodes.first.addKey(user, { permissions: { widgets: 'write' } })
    expectProblem(await read(1, key), 403, 'integration_key.permission_denied')
    const widgetToken = await createToken(nodes.first.app.ctx, user.userId, 'hlw')
    expectProblem(await read(1, widgetToken), 403, 'widget.token_not_permitted')
  })

  test('404 notification_answer.not_found when every action has a url, or there is no action', async () => {
    const calling = await ask(user.token, { actions: [actions[4]] })
    const plain = await ask(user.token, {})
    for (const id of [calling, plain, 987_654_321]) {
      expectProblem(await read(id), 404, 'notification_answer.not_found')
    }
  })

  test('404 for another account’s notification', async () => {
    expectProblem(await read(await ask(other.token)), 404, 'notification_answer.not_found')
  })

  test.each(['x', '0', '1.5'])('422 for the id %s', async (id) => {
    const refused = await read(id)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['path.id'])
  })

  test.each(['-1', '25.1', '26', 'x', ''])('422 R44: for wait=%s', async (wait) => {
    const refused = await nodes.first.get(`/notifications/answers/1?wait=${wait}`, user.token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['query.wait'])
  })
})

// Both endpoints follow the same rules.
describe.each([
  ['POST /notifications/:id/answer', (id: number, body: unknown) => reply(id, body)],
  ['POST /answers/:ticket', (id: number, body: unknown) => replyByTicket(ticketFor(id), body)],
])('%s', (_endpoint, answer) => {
  test('200 with the answer', async () => {
    const id = await ask()
    const taken = await answer(id, { action_id: 'yes' })
    expect(taken.status).toBe(200)
    expect(taken.body).toEqual({ notification_id: id, status: 'answered', action_id: 'yes', answered_at: isoNow() })
    expect((await read(id)).body).toEqual(taken.body)
  })

  test('200 with text for an action with text input; empty text counts as none', async () => {
    const text = '😀'.repeat(LIMITS.answer.maxTextChars)
    expect((await answer(await ask(), { action_id: 'say', text })).body.text).toBe(text)
    expect((await answer(await ask(), { action_id: 'say' })).body).not.toHaveProperty('text')
    expect((await answer(await ask(), { action_id: 'yes', text: '' })).body).not.toHaveProperty('text')
  })

  test('200 the timeline has the name of a registered device, and none for an unknown one', async () => {
    await nodes.first.put('/devices/d1', { ...terminal, name: 'Desk' }, user.token)
    const deviceOf = async (device_id: string) => {
      const id = await ask()
      await answer(id, { action_id: 'yes', device_id })
      const { items } = (await nodes.first.get(`/notifications/${id}/timeline`, user.token)).body
      return items.at(-1)
    }
    expect(await deviceOf('d1')).toEqual({ at: isoNow(), event: 'answered', device: 'Desk', detail: 'yes' })
    expect(await deviceOf('nobody’s')).toEqual({ at: isoNow(), event: 'answered', detail: 'yes' })
  })

  test('200 for an action that opens the app: the app gives the answer', async () => {
    expect((await answer(await ask(), { action_id: 'open' })).body.action_id).toBe('open')
  })

  test('400 request.body_required', async () => {
    expectProblem(await answer(await ask(), undefined), 400, 'request.body_required')
  })

  test('409 notification_answer.already_answered returns the first answer and changes nothing', async () => {
    const id = await ask()
    const first = (await answer(id, { action_id: 'say', text: 'first' })).body
    nodes.first.advanceSeconds(5)
    for (const body of [{ action_id: 'no' }, { action_id: 'say', text: 'first' }]) {
      const late = await answer(id, body)
      expectProblem(late, 409, 'notification_answer.already_answered')
      expect(late.body.answer).toEqual(first)
    }
    expect((await read(id)).body).toEqual(first)
  })

  test.each(['maybe', 'YES', 'call', 'pw_ack'])('422 notification_answer.action_unknown for %s', async (action_id) => {
    const id = await ask()
    const refused = await answer(id, { action_id })
    expectProblem(refused, 422, 'notification_answer.action_unknown')
    expect(locations(refused)).toEqual(['body.action_id'])
    expect((await read(id)).body.status).toBe('pending')
  })

  test('422 request.validation_failed for text on an action without text input', async () => {
    const id = await ask()
    const refused = await answer(id, { action_id: 'yes', text: 'hello' })
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['body.text'])
    expect((await read(id)).body.status).toBe('pending')
  })

  test.each<[object, string]>([
    [{}, 'body.action_id'],
    [{ action_id: '' }, 'body.action_id'],
    [{ action_id: 5 }, 'body.action_id'],
    [{ action_id: 'yes', text: 'x'.repeat(4097) }, 'body.text'],
    [{ action_id: 'yes', device_id: 'x'.repeat(129) }, 'body.device_id'],
    [{ action_id: 'yes', answered_at: '2026-11-15T08:00:00Z' }, 'body.answered_at'],
  ])('422 request.validation_failed (case %#)', async (body, location) => {
    const refused = await answer(await ask(), body)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual([location])
  })
})

describe('POST /notifications/:id/answer', () => {
  test('401 token.invalid, and 403 for the key that sent the notification', async () => {
    const key = await nodes.first.addKey(user, { permissions: { notifications: 'send' } })
    const id = await ask(key)
    expectProblem(await nodes.first.post(`/notifications/${id}/answer`, { action_id: 'yes' }), 401, 'token.invalid')
    expectProblem(await reply(id, { action_id: 'yes' }, key), 403, 'integration_key.permission_denied')
  })

  test('404 notification_answer.not_found for another account’s notification and for one without actions', async () => {
    const [foreign, plain] = [await ask(other.token), await ask(user.token, {})]
    for (const id of [foreign, plain]) {
      expectProblem(await reply(id, { action_id: 'yes' }), 404, 'notification_answer.not_found')
    }
    expect((await read(foreign, other.token)).body.status).toBe('pending')
  })

  test('422 request.validation_failed for a malformed id', async () => {
    expectProblem(await reply('x', { action_id: 'yes' }), 422, 'request.validation_failed')
  })
})

describe('POST /answers/:ticket', () => {
  test('404 for a ticket that was changed, is of another server, or is malformed', async () => {
    const [mine, theirs] = [await ask(), await ask(other.token)]
    const ticket = ticketFor(mine)
    // The id of one with the MAC of the other.
    const bytesOf = (id: number) => Buffer.from(ticketFor(id), 'base64url')
    const swapped = Buffer.concat([bytesOf(theirs).subarray(0, 8), bytesOf(mine).subarray(8)]).toString('base64url')
    const foreign = makeTicket(Buffer.alloc(32, 7), mine as NotificationId)
    const flipped = ticket.slice(0, -1) + (ticket.endsWith('A') ? 'B' : 'A')
    for (const wrong of [swapped, foreign, flipped, `${ticket}A`, ticket.slice(1), 'x', '%00', String(mine)]) {
      expectProblem(await replyByTicket(wrong, { action_id: 'yes' }), 404, 'notification_answer.not_found')
    }
    expect((await read(mine)).body.status).toBe('pending')
    expect((await read(theirs, other.token)).body.status).toBe('pending')
  })

  test('200 the same ticket on every node', async () => {
    for (const node of nodes.all) {
      const taken = await node.post(`/answers/${ticketFor(await ask())}`, { action_id: 'yes' })
      expect(taken.status).toBe(200)
    }
  })

  test('200 after the notification was deleted, because a device may still show the banner', async () => {
    const id = await ask()
    await nodes.first.del(`/notifications/${id}`, user.token)
    expect((await replyByTicket(ticketFor(id), { action_id: 'no' })).status).toBe(200)
    expect((await read(id)).body.action_id).toBe('no')
  })
})

describe('the first answer wins', () => {
  test('R30 of 20 concurrent answers, by token and by ticket, on all nodes: one is recorded, 19 are shown it', async () => {
    const id = await ask()
    const ticket = ticketFor(id)
    const answers = await nodes.atOnce(20, (node, index) => {
      const body = { action_id: 'say', text: `answer ${index}` }
      // Two in a row for each node: one by token, one by ticket.
      return index % 4 < 2
        ? node.post(`/answers/${ticket}`, body)
        : node.post(`/notifications/${id}/answer`, body, user.token)
    })
    const winners = answers.filter(({ status }) => status === 200)
    const losers = answers.filter(({ status }) => status === 409)
    expect([winners.length, losers.length]).toEqual([1, 19])
    const won = winners[0]?.body
    for (const { body } of losers) expect(body.answer).toEqual(won)
    expect((await read(id)).body).toEqual(won)
    const { items } = (await nodes.first.get(`/notifications/${id}/timeline`, user.token)).body
    expect(items.filter(({ event }: { event: string }) => event === 'answered')).toHaveLength(1)
  })
})
