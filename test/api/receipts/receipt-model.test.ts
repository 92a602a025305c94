// R30: for any sequence of operations on alerts, also concurrent ones, each alert ends once, as the first operation
// says, and its sender is called back if and only if it was acknowledged or expired.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { isPostgres } from '../../support/database/database.ts'
import { type CallbackSink, type Receiver, startCallbackSink } from '../../support/fakes/callback-sink.ts'
import { createTestClock } from '../../support/fakes/test-clock.ts'
import { isNightly } from '../../support/nightly.ts'

const clock = createTestClock()
const nodes: TestApp[] = []
let sink: CallbackSink
beforeAll(async () => {
  sink = await startCallbackSink(clock.now)
  const parts = { clock, ca: sink.ca }
  const environment = { HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.1' }
  nodes.push(await startTestApp(environment, undefined, parts))
  if (isPostgres()) nodes.push(await startTestApp(environment, nodes[0]?.database, parts))
})
afterAll(async () => {
  await sink.close()
  for (const node of nodes.toReversed()) await node.stop()
})
const nodeAt = (index: number) => nodes[index % nodes.length] as TestApp

const EXPIRE_SECONDS = 600
const TAGS = ['red', 'green']

type Account = { user: TestUser; keys: [string, string]; receiver: Receiver }
type Alert = { id: number; key: number; tag: number; status: string; isDeleted: boolean; isAnswered: boolean }
type Model = Alert[]

async function openAccount(): Promise<Account> {
  const user = await nodeAt(0).addUser()
  const addKey = () => nodeAt(0).addKey(user, { permissions: { notifications: 'send' } })
  return { user, keys: [await addKey(), await addKey()], receiver: sink.receiver() }
}

async function send({ keys, receiver }: Account, key: number, tag: number): Promise<number> {
  const acknowledge = { repeat_seconds: 3600, expire_seconds: EXPIRE_SECONDS }
  const body = { title: 'T', body: 'B', acknowledge, tags: [TAGS[tag]], callback_url: receiver.url }
  return (await nodeAt(key).post('/notifications', body, keys[key])).body.id
}

async function expire(node: TestApp) {
  clock.advanceSeconds(EXPIRE_SECONDS)
  await node.runDueJobs()
}

// Each step acts on the alerts and updates the model to the expected state.
type Step = { toString(): string; check(model: Model): boolean; run(model: Model, account: Account): Promise<void> }

function step(name: string, run: (model: Model, account: Account) => Promise<void>, needsAlert = true): Step {
  return { toString: () => name, check: (model) => !needsAlert || model.length > 0, run }
}

const pick = (model: Model, which: number) => model[which % model.length] as Alert
const end = (alert: Alert, status: string) => {
  if (alert.status === 'active') alert.status = status
}

const sending = fc.tuple(fc.nat(1), fc.nat(1)).map(([key, tag]) =>
  step(
    `send(${key}, ${tag})`,
    async (model, account) => {
      const id = await send(account, key, tag)
      model.push({ id, key, tag, status: 'active', isDeleted: false, isAnswered: false })
    },
    false,
  ),
)
const onOne = (name: string, run: (alert: Alert, account: Account) => Promise<void>) =>
  fc.nat(9).map((which) => step(`${name}(${which})`, (model, account) => run(pick(model, which), account)))

const acknowledging = onOne('acknowledge', async (alert, { user }) => {
  const answer = { action_id: 'pw_ack' }
  const { status } = await nodeAt(1).post(`/notifications/${alert.id}/answer`, answer, user.token)
  expect(status).toBe(alert.isAnswered ? 409 : 200)
  alert.isAnswered = true
  end(alert, 'acknowledged')
})
const canceling = onOne('cancel', async (alert, { keys }) => {
  end(alert, 'canceled')
  const answer = await nodeAt(0).post(`/notifications/receipts/${alert.id}/cancel`, undefined, keys[alert.key])
  expect([answer.status, answer.body.status]).toEqual([200, alert.status])
})
const deleting = onOne('delete', async (alert, { user }) => {
  const { status } = await nodeAt(0).del(`/notifications/${alert.id}`, user.token)
  expect(status).toBe(alert.isDeleted ? 404 : 204)
  alert.isDeleted = true
  end(alert, 'canceled')
})
const reading = onOne('read', async (alert, { user, keys }) => {
  await nodeAt(1).post('/notifications/read', { ids: [alert.id] }, user.token)
  const { body } = await nodeAt(1).get(`/notifications/receipts/${alert.id}`, keys[alert.key])
  expect(body.status).toBe(alert.status)
  const foreign = await nodeAt(1).get(`/notifications/receipts/${alert.id}`, keys[1 - alert.key])
  expect(foreign.status).toBe(404)
})
const cancelingByTag = fc.tuple(fc.nat(1), fc.nat(1)).map(([key, tag]) =>
  step(`cancelByTag(${key}, ${tag})`, async (model, { keys }) => {
    const concerned = model.filter((alert) => alert.key === key && alert.tag === tag && alert.status === 'active')
    const { body } = await nodeAt(0).post('/notifications/receipts/cancel', { tag: TAGS[tag] }, keys[key])
    expect(body).toEqual({ canceled: concerned.length })
    for (const alert of concerned) end(alert, 'canceled')
  }),
)
const expiring = fc.constant(
  step('expire', async (model) => {
    await expire(nodeAt(1))
    for (const alert of model) end(alert, 'expired')
  }),
)

const calledBack = ({ receiver }: Account) => receiver.received.map(({ body }) => JSON.parse(body))

// Callbacks must match the final states: one for each acknowledged or expired alert, none for canceled ones.
async function expectCallbacks(account: Account, alerts: { id: number; status: string }[]): Promise<void> {
  for (const node of nodes) await node.runDueJobs()
  const callbacks = calledBack(account).map(({ type, data }) => `${data.notification_id} ${type}`)
  const expected = alerts
    .filter(({ status }) => status === 'acknowledged' || status === 'expired')
    .map(({ id, status }) => `${id} notification.${status}`)
  expect(callbacks.toSorted()).toEqual(expected.toSorted())
}

test('R30 sequential operations: every alert matches the model', async () => {
  const steps = fc.commands(
    [sending, sending, acknowledging, canceling, cancelingByTag, deleting, reading, expiring] as fc.Arbitrary<
      fc.AsyncCommand<Model, Account>
    >[],
    { maxCommands: 25, size: 'max' },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const account = await openAccount()
      const model: Model = []
      await fc.asyncModelRun(() => ({ model, real: account }), commands)
      for (const { id, status } of model) {
        const { body } = await nodeAt(0).get(`/notifications/receipts/${id}`, account.user.token)
        expect(body.status).toBe(status)
      }
      await expectCallbacks(account, model)
    }),
    { numRuns: isNightly ? 25 : 12 },
  )
})

