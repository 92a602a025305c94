// nginx, HAProxy and Caddy, configured by deploy/proxy, in front of a real server.
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../src/contract/limits.ts'
import { createClient } from '../support/client.ts'
import { openEvents } from '../support/event-reader.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/fakes/free-port.ts'
import { emptyFolder, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { connectFrom, PROXIES, type RunningProxy, type StartProxy } from './proxies.ts'

// The example of RFC 6455. HAProxy checks that they belong together.
const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const ACCEPT = 'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo='

describe.each(PROXIES)('%s', (_, startProxy) => {
  test('passes a send, an answered wait, and one that lasts as long as a wait may', async () => {
    const { proxy, key, token } = await startBehind(startProxy)
    const api = createClient(proxy.url)
    const question = { title: 'Deploy?', body: 'All checks are green.', actions: [{ id: 'yes', title: 'Yes' }] }
    const [first, second] = [
      await api.post('/notifications', question, key),
      await api.post('/notifications', question, key),
    ]
    expect([first.status, second.status]).toEqual([201, 201])

    const path = (sent: typeof first) => `/notifications/answers/${sent.body.id}?wait=${LIMITS.wait.maxSeconds}`
    const [answered, unanswered] = [api.get(path(first), key), api.get(path(second), key)]
    const answer = await api.post(`/notifications/${first.body.id}/answer`, { action_id: 'yes' }, token)
    expect(answer.status).toBe(200)
    expect(await answered).toMatchObject({ status: 200, body: { status: 'answered' } })
    expect(await unanswered).toMatchObject({ status: 200, body: { status: 'pending' } })
  })

  test('passes events one by one as they happen', async () => {
    const { proxy, key, token } = await startBehind(startProxy)
    const api = createClient(proxy.url)
    const stream = await openEvents(proxy.url, token)
    for (const count of [1, 2, 3]) {
      await api.post('/notifications', { title: `Number ${count}`, body: 'Body' }, key)
      await eventually(() =>
        expect(stream.types().filter((type) => type === 'notification.created')).toHaveLength(count),
      )
    }
    stream.close()
  })

  test('tells the address of the client, whatever the client claims', async () => {
    const { proxy } = await startBehind(startProxy, { HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '3' })
    const statuses = async (localAddress: string, count: number) => {
      connectFrom(proxy, localAddress)
      const seen: number[] = []
      for (let sent = 0; sent < count; sent++) {
        const headers = { 'x-forwarded-for': `198.51.100.${sent}` }
        seen.push((await createClient(proxy.url).call('GET', '/widgets', { headers })).status)
      }
      return seen
    }
    expect(await statuses('127.0.0.2', 4)).toEqual([401, 401, 401, 429])
    expect(await statuses('127.0.0.3', 1)).toEqual([401])
  })

  test('passes a body over the limit of the server to it, and none that is far larger', async () => {
    const { proxy, key } = await startBehind(startProxy)
    const send = (bytes: number) => createClient(proxy.url).post('/notifications', { title: 'x'.repeat(bytes) }, key)
    expect(await send(LIMITS.request.maxBodyBytes + 1)).toMatchObject({
      status: 413,
      body: { code: 'request.too_large' },
    })
    expect((await send(4 * LIMITS.request.maxBodyBytes)).status).toBe(413)
  })

  test('passes upgrades to WebSocket', async () => {
    const upstream = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
    upstream.on('upgrade', (_request, socket) => {
      const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket', ACCEPT]
      socket.end(`${lines.join('\r\n')}\r\n\r\n`)
    })
    await once(upstream, 'listening')
    onTestFinished(() => void upstream.close())
    const { url, ca } = await startProxy((upstream.address() as AddressInfo).port)
    const headers = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-key': KEY }
    const request = ca ? httpsRequest(url, { headers, ca }) : httpRequest(url, { headers })
    request.end()
    const [response] = await once(request, 'upgrade')
    expect(response.statusCode).toBe(101)
  })
})

type Behind = { proxy: RunningProxy; key: string; token: string }

async function startBehind(startProxy: StartProxy, settings: Record<string, string> = {}): Promise<Behind> {
  const [cwd, port] = [emptyFolder(), await freePort()]
  const environment = { HELIOGRAPH_PORT: String(port), HELIOGRAPH_TRUST_PROXY: '127.0.0.1', ...settings }
  const server = await startHeliograph(['serve'], { cwd, environment })
  const key = /hlk_\S+/.exec(server.output())?.[0] ?? ''
  const { stdout } = await runHeliograph(['token', 'create', '--user', 'operator'], { cwd })
  const proxy = await startProxy(port)
  connectFrom(proxy, '127.0.0.1')
  return { proxy, key, token: stdout.trim() }
}
