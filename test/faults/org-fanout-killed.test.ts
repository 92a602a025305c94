// Sends of an organization although the process is killed: everyone reached has exactly one entry, every phone is rung once per
// repeat, and no acknowledgement is lost.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openContext } from '../../src/boot/context.ts'
import type { UserId } from '../../src/domain/caller.ts'
import { addUser } from '../../src/operations/accounts/accounts.ts'
import type { Context } from '../../src/operations/context.ts'
import { type Environment, loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { type Answer, createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { apnsSettings } from '../support/devices/apns-settings.ts'
import { newPushToken } from '../support/devices/devices.ts'
import { type FakeApns, startFakeApns } from '../support/fakes/fake-apns.ts'
import { startHeliograph } from '../support/heliograph-process.ts'
import { SLOW_FAULT_DATABASES } from '../support/nightly.ts'
import { addMembers, countEntries, entryOf } from '../support/organizations/sends.ts'
import { amountOf, measured } from '../support/reliability/measured.ts'

const ON_CALL = 10
const MEMBERS = 250
const killAfterMs = () => Math.random() * 80
// Leases of killed processes expire after 15 s, and the pushes after them may be interrupted too.
const RECOVERY_MS = 600_000

const ALERT = {
  title: 'Fire',
  body: 'in the server room',
  acknowledge: { repeat_seconds: 3600, expire_seconds: 10_800 },
}

type Person = { userId: UserId; token: string; phone: string }
type Rota = { onCall: Person[]; orgId: string; key: string }

describe.each(SLOW_FAULT_DATABASES)('sends of an organization on %s', (kind) => {
  test(`${inject('rounds')} rounds of kills: one entry for each of ${MEMBERS} members, one push per repeat, no acknowledgement lost`, async () => {
    const apns = await startFakeApns()
    onTestFinished(() => apns.close())
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment: Environment = {
      HELIOGRAPH_PORT: '0',
      HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
      ...apnsSettings(apns),
      ...database.environment,
    }
    const { ctx, stop } = await openContext(loadConfig({}, environment, 'no-such-file.json'), {
      log: createLog('silent', 'json'),
    })
    onTestFinished(stop)
    const people = await addPeople(ctx)
    let server = await startHeliograph(['serve'], { environment })
    let api = createClient(server.url)
    // Kills the server while it answers the call, or shortly after its answer.
    const killDuring = async (call: () => Promise<Answer>, isAnswered = false): Promise<Answer | undefined> => {
      const calling = call().catch(() => undefined)
      if (isAnswered) await calling
      await delay(killAfterMs())
      await server.end('SIGKILL')
      const answer = await calling
      server = await startHeliograph(['serve'], { environment })
      api = createClient(server.url)
      return answer
    }
    const rota = await createRota(api, ctx, people)

    for (let round = 0; round < inject('rounds'); round++) {
      const send = sendOnce(rota)
      await killDuring(() => send(api), round % 2 === 1)
      const id = await acceptedId(() => send(api))
      await recovered(() => expectSpread(api, ctx, rota, id))
      await recovered(() => expectRings(apns, rota, round * 2 + 1))

      expect(await makeRepeatDue(ctx, id)).toBe(1)
      await killDuring(() => api.get('/health'))
      await recovered(() => expectRings(apns, rota, round * 2 + 2))
      expect((await receiptOf(api, rota, id)).repeats_sent).toBe(1)

      const [first, second] = rota.onCall as [Person, Person]
      const answered = await killDuring(() => acknowledge(api, first, id))
      if (answered) expect(answered.status).toBe(200)
      const again = await acknowledge(api, second, id)
      const winner = again.status === 200 ? second : first
      if (answered) expect(again.status).toBe(409)
      expect(await receiptOf(api, rota, id)).toMatchObject({ status: 'acknowledged', acknowledged_by: winner.userId })
      await recovered(async () => expect(await makeRepeatDue(ctx, id)).toBe(0))
      expect((await receiptOf(api, rota, id)).repeats_sent).toBe(1)
      await expectSpread(api, ctx, rota, id)
    }
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    const sends = `${amountOf(inject('rounds'), 'send')} to an organization of ${MEMBERS}`
    measured('R01', kind, `${sends}, ${amountOf(3 * inject('rounds'), 'kill')}: one entry per member`)
  })
})

// PostgreSQL notices the death of the server only after a moment. Until then the first request counts as in progress, and
// a repeated one is told to come again.
async function acceptedId(send: () => Promise<Answer>): Promise<number> {
  let answer = await send()
  await recovered(async () => {
    if ([409, 503].includes(answer.status)) answer = await send()
    expect([answer.status, answer.body]).toEqual([201, answer.body])
  })
  return answer.body.id
}

const recovered = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: RECOVERY_MS, interval: 200 })

