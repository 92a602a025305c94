// Kills the server while it gets notifications for two phones with the Bark app, one of them behind a bark-server, and messages of
// UnifiedPush: nothing accepted is lost, and a push that is sent twice has the same id, so that the phone shows it once.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { apnsSettings } from '../support/devices/apns-settings.ts'
import { appHeaders } from '../support/devices/app-streams.ts'
import { type FakeApns, startFakeApns } from '../support/fakes/fake-apns.ts'
import { startFakeBarkServer } from '../support/fakes/fake-bark-server.ts'
import { runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { amountOf, counted, measured } from '../support/reliability/measured.ts'

const ROUNDS = inject('rounds')
// Of each kind and writer in a round; below the burst of an endpoint, of which each writer has one.
const MOST_WRITES = 100
// Many rounds send more than an account may on a day.
const PLANS = JSON.stringify({ paid: { notifications: 'unlimited', unifiedpush_per_day: 1_000_000 } })
const AT_ONCE = 3
const KEY = 'phoneKey2345'
const killAfterMs = () => 50 + Math.random() * 400

describe.each(['sqlite', 'postgres'] as const)('R01 phones with other apps on %s', (kind) => {
  test(`${ROUNDS} kills lose neither a push to the Bark app nor a message of UnifiedPush`, async () => {
    const apns = await startFakeApns()
    onTestFinished(() => apns.close())
    const barkServer = await startFakeBarkServer([KEY])
    onTestFinished(() => barkServer.close())
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment = { ...settingsOf(apns), ...database.environment }
    const added = await runHeliograph(['user', 'add', 'anna', '--plan', 'paid', '--json'], { environment })
    const { token } = JSON.parse(added.stdout)
    let server = await startHeliograph(['serve'], { environment })
    let api = createClient(server.url)
    const phone = await addBarkPhone(api, token)
    const other = { kind: 'bark', name: 'iPad', address: `${barkServer.url}/${KEY}` }
    expect((await api.post('/devices/apps', other, token)).status).toBe(201)
    const shown = {
      byApns: () => pushesTo(apns, phone),
      byServer: () => barkServer.pushed.map(({ body }): Push => ({ title: body.title ?? '', name: body.id ?? '' })),
    }
    const accepted = { titles: 0, bodies: 0 }

    for (let round = 0; round < ROUNDS; round++) {
      const app = await addEndpoints(api, token)
      const [titles, bodies] = [new Set<string>(), new Set<string>()]
      const writing = Array.from({ length: AT_ONCE }, (_, writer) => [
        writeUntilKilled(titles, `${round}-${writer}`, async (title) => {
          const body = { title, body: 'B', level: 'time-sensitive' }
          return (await api.post('/notifications', body, token)).status
        }),
        writeUntilKilled(bodies, `${round}-${writer}`, async (body) => {
          const name = app.names[writer]
          return (await fetch(`${api.url}/ntfy/${name}`, { method: 'POST', headers: { ttl: '3600' }, body })).status
        }),
      ]).flat()
      await vi.waitFor(() => expect(Math.min(titles.size, bodies.size)).toBeGreaterThan(2), { timeout: 30_000 })
      await delay(killAfterMs())
      await server.end('SIGKILL')
      await Promise.all(writing)
      accepted.titles += titles.size
      accepted.bodies += bodies.size

      server = await startHeliograph(['serve'], { environment })
      api = createClient(server.url)
      for (const pushes of Object.values(shown)) {
        await vi.waitFor(() => expect(missing(titles, titlesOf(pushes()))).toEqual([]), { timeout: 120_000 })
        expect(ambiguous(pushes())).toEqual([])
      }
      const received = await poll(api, app)
      const texts = received.map(({ message }) => message)
      expect(missing(bodies, texts)).toEqual([])
      expect(new Set(texts).size).toBe(received.length)
      expect(new Set(received.map(({ id }) => id)).size).toBe(received.length)
      expect((await api.del(`/devices/${app.id}`, token)).status).toBe(204)
    }
    expect(Math.min(accepted.titles, accepted.bodies)).toBeGreaterThan(0)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    const sent = `${counted(accepted.titles)} notifications to two Bark phones and ${counted(accepted.bodies)} messages`
    const again = `${repeated(shown.byApns())} and ${repeated(shown.byServer())} pushes came twice, with the same id`
    measured('R01', kind, `${sent} of UnifiedPush, ${amountOf(ROUNDS, 'kill')}: none lost; ${again}`)
  })
})

const settingsOf = (apns: FakeApns) => {
  const { HELIOGRAPH_APNS_KEY_FILE: keyFile, ...others } = apnsSettings(apns)
  return {
    HELIOGRAPH_PORT: '0',
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
    HELIOGRAPH_UNIFIEDPUSH: 'on',
    HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.1',
    HELIOGRAPH_PLANS: PLANS,
    ...others,
    HELIOGRAPH_APNS_KEY_FILE: keyFile,
    HELIOGRAPH_BARK_KEY_FILE: keyFile,
    HELIOGRAPH_BARK_KEY_ID: apns.provider.keyId,
    HELIOGRAPH_BARK_TEAM_ID: apns.provider.teamId,
  }
}

// Returns the token under which Apple knows it.
async function addBarkPhone(api: TestClient, token: string): Promise<string> {
  const { body } = await api.post('/devices/apps', { kind: 'bark', name: 'iPhone' }, token)
  const pushToken = randomBytes(32).toString('hex')
  const registered = await api.get(`${new URL(body.server_url).pathname}/register?devicetoken=${pushToken}&key=`)
  expect(registered.body).toMatchObject({ code: 200 })
  return pushToken
}

type App = { id: string; password: string; names: string[] }

async function addEndpoints(api: TestClient, token: string): Promise<App> {
  const { body } = await api.post('/devices/apps', { kind: 'ntfy', name: 'Pixel' }, token)
  const names = Array.from({ length: AT_ONCE }, () => `up${randomBytes(6).toString('hex')}`)
  const app = { id: body.device.id, password: body.password, names }
  await poll(api, app)
  return app
}

async function poll({ url }: TestClient, app: App): Promise<{ id: string; message: string }[]> {
  const answer = await fetch(`${url}/ntfy/${app.names}/json?poll=1&since=all`, { headers: appHeaders(app) })
  return (await answer.text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

// `accepted` gets what the server has answered with 201.
async function writeUntilKilled(
  accepted: Set<string>,
  name: string,
  write: (text: string) => Promise<number>,
): Promise<void> {
  for (let count = 0; count < MOST_WRITES; count++) {
    const text = `${name}-${count}`
    try {
      if ((await write(text)) === 201) accepted.add(text)
    } catch {
      return
    }
  }
}

// `name`: what must be the same if it is sent again.
type Push = { title: string; name: string }
type Payload = { aps: { alert?: { title: string } }; id: string }

const pushesTo = (apns: FakeApns, phone: string): Push[] =>
  apns.requests
    .filter(({ token, isAccepted }) => token === phone && isAccepted)
    .map(({ headers, payload }) => {
      const { aps, id } = JSON.parse(payload) as Payload
      return { title: aps.alert?.title ?? '', name: `${headers['apns-id']} ${id}` }
    })

const titlesOf = (pushes: Push[]) => pushes.map(({ title }) => title)

const missing = (accepted: Iterable<string>, received: string[]) => {
  const all = new Set(received)
  return [...accepted].filter((text) => !all.has(text))
}

// Notifications that came under several ids or tags.
const ambiguous = (pushes: Push[]): string[] =>
  [...Map.groupBy(pushes, ({ title }) => title)]
    .filter(([, ofOne]) => new Set(ofOne.map(({ name }) => name)).size > 1)
    .map(([title]) => title)

const repeated = (pushes: Push[]): number => pushes.length - new Set(titlesOf(pushes)).size
