// R52: a stop finishes what was started, waits only for a limited time, and exits with 0.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../src/boot/app.ts'
import { type Environment, loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { runCommand } from '../support/cli/run-command.ts'
import { createClient } from '../support/client.ts'
import { copySqliteTemplate } from '../support/database/sqlite-template.ts'
import { apnsSettings } from '../support/devices/apns-settings.ts'
import { newPushToken, phone } from '../support/devices/devices.ts'
import { eventually } from '../support/eventually.ts'
import { startCallbackSink } from '../support/fakes/callback-sink.ts'
import { startFakeApns } from '../support/fakes/fake-apns.ts'
import { startFakeWebPush } from '../support/fakes/fake-web-push.ts'
import { emptyFolder, type Program, type RunningProcess, startHeliograph } from '../support/heliograph-process.ts'
import { nightlyTest } from '../support/nightly.ts'

async function startServer(settings: Environment = {}) {
  const folder = emptyFolder()
  // So that the start does not run every migration.
  await copySqliteTemplate(folder)
  const program = { environment: { HELIOGRAPH_DATA_DIR: folder, HELIOGRAPH_PORT: '0', ...settings } }
  const server = await startHeliograph(['serve'], program)
  // The default key, from the output of the first start.
  const token = /hlk_\S+/.exec(server.output())?.[0] ?? ''
  return { server, program, token }
}

// In the process of the test: what counts is what the stopped process has left. `ca` as in Parts.
async function startAgain({ environment }: Program, ca?: string) {
  const app = await startApp(loadConfig({}, environment, 'no-such-file.json'), { log: createLog('silent', 'json'), ca })
  onTestFinished(() => app.stop())
  app.worker.start()
  return createClient(app.url)
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

// Resolves when the server has read the headers and asks for the body.
async function beginPost(server: RunningProcess, token: string, bytes: number): Promise<Socket & { received: string }> {
  const connection = await openConnection(server)
  const head = ['POST /widgets HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`, 'Expect: 100-continue']
  const about = ['Content-Type: application/json', `Content-Length: ${bytes}`]
  connection.write(`${[...head, ...about].join('\r\n')}\r\n\r\n`)
  await eventually(() => expect(connection.received).toContain('100 Continue'))
  return connection
}

async function createUserToken(program: Program): Promise<string> {
  const { stdout } = await runCommand(['token', 'create', '--user', 'operator', '--json'], program.environment)
  return JSON.parse(stdout).token
}

// For local servers with a self-signed certificate.
function trusting(ca: string): Environment {
  const caFile = join(emptyFolder(), 'ca.pem')
  writeFileSync(caFile, ca)
  return { HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.1/32', NODE_EXTRA_CA_CERTS: caFile }
}

const clean = { code: 0, signal: null, stderr: '' }
const GAUGE = { slug: 'load', name: 'Load', content: { template: 'gauge', value: 1, min_value: 0, max_value: 5 } }

describe('a stop', () => {
  test('by SIGINT exits with 0, also if it is requested twice and the reader of the log has gone', async () => {
    const { server } = await startServer()
    server.stopReading('close')
    expect((await createClient(server.url).get('/health')).status).toBe(200)
    const first = server.end('SIGINT')
    expect(await server.end('SIGINT')).toMatchObject(clean)
    await first
  })

  test('by SIGTERM ends idle connections and event streams, accepts no new connection, but answers a request in progress', async () => {
    const { server, program, token } = await startServer()
    const userToken = await createUserToken(program)
    const idle = await openConnection(server)
    const stream = await openConnection(server)
    const closed = Promise.all([once(idle, 'close'), once(stream, 'close')])
    idle.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
    await eventually(() => expect(idle.received).toContain('{"status":"ok"}'))
    stream.write(`GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${userToken}\r\n\r\n`)
    await eventually(() => expect(stream.received).toContain('text/event-stream'))
    const body = JSON.stringify(GAUGE)
    const under = await beginPost(server, token, body.length)

    const ended = server.end('SIGTERM')
    await eventually(() => expect(openConnection(server)).rejects.toThrow('ECONNREFUSED'))
    await closed
    under.write(body)
    await eventually(() => expect(under.received).toContain('201 Created'))
    expect(await ended).toMatchObject(clean)

    expect((await (await startAgain(program)).get('/widgets/load', token)).body.name).toBe('Load')
  })

  test('first says by GET /ready that it stops, and serves on for the seconds of the drain', async () => {
    const { server, token } = await startServer({ HELIOGRAPH_DRAIN_SECONDS: '3' })
    const api = createClient(server.url)
    expect((await api.get('/ready')).status).toBe(200)
    const ended = server.end('SIGTERM')
    await eventually(async () => expect((await api.get('/ready')).status).toBe(503))
    // On a new connection too.
    await openConnection(server)
    expect((await api.post('/widgets', GAUGE, token)).status).toBe(201)
    expect(await ended).toMatchObject(clean)
  })

  test('does not wait for a reader of the log that has stopped reading', async () => {
    const { server } = await startServer()
    const api = createClient(server.url)
    const ask = () => Promise.all(Array.from({ length: 100 }, () => api.get('/health')))
    server.stopReading('pause')
    // More than pipes buffer.
    for (let i = 0; i < 10; i++) await ask()
    expect(await server.end('SIGTERM')).toMatchObject(clean)
  })
})

describe('C9: a stop while other servers do not answer', () => {
  const message = { title: 'T', body: 'B' }

  // A stop that takes longer than ten seconds ends the program with 1 (cli/stop-on-signal.ts).
  test('exits with 0 while APNs hangs; the sender is answered, and the push is retried after the next start', async () => {
    const apns = await startFakeApns()
    onTestFinished(() => apns.close())
    const { server, program, token } = await startServer(apnsSettings(apns))
    const userToken = await createUserToken(program)
    const device = newPushToken()
    const api = createClient(server.url)
    await api.put('/devices/phone', phone({ device_token: device }), userToken)
    apns.script(device, 'silence', 'silence')
    const sent = api.post('/notifications', message, token)
    await apns.until(() => apns.requests.length > 0)
    expect(await server.end('SIGTERM')).toMatchObject(clean)
    expect((await sent).body).toMatchObject({ delivery: 'none', reason: 'apns_rejected' })

    apns.script(device)
    await startAgain(program, apns.ca)
    await apns.until(() => apns.acceptedIds().length > 0)
    expect(new Set(apns.requests.map(({ headers }) => headers['apns-id'])).size).toBe(1)
  })

  test('waits only a limited time for clients that never finish their requests, and claims no job that falls due then', async () => {
    const apns = await startFakeApns()
    onTestFinished(() => apns.close())
    const { server, program, token } = await startServer(apnsSettings(apns))
    const api = createClient(server.url)
    const device = newPushToken()
    await api.put('/devices/phone', phone({ device_token: device }), await createUserToken(program))
    apns.script(device, 'silence')
    const slow = await openConnection(server)
    slow.write('POST /widgets HTTP/1.1\r\nHost: x\r\nContent-Le')
    // Delays the stop until after the schedule is due.
    await beginPost(server, token, 500)
    const schedule = { ...message, send_at: new Date(Date.now() + 2500).toISOString() }
    expect((await api.post('/notifications/scheduled', schedule, token)).status).toBe(201)
    expect(await server.end('SIGTERM')).toMatchObject(clean)
    expect(apns.requests).toHaveLength(0)
  })

  nightlyTest('exits with 0 while a web push service hangs', async () => {
    const service = await startFakeWebPush()
    onTestFinished(() => service.close())
    service.answerWith('never answer', 'never answer')
    const { server, program, token } = await startServer(trusting(service.ca))
    const api = createClient(server.url)
    const userToken = await createUserToken(program)
    const { body } = await api.get('/web-push/key', userToken)
    const webPush = await service.subscribe(body.public_key)
    const browser = { name: 'Browser', platform: 'web', web_push: { endpoint: webPush.endpoint, keys: webPush.keys } }
    expect((await api.put('/devices/browser', browser, userToken)).status).toBe(201)
    const sent = api.post('/notifications', message, token)
    await eventually(() => expect(service.received).toHaveLength(1))
    expect(await server.end('SIGTERM')).toMatchObject(clean)
    expect((await sent).status).toBe(201)
  })

  nightlyTest('exits with 0 while the receiver of a callback hangs', async () => {
    const sink = await startCallbackSink(() => 0)
    onTestFinished(() => sink.close())
    const receiver = sink.receiver('never answer')
    const { server, program, token } = await startServer(trusting(sink.ca))
    const api = createClient(server.url)
    const alert = { ...message, acknowledge: {}, callback_url: receiver.url }
    const { id } = (await api.post('/notifications', alert, token)).body
    await api.post(`/notifications/${id}/answer`, { action_id: 'pw_ack' }, await createUserToken(program))
    await eventually(() => expect(receiver.received).toHaveLength(1))
    expect(await server.end('SIGTERM')).toMatchObject(clean)
  })
})

const drawingProcessOf = (pid: number): number =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('pictures/process.js')) ?? 0

test.runIf(process.platform === 'linux').each(['SIGTERM', 'SIGKILL'] as const)(
  'the process that draws pictures ends with its server, by %s',
  async (signal) => {
    const { server, token } = await startServer()
    const { post } = createClient(server.url)
    await post('/widgets', { slug: 'w', name: 'W', content: { template: 'value', value: 1 } }, token)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(new URL('/widgets/w.png', server.url), { headers })).status).toBe(200)
    const pid = drawingProcessOf(server.pid)
    expect(pid).toBeGreaterThan(0)
    await server.end(signal)
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
  },
)
