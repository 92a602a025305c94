// Unknown tokens at the doors are counted per client address. Programs share an address (containers, NAT), so the count refuses
// further unknown tokens and never a valid one.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { addHook, sendTo } from '../../support/hooks/hook.ts'
import { form } from './pushover/client.ts'

// Other limits off: only the one of refused tokens is left.
const app = useTestApp({ HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0' })

beforeEach(() => app.advanceSeconds(60))
afterEach(() => app.advanceSeconds(60))

const statusOf = async (path: string, init: RequestInit = {}): Promise<number> => {
  const answer = await fetch(`${app.url}${path}`, init)
  await answer.text()
  return answer.status
}

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } })

type Door = { unknown: () => Promise<number>; valid: (user: TestUser) => Promise<number>; refused: [number, number] }

const DOORS: Record<string, Door> = {
  ntfy: {
    unknown: () => statusOf('/ntfy/t', { method: 'POST', body: 'x', ...bearer(`tk_${'0'.repeat(29)}`) }),
    valid: (user) => statusOf('/ntfy/t', { method: 'POST', body: 'x', ...bearer(user.defaultKey) }),
    refused: [401, 429],
  },
  gotify: {
    unknown: () => statusOf('/gotify/message?token=A00000000000000', { method: 'POST' }),
    valid: (user) =>
      statusOf(`/gotify/message?token=${user.defaultKey}`, {
        method: 'POST',
        body: new URLSearchParams({ message: 'M' }),
      }),
    refused: [401, 429],
  },
  pushover: {
    unknown: () => statusOf(`/pushover/1/messages.json?token=${'0'.repeat(30)}`, { method: 'POST' }),
    valid: (user) => statusOf('/pushover/1/messages.json', { method: 'POST', ...form(user, { message: 'M' }) }),
    refused: [400, 429],
  },
  bark: {
    unknown: () => statusOf(`/bark/${'2'.repeat(22)}/x`),
    valid: (user) => statusOf(`/bark/${user.defaultKey}/x`),
    refused: [400, 429],
  },
  hooks: {
    unknown: () => statusOf(`/hooks/${'0'.repeat(32)}`, { method: 'POST', body: 'x' }),
    valid: async (user) => (await (await addHook(app, {}, user)).send('x')).status,
    // Alertmanager gives up after a 429.
    refused: [404, 503],
  },
  'the apps of ntfy': {
    unknown: () => statusOf('/ntfy/inbox/json?poll=1', bearer('aaaa-aaaa-aaaa-aaaa')),
    valid: async (user) => {
      const { body } = await app.post('/devices/apps', { kind: 'ntfy', name: 'Pixel' }, user.token)
      return statusOf('/ntfy/inbox/json?poll=1', bearer(body.password))
    },
    refused: [401, 429],
  },
}

test.each(Object.keys(DOORS))(
  '20 unknown tokens at %s: further ones are limited, valid ones are accepted',
  async (name) => {
    const user = await app.addUser()
    const { unknown, refused } = DOORS[name] as Door
    const statuses = []
    for (let i = 0; i < 22; i++) statuses.push(await unknown())
    expect(statuses).toEqual([...Array(20).fill(refused[0]), refused[1], refused[1]])
    for (const [door, { unknown, valid, refused }] of Object.entries(DOORS)) {
      expect([door, await valid(user), await unknown()]).toEqual([door, 200, refused[1]])
    }
  },
)

test('a neighbour that sends one unknown token a second costs nobody a message', async () => {
  const hook = await addHook(app)
  const statuses = []
  for (let second = 0; second < 70; second++) {
    await sendTo(`${app.url}/hooks/revoked`, 'x')
    statuses.push((await hook.send('x')).status)
    app.advanceSeconds(1)
  }
  expect(statuses).toEqual(Array(70).fill(200))
})