async function addPeople(ctx: Context): Promise<Person[]> {
  const people: Person[] = []
  for (let added = 0; added < ON_CALL; added++) {
    const { user, token } = await addUser(ctx, `on-call-${added}`, 'paid')
    people.push({ userId: user.id, token, phone: newPushToken() })
  }
  return people
}

// Half of the other members come before those on call in the fan-out, and half after.
async function createRota(api: TestClient, ctx: Context, onCall: Person[]): Promise<Rota> {
  const [owner, ...others] = onCall as [Person, ...Person[]]
  const orgId = (await api.post('/orgs', { name: 'Rota' }, owner.token)).body.id as string
  const path = `/orgs/${orgId}`
  const { code } = (await api.post(`${path}/invitations`, { max_uses: others.length }, owner.token)).body
  for (const { token } of others) expect((await api.post('/orgs/join', { code }, token)).status).toBe(201)
  for (const { token, phone } of onCall) {
    const device = { name: 'Phone', platform: 'ios', apns: { device_token: phone, environment: 'production' } }
    expect((await api.put(`/devices/${phone.slice(0, 8)}`, device, token)).status).toBe(201)
  }
  for (const order of ['first', 'last'] as const) {
    await addMembers(ctx.db, orgId, (MEMBERS - ON_CALL) / 2, ctx.clock.now(), order)
  }
  const grant = { name: 'K', permissions: { notifications: 'send' } }
  return { onCall, orgId, key: (await api.post(`${path}/keys`, grant, owner.token)).body.key }
}

// The same send as often as it is called, by its Idempotency-Key.
function sendOnce({ key }: Rota): (api: TestClient) => Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() }
  return (api) => api.call('POST', '/notifications', { token: key, body: ALERT, headers })
}

async function expectSpread(api: TestClient, { db }: Context, { key }: Rota, id: number): Promise<void> {
  const { recipients } = (await api.get(`/notifications/${id}`, key)).body
  expect(recipients).toEqual({ members: MEMBERS, devices: ON_CALL, stored: MEMBERS, done: true })
  const counts = await countEntries(db, id)
  expect([counts.size, ...new Set(counts.values())]).toEqual([MEMBERS, 1])
}

// A push whose result was not recorded before the kill is sent again with the same id, by which a phone drops it.
function expectRings({ requests }: FakeApns, { onCall }: Rota, count: number): void {
  for (const { phone } of onCall) {
    const rings = requests.filter(
      ({ token, isAccepted, headers }) => token === phone && isAccepted && headers['apns-push-type'] === 'alert',
    )
    expect(new Set(rings.map(({ headers }) => headers['apns-id'])).size).toBe(count)
  }
}

// Instead of waiting for the time of the repeat. Returns how many are due now.
async function makeRepeatDue({ db, clock }: Context, id: number): Promise<number> {
  return db.transact((tx) =>
    tx.execute(sql`update jobs set run_at = ${clock.now()}
      where kind = 'repeat-receipt' and payload like ${`%"notificationId":${id},%`}`),
  )
}

const receiptOf = async (api: TestClient, { key }: Rota, id: number) =>
  (await api.get(`/notifications/receipts/${id}`, key)).body

const acknowledge = async (api: TestClient, person: Person, id: number) =>
  api.post(`/notifications/${await entryOf(api, person, id)}/answer`, { action_id: 'pw_ack' }, person.token)
