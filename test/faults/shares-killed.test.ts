// Sharing although the process is killed: an activity is started once on the phone of everyone who joins, and dismissed for
// good on the phone of everyone who leaves.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openContext } from '../../src/boot/context.ts'
import { addUser } from '../../src/operations/accounts/accounts.ts'
import { type Environment, loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { apnsSettings } from '../support/devices/apns-settings.ts'
import { newPushToken } from '../support/devices/devices.ts'
import { type FakeApns, startFakeApns } from '../support/fakes/fake-apns.ts'
import { startHeliograph } from '../support/heliograph-process.ts'
import { SLOW_FAULT_DATABASES } from '../support/nightly.ts'
import { amountOf, measured } from '../support/reliability/measured.ts'

// In each round so many people join, and as many leave.
const GROUP = 5
const killAfterMs = () => Math.random() * 60
// Leases of killed processes expire after 15 s, and the pushes after them may be interrupted too.
const RECOVERY_MS = 600_000

type Recipient = { token: string; phone: string; startToken: string; updateToken: string; shareId?: string }
type Group = { joining: Recipient[]; leaving: Recipient[] }

describe.each(SLOW_FAULT_DATABASES)('sharing on %s', (kind) => {
  test(`${inject('rounds')} kills: one start for everyone who joins, and nothing after the end for everyone who leaves`, async () => {
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
    const { owner, staying, groups } = await createAccounts(environment)
    const [joined, left] = [groups.flatMap(({ joining }) => joining), groups.flatMap(({ leaving }) => leaving)]
    const start = () => startHeliograph(['serve'], { environment })
    let server = await start()
    let api = createClient(server.url)
    for (const recipient of [staying, ...joined, ...left]) await addPhone(api, recipient)
    const sharing = await share(api, owner)
    await showToAll(api, apns, [staying, ...left], sharing)

    for (const [round, group] of groups.entries()) {
      const isHeld = round % 2 === 0
      const untilHeld = isHeld ? holdPushes(apns, group) : () => delay(killAfterMs())
      if (!isHeld) await update(api, sharing, `${round}`)
      const moving = moveAll(api, group, sharing)
      await untilHeld()
      // On PostgreSQL, the pushes that are held by the killed process are left to one that runs already.
      const successor = isHeld && kind === 'postgres' ? await start() : undefined
      await server.end('SIGKILL')
      await moving
      server = successor ?? (await start())
      api = createClient(server.url)
      await moveRest(api, group, sharing)
    }

    const expectRecovered = () => {
      for (const recipient of [...joined, ...left]) expectOneStart(apns, recipient)
      for (const recipient of left) expectDismissed(apns, recipient)
    }
    await vi.waitFor(expectRecovered, { timeout: RECOVERY_MS, interval: 200 })
    await expectNoMorePushes(api, apns, { staying, left, sharing })
    expectRecovered()
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    const people = `${joined.length} people joined an activity and ${left.length} left it`
    measured('R36', kind, `${people}, ${amountOf(groups.length, 'kill')}: one start each, nothing after the end`)
  })
})

async function createAccounts(environment: Environment) {
  const config = loadConfig({}, environment, 'no-such-file.json')
  const { ctx, stop } = await openContext(config, { log: createLog('silent', 'json') })
  let count = 0
  const add = async () => (await addUser(ctx, `person-${count++}`, 'paid')).token
  const addRecipient = async (): Promise<Recipient> => {
    const tokens = { startToken: newPushToken(), updateToken: newPushToken() }
    return { token: await add(), phone: tokens.startToken.slice(0, 8), ...tokens }
  }
  const addRecipients = async () => {
    const recipients: Recipient[] = []
    while (recipients.length < GROUP) recipients.push(await addRecipient())
    return recipients
  }
  const [owner, staying] = [await add(), await addRecipient()]
  const groups: Group[] = []
  while (groups.length < inject('rounds')) {
    groups.push({ joining: await addRecipients(), leaving: await addRecipients() })
  }
  await stop()
  return { owner, staying, groups }
}

// The activity that people join does not change: the start of a newer version would be another push. The one that they
// leave changes all the time.
type Sharing = { owner: string; joinCode: string; leaveCode: string }

async function share(api: TestClient, owner: string): Promise<Sharing> {
  const codeOf = async (slug: string): Promise<string> => {
    expect((await api.patch(`/activities/${slug}?upsert=true`, { state: 'ongoing' }, owner)).status).toBe(201)
    return (await api.post(`/activities/${slug}/share`, { max_uses: 100 }, owner)).body.code
  }
  return { owner, joinCode: await codeOf('joined'), leaveCode: await codeOf('left') }
}

async function showToAll(api: TestClient, apns: FakeApns, recipients: Recipient[], { leaveCode }: Sharing) {
  for (const recipient of recipients) {
    const { status, body } = await api.post('/shares/join', { code: leaveCode }, recipient.token)
    expect(status).toBe(201)
    recipient.shareId = body.id
  }
  await apns.until(() => recipients.every(({ startToken }) => acceptedFor(apns, startToken).length > 0))
  for (const { token, phone, updateToken } of recipients) {
    const body = { push_update_token: updateToken }
    expect((await api.put(`/devices/${phone}/activities/left`, body, token)).status).toBe(204)
  }
}

async function addPhone(api: TestClient, { token, phone, startToken }: Recipient): Promise<void> {
  const apns = { device_token: newPushToken(), push_to_start_token: startToken, environment: 'production' }
  expect((await api.put(`/devices/${phone}`, { name: 'Phone', platform: 'ios', apns }, token)).status).toBe(201)
}

// APNs does not answer the next start of one who joins, and the next push to one who leaves.
function holdPushes(apns: FakeApns, { joining: [joiner], leaving: [leaver] }: Group): () => Promise<void> {
  const tokens = [joiner?.startToken ?? '', leaver?.updateToken ?? '']
  for (const token of tokens) apns.script(token, 'silence')
  return () =>
    apns.until(() =>
      tokens.every((held) => apns.requests.some(({ token, isAccepted }) => token === held && !isAccepted)),
    )
}

const join = (api: TestClient, { token }: Recipient, { joinCode }: Sharing) =>
  api.post('/shares/join', { code: joinCode }, token)
const leave = (api: TestClient, { token, shareId }: Recipient) => api.del(`/shares/${shareId}`, token)
const update = (api: TestClient, { owner }: Sharing, state: string) =>
  api.patch('/activities/left', { content: { state } }, owner)

// All at once; resolves when every request is answered or its connection is closed by the kill.
const moveAll = (api: TestClient, { joining, leaving }: Group, sharing: Sharing) =>
  Promise.allSettled([
    ...joining.map((recipient) => join(api, recipient, sharing)),
    ...leaving.map((recipient) => leave(api, recipient)),
  ])

// Those whose request was not answered repeat it.
async function moveRest(api: TestClient, { joining, leaving }: Group, sharing: Sharing): Promise<void> {
  for (const recipient of joining) expect([200, 201]).toContain((await join(api, recipient, sharing)).status)
  for (const recipient of leaving) expect([204, 404]).toContain((await leave(api, recipient)).status)
}

type Pushed = { event: string; timestamp: number; 'content-state': { state?: string } }

const acceptedFor = (apns: FakeApns, token: string) =>
  apns.requests.filter((request) => request.isAccepted && request.token === token)
const pushesTo = (apns: FakeApns, token: string): Pushed[] =>
  acceptedFor(apns, token).map(({ payload }) => JSON.parse(payload).aps)

// A start whose result was not recorded before the kill is pushed again with the same id, by which a phone drops it.
function expectOneStart(apns: FakeApns, { startToken }: Recipient): void {
  expect(new Set(acceptedFor(apns, startToken).map(({ headers }) => headers['apns-id'])).size).toBe(1)
}

// A phone ignores a push with an earlier timestamp than the newest one it got.
function expectDismissed(apns: FakeApns, { updateToken }: Recipient): void {
  const newest = pushesTo(apns, updateToken).sort((a, b) => b.timestamp - a.timestamp)[0]
  expect(newest?.event).toBe('end')
}

// Two changes: a push of the first one that left late would have arrived when the second one has.
async function expectNoMorePushes(
  api: TestClient,
  apns: FakeApns,
  { staying, left, sharing }: { staying: Recipient; left: Recipient[]; sharing: Sharing },
): Promise<void> {
  // By their ids: an end whose result was not recorded before the kill is pushed again with the same id.
  const countAll = () =>
    new Set(
      left.flatMap(({ startToken, updateToken }) =>
        [...acceptedFor(apns, startToken), ...acceptedFor(apns, updateToken)].map(({ headers }) => headers['apns-id']),
      ),
    ).size
  const before = countAll()
  for (const state of ['next to last', 'last']) {
    expect((await update(api, sharing, state)).status).toBe(200)
    await apns.until(() => pushesTo(apns, staying.updateToken).some((push) => push['content-state'].state === state))
  }
  expect(countAll()).toBe(before)
}
