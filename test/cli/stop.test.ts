// R52: a stop finishes what was begun, waits for nobody for ever, and ends with 0.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { emptyFolder, type RunningProcess, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'

// Each test starts several processes, which takes long where many share a processor.
vi.setConfig({ testTimeout: 60_000 })

async function startServer() {
  const program = { environment: { HELIOGRAPH_DATA_DIR: emptyFolder(), HELIOGRAPH_PORT: '0' } }
  const server = await startHeliograph(['serve'], program)
  // The default key, as the first start shows it.
  const token = /hlk_\S+/.exec(server.output())?.[0] ?? ''
  return { server, program, token }
}

async function openConnection({ url }: RunningProcess): Promise<Socket & { received: string }> {
  const socket = Object.assign(connect(Number(new URL(url).port), '127.0.0.1'), { received: '' })
  socket.setEncoding('utf8').on('data', (text) => {
    socket.received += text
  })
  socket.on('error', () => {})
  onTestFinished(() => {
    socket.destroy()
  })
  await once(socket, 'connect')
  return socket
}

// Resolves when the server has read the head and asks for the body.
async function beginPost(server: RunningProcess, token: string, bytes: number): Promise<Socket & { received: string }> {
  const connection = await openConnection(server)
  const head = ['POST /widgets HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`, 'Expect: 100-continue']
  const about = ['Content-Type: application/json', `Content-Length: ${bytes}`]
  connection.write(`${[...head, ...about].join('\r\n')}\r\n\r\n`)
  await eventually(() => expect(connection.received).toContain('100 Continue'))
  return connection
}

const clean = { code: 0, signal: null, stderr: '' }
const GAUGE = { slug: 'load', name: 'Load', content: { template: 'gauge', value: 1, min_value: 0, max_value: 5 } }

describe('a stop', () => {
  test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('by %s ends with 0', async (signal) => {
    const { server } = await startServer()
    expect(await server.end(signal)).toMatchObject(clean)
  })

  test('closes connections that are kept open and idle', async () => {
    const { server } = await startServer()
    const kept = await openConnection(server)
    kept.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
    await eventually(() => expect(kept.received).toContain('{"status":"ok"}'))
    expect(await server.end('SIGTERM')).toMatchObject(clean)
  })

  test('takes no new connection, but answers a request that is under way', async () => {
    const { server, program, token } = await startServer()
    const body = JSON.stringify(GAUGE)
    const under = await beginPost(server, token, body.length)
    const ended = server.end('SIGTERM')
    await eventually(() => expect(openConnection(server)).rejects.toThrow('ECONNREFUSED'))
    under.write(body)
    await eventually(() => expect(under.received).toContain('201 Created'))
    expect(await ended).toMatchObject(clean)

    const next = await startHeliograph(['serve'], program)
    expect((await createClient(next.url).get('/widgets/load', token)).body.name).toBe('Load')
  })

  test.each(['stand still', 'go away'] as const)('does not wait for readers of the log that %s', async (how) => {
    const { server } = await startServer()
    const api = createClient(server.url)
    const ask = () => Promise.all(Array.from({ length: 100 }, () => api.get('/health')))
    server.neglect(how)
    // More than pipes hold.
    for (let i = 0; i < 30; i++) await ask()
    expect(await server.end('SIGTERM')).toMatchObject(clean)
  })

  test('does not wait for ever for clients that never finish their requests', async () => {
    const { server, token } = await startServer()
    const slow = await openConnection(server)
    slow.write('POST /widgets HTTP/1.1\r\nHost: x\r\nContent-Le')
    await beginPost(server, token, 500)
    expect(await server.end('SIGTERM')).toMatchObject(clean)
  })

  test('ends open event streams', async () => {
    const { server, program } = await startServer()
    const { stdout } = await runHeliograph(['token', 'create', '--user', 'operator', '--json'], program)
    const stream = await openConnection(server)
    stream.write(`GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${JSON.parse(stdout).token}\r\n\r\n`)
    await eventually(() => expect(stream.received).toContain('text/event-stream'))
    expect(await server.end('SIGTERM')).toMatchObject(clean)
  })

  test('asked for twice is one stop', async () => {
    const { server } = await startServer()
    const first = server.end('SIGTERM')
    expect(await server.end('SIGTERM')).toMatchObject(clean)
    await first
  })
})