type Ending = (account: Account, id: number, node: TestApp) => Promise<unknown>

const ENDINGS: Record<string, Ending> = {
  acknowledge: ({ user }, id, node) => node.post(`/notifications/${id}/answer`, { action_id: 'pw_ack' }, user.token),
  cancel: ({ keys }, id, node) => node.post(`/notifications/receipts/${id}/cancel`, undefined, keys[0]),
  'cancel by tag': ({ keys }, _id, node) => node.post('/notifications/receipts/cancel', { tag: TAGS[0] }, keys[0]),
  expire: (_account, _id, node) => expire(node),
  read: ({ user }, id, node) => node.post('/notifications/read', { ids: [id] }, user.token),
  delete: ({ user }, id, node) => node.del(`/notifications/${id}`, user.token),
}

test('R30 concurrent operations: each alert ends once, with one callback', async () => {
  const names = fc.array(fc.constantFrom(...Object.keys(ENDINGS)), { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(names, async (atOnce) => {
      const account = await openAccount()
      const id = await send(account, 0, 0)
      await Promise.all(atOnce.map((name, index) => ENDINGS[name]?.(account, id, nodeAt(index))))
      const { body } = await nodeAt(0).get(`/notifications/receipts/${id}`, account.user.token)
      const ends = atOnce.some((name) => name !== 'read')
      expect(body.status === 'active').toBe(!ends)
      const events = await nodeAt(0).app.ctx.db.read.all<{ type: string }>(sql`select type from events
        where user_id = ${account.user.userId} and type like 'receipt.%' and type <> 'receipt.created'`)
      expect(events).toEqual(ends ? [{ type: `receipt.${body.status}` }] : [])
      await expectCallbacks(account, [{ id, status: body.status }])
    }),
    { numRuns: isNightly ? 40 : 20 },
  )
})
