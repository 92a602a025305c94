// Kills the server while it gets notifications for a phone with the Bark app and messages of UnifiedPush: nothing accepted is
// lost, and a push that is sent twice has the same id, so that the phone shows it once.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { apnsSettings } from '../support/devices/apns-settings.ts'
import { appHeaders } from '../support/devices/app-streams.ts'
import { type FakeApns, startFakeApns } from '../support/fakes/fake-apns.ts'
import { runHeliograph, startHeliograph } from '../support/heliograph-process.ts'

const ROUNDS = inject('rounds')
// Of each kind in a round; below the burst of an endpoint.
const MOST_WRITES = 60
const AT_ONCE = 3
const killAfterMs = () => 50 + Math.random() * 400

describe.each(['sqlite', 'postgres'] as const)('phones with other apps on %s', (kind) => {
  test(`${ROUNDS} kills lose neither a push to the Bark app nor a message of UnifiedPush`, async () => {
    const apns = await startFakeApns()
    onTestFinished(() => apns.close())
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment = { ...settingsOf(apns), ...database.environment }
    const added = await runHeliograph(['user', 'add', 'anna', '--plan', 'paid', '--json'], { environment })
    const { token } = JSON.parse(added.stdout)
    let server = await startHeliograph(['serve'], { environment })
    let api = createClient(server.url)
    const phone = await addBarkPhone(api, token)
    const accepted = { titles: 0, bodies: 0 }

    for (let round = 0; round < ROUNDS; round++) {
      const app = await addEndpoint(api, token)
      const [titles, bodies] = [new Set<string>(), new Set<string>()]
      const writing = Array.from({ length: AT_ONCE }, (_, writer) => [
        writeUntilKilled(titles, `${round}-${writer}`, async (title) => {
          const body = { title, body: 'B', level: 'time-sensitive' }
          return (await api.post('/notifications', body, token)).status
        }),
        writeUntilKilled(bodies, `${round}-${writer}`, async (body) => {
          const answer = await fetch(`${api.url}/ntfy/${app.name}`, { method: 'POST', headers: { ttl: '3600' }, body })
          return answer.status
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
      await vi.waitFor(() => expect(missing(titles, shownTitles(apns, phone))).toEqual([]), { timeout: 120_000 })
      const received = await poll(api, app)
      expect(
        missing(
          bodies,
          received.map(({ message }) => message),
        ),
      ).toEqual([])
      expect(new Set(received.map(({ id }) => id)).size).toBe(received.length)
      expect(ambiguousPushes(apns, phone)).toEqual([])
      expect((await api.del(`/devices/${app.id}`, token)).status).toBe(204)
    }
    expect(Math.min(accepted.titles, accepted.bodies)).toBeGreaterThan(0)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
  })
})

const settingsOf = (apns: FakeApns) => {
  const { HELIOGRAPH_APNS_KEY_FILE: keyFile, ...others } = apnsSettings(apns)
  return {
    HELIOGRAPH_PORT: '0',
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
    HELIOGRAPH_UNIFIEDPUSH: 'on',
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

type Endpoint = { id: string; password: string; name: string }

async function addEndpoint(api: TestClient, token: string): Promise<Endpoint> {
  const { body } = await api.post('/devices/apps', { kind: 'ntfy', name: 'Pixel' }, token)
  const app = { id: body.device.id, password: body.password, name: `up${randomBytes(6).toString('hex')}` }
  await poll(api, app)
  return app
}

async function poll({ url }: TestClient, app: Endpoint): Promise<{ id: string; message: string }[]> {
  const answer = await fetch(`${url}/ntfy/${app.name}/json?poll=1&since=all`, { headers: appHeaders(app) })
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
  for (let count = 0; count < MOST_WRITES / AT_ONCE; count++) {
    const text = `${name}-${count}`
    try {
      if ((await write(text)) === 201) accepted.add(text)
    } catch {
      return
    }
  }
}

type Shown = { aps: { alert?: { title: string } }; id: string }

const pushesTo = (apns: FakeApns, phone: string) =>
  apns.requests
    .filter(({ token, isAccepted }) => token === phone && isAccepted)
    .map(({ headers, payload }) => ({ pushId: String(headers['apns-id']), shown: JSON.parse(payload) as Shown }))

const shownTitles = (apns: FakeApns, phone: string) =>
  pushesTo(apns, phone).map(({ shown }) => shown.aps.alert?.title ?? '')

const missing = (accepted: Iterable<string>, received: string[]) => {
  const all = new Set(received)
  return [...accepted].filter((text) => !all.has(text))
}

// Notifications that came under several ids or tags.
function ambiguousPushes(apns: FakeApns, phone: string): string[] {
  const byTitle = Map.groupBy(pushesTo(apns, phone), ({ shown }) => shown.aps.alert?.title ?? '')
  const names = ({ pushId, shown }: ReturnType<typeof pushesTo>[number]) => `${pushId} ${shown.id}`
  return [...byTitle].filter(([, pushes]) => new Set(pushes.map(names)).size > 1).map(([title]) => title)
}
