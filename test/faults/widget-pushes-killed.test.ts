// R28: a widget that changes a thousand times in ten windows, on every node, is pushed once in each window. When all
// processes are killed before the window ends, the push of the last change is sent after the start.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { apnsSettings } from '../support/devices/apns-settings.ts'
import { newPushToken } from '../support/devices/devices.ts'
import { startFakeApns } from '../support/fakes/fake-apns.ts'
import { runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { isMachineFree } from '../support/reliability/machine-load.ts'
import { amountOf, measured } from '../support/reliability/measured.ts'

const WINDOW_SECONDS = 1
const CHANGING_MS = 10_000
const CHANGES = 1000
const AT_ONCE = 4
const LONG_WINDOW_SECONDS = 15

const CASES = [
  { kind: 'sqlite', nodes: 1 },
  { kind: 'postgres', nodes: 2 },
] as const

describe.each(CASES)('R28 on $kind with $nodes node(s)', ({ kind, nodes }) => {
  test('one push in each window while a widget changes, and one for the last change although all are killed', async () => {
    const apns = await startFakeApns()
    onTestFinished(() => apns.close())
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment = {
      HELIOGRAPH_PORT: '0',
      HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
      ...apnsSettings(apns),
      ...database.environment,
    }
    const added = await runHeliograph(['user', 'add', 'anna', '--plan', 'paid', '--json'], { environment })
    const { token } = JSON.parse(added.stdout)
    const start = () => Promise.all(Array.from({ length: nodes }, () => startHeliograph(['serve'], { environment })))
    const servers = await start()
    const apis = servers.map(({ url }) => createClient(url))
    const api = apis[0] as (typeof apis)[0]
    const widgetToken = newPushToken()
    const addresses = { device_token: newPushToken(), widget_push_token: widgetToken, environment: 'production' }
    const device = { name: 'Phone', platform: 'ios', apns: addresses }
    expect((await api.put('/devices/phone', device, token)).status).toBe(201)
    const content = { template: 'value', value: 0 }
    const widget = { slug: 'load', name: 'Load', content, push_throttle: WINDOW_SECONDS }
    expect((await api.post('/widgets', widget, token)).status).toBe(201)

    let value = 0
    let changes = 0
    let lastChangeAtMs = 0
    const beganAtMs = performance.now()
    const changers = Array.from({ length: AT_ONCE }, async (_, index) => {
      const node = apis[index % apis.length] as (typeof apis)[0]
      while (changes < CHANGES || performance.now() < beganAtMs + CHANGING_MS) {
        const startedAtMs = performance.now()
        const { status } = await node.patch('/widgets/load', { content: { value: ++value } }, token)
        // A slow machine may refuse a change that waits too long for the row.
        expect([200, 503]).toContain(status)
        if (status !== 200) continue
        changes += 1
        lastChangeAtMs = Math.max(lastChangeAtMs, startedAtMs)
      }
    })
    await Promise.all(changers)
    const changingSeconds = (performance.now() - beganAtMs) / 1000
    const pushes = () => apns.requests.filter((request) => request.isAccepted && request.token === widgetToken)
    const newestPushAtMs = () => pushes().at(-1)?.receivedAtMs ?? 0
    await vi.waitFor(() => expect(newestPushAtMs()).toBeGreaterThan(lastChangeAtMs), { timeout: 30_000 })
    // The window of this push ends, so that the next change is pushed at once.
    await delay(2 * WINDOW_SECONDS * 1000)
    const count = pushes().length
    // Windows begin with a push, so in n windows there are at most n + 2: at the begin and at the end. A slow machine is late
    // with some.
    const windows = changingSeconds / WINDOW_SECONDS
    expect(count).toBeGreaterThan(isMachineFree ? windows - 1 : 1)
    expect(count).toBeLessThanOrEqual(windows + 2)

    // The first change of a longer window is pushed at once; the second one waits.
    const change = async (patch: object) => expect((await api.patch('/widgets/load', patch, token)).status).toBe(200)
    await change({ push_throttle: LONG_WINDOW_SECONDS, content: { value: -1 } })
    await vi.waitFor(() => expect(pushes().length).toBe(count + 1), { timeout: 30_000 })
    await change({ content: { value: -2 } })
    for (const server of servers) await server.end('SIGKILL')
    expect(pushes().length).toBe(count + 1)
    const next = await start()
    await vi.waitFor(() => expect(pushes().length).toBe(count + 2), { timeout: 60_000 })
    for (const server of next) expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    expect(pushes().length).toBe(count + 2)
    const by = `${amountOf(changes, 'change')} on ${amountOf(nodes, 'node')}`
    const window = `${count} pushes in ${changingSeconds.toFixed(0)} s with a window of ${WINDOW_SECONDS} s`
    measured('R28', kind, `${by}: ${window}; the last change is pushed after a kill`)
  })
})
