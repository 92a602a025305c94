// The metrics of a server: what they count, and that they are served on a port of their own.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startWork } from '../../../src/boot/app.ts'
import { instant } from '../../../src/domain/instant.ts'
import { loadConfig } from '../../../src/runtime/config.ts'
import { createLog } from '../../../src/runtime/log.ts'
import { METRICS, type MetricName } from '../../../src/runtime/metrics/table.ts'
import { enqueueJob } from '../../../src/store/jobs.ts'
import { startTestApp, type TestUser } from '../../support/app.ts'
import { createTestDatabase, isPostgres } from '../../support/database/database.ts'
import { addBrowser, addPhone } from '../../support/devices/phone.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { startCallbackSink } from '../../support/fakes/callback-sink.ts'
import { startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { mailSettings } from '../../support/fakes/mail.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { scrape } from '../../support/metrics.ts'

const app = usePushApp({ HELIOGRAPH_METRICS_PORT: '0' })
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const read = () => scrape(app.app)
const send = () => app.post('/notifications', { title: 'Disk full', body: 'node-3' }, user.token)

// Runs the work and returns how much a sample has grown by then. A request is counted when its connection has taken the
// response, which may be after the client has it.
async function growthOf(name: string, labels: Record<string, string>, work: () => Promise<unknown>, expected = 1) {
  const before = (await read()).value(name, labels)
  await work()
  await eventually(async () => expect((await read()).value(name, labels) - before).toBe(expected))
}

describe('the listener', () => {
  test('serves metrics and health, and nothing of the API', async () => {
    const { metricsUrl = '' } = app.app
    const answer = await fetch(metricsUrl)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    expect((await fetch(metricsUrl, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(405)
    expect((await fetch(new URL('/devices', metricsUrl))).status).toBe(404)
  })

  test('is not the one of the API', async () => {
    expect((await fetch(`${app.url}/metrics`)).status).toBe(404)
  })

  test('exists only if a port is configured', async () => {
    const quiet = await startTestApp()
    expect([quiet.app.metricsUrl, quiet.app.ctx.metrics.isOn]).toEqual([undefined, false])
    await quiet.stop()
  })

  test('on a port that is taken stops the start and names the setting', async () => {
    const { port } = new URL(app.app.metricsUrl ?? '')
    const database = await createTestDatabase()
    await expect(startTestApp({ HELIOGRAPH_METRICS_PORT: port }, database)).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use; choose another with HELIOGRAPH_METRICS_PORT`,
    )
    await database.drop()
  })
})

test('a process that only runs jobs exports them too, and says whether it is healthy and ready', async () => {
  const database = await createTestDatabase()
  const environment = { ...database.environment, HELIOGRAPH_METRICS_PORT: '0' }
  const work = await startWork(loadConfig({}, environment, 'no-such-file.json'), { log: createLog('silent', 'json') })
  const { text } = await scrape(work)
  expect(text).toMatch(/^heliograph_jobs_due\{kind="push-notification"\} 0$/m)
  expect(text).not.toMatch(/^heliograph_open_connections /m)
  const ask = async (path: string) => {
    const response = await fetch(new URL(path, work.metricsUrl))
    return [response.status, await response.text()]
  }
  expect(await ask('/health')).toEqual([200, '{"status":"ok"}'])
  expect(await ask('/ready')).toEqual([200, '{"status":"ready"}'])
  expect(await ask('/notifications')).toEqual([404, 'Only /metrics, /health, /ready are here.\n'])
  // A job that nobody has run for long.
  const now = work.ctx.clock.now()
  await work.ctx.db.transact((tx) =>
    enqueueJob(tx, { kind: 'housekeeping', payload: {}, runAt: instant(now - 60_000) }),
  )
  expect(await ask('/ready')).toEqual([503, expect.stringContaining('background work is behind')])
  await work.stop()
  await database.drop()
})

test('every metric of the table is exported on both databases, and no other of ours', async () => {
  const ours = (await read()).names.filter((name) => name.startsWith('heliograph_'))
  expect(ours.sort()).toEqual(Object.keys(METRICS).sort())
})

describe('requests', () => {
  test('are counted by route pattern, method and status, never by path', async () => {
    const labels = { method: 'GET', route: '/widgets/:slug', status: '404' }
    await growthOf('heliograph_http_requests_total', labels, () => app.get('/widgets/no-such-widget', user.token))
    const duration = { method: 'GET', route: '/widgets/:slug' }
    const { value, text } = await read()
    expect(value('heliograph_http_request_duration_seconds_count', duration)).toBeGreaterThan(0)
    expect(text).not.toContain('no-such-widget')
  })

  test('to unknown paths share one route', async () => {
    const labels = { method: 'GET', route: 'none', status: '404' }
    await growthOf('heliograph_http_requests_total', labels, () => fetch(`${app.url}/secret-of-a-scanner`))
    expect((await read()).text).not.toContain('secret-of-a-scanner')
  })

  test('whose client disconnects before the response begins are counted as aborted, without the time that they waited', async () => {
    const { body } = await app.post(
      '/notifications',
      { title: 'Deploy?', body: 'now', actions: [{ id: 'yes', title: 'Yes' }] },
      user.token,
    )
    const labels = { method: 'GET', route: '/notifications/answers/:id', status: 'aborted' }
    await growthOf('heliograph_http_requests_total', labels, async () => {
      const { hostname, port } = new URL(app.url)
      const socket = connect(Number(port), hostname)
      socket.write(
        `GET /notifications/answers/${body.id}?wait=25 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${user.token}\r\n\r\n`,
      )
      await eventually(async () => expect((await read()).value('heliograph_open_waits')).toBe(1))
      socket.destroy()
    })
    await eventually(async () => expect((await read()).value('heliograph_open_waits')).toBe(0))
    const { method, route } = labels
    expect((await read()).value('heliograph_http_request_duration_seconds_count', { method, route })).toBe(0)
  })

  test('over the rate limit are counted as the problem that they get', async () => {
    const limited = await startTestApp({ HELIOGRAPH_METRICS_PORT: '0', HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '1' })
    await limited.get('/health')
    expect((await limited.get('/health')).status).toBe(429)
    await eventually(async () =>
      expect((await scrape(limited.app)).value('heliograph_problems_total', { code: 'rate_limit.exceeded' })).toBe(1),
    )
    await limited.stop()
  })
})

test('open event streams and connections are counted; the time of a stream is not', async () => {
  const stream = await openEvents(app.url, user.token)
  const open = await read()
  expect(open.value('heliograph_open_event_streams')).toBe(1)
  expect(open.value('heliograph_open_connections')).toBeGreaterThan(0)
  stream.close()
  await eventually(async () => expect((await read()).value('heliograph_open_event_streams')).toBe(0))
  const labels = { method: 'GET', route: '/events' }
  const { value } = await read()
  expect(value('heliograph_http_requests_total', { ...labels, status: '200' })).toBe(1)
  expect(value('heliograph_http_request_duration_seconds_count', labels)).toBe(0)
})

describe('jobs', () => {
  // Of an activity that does not exist: the job finds nothing to do.
  const enqueue = () =>
    app.app.ctx.db.transact((tx) =>
      enqueueJob(tx, {
        kind: 'tick-activity',
        payload: { userId: user.userId, activityId: 'none' as never },
        runAt: app.clock.now(),
      }),
    )

  test('that are due are counted with the lateness of the oldest, and read again after five seconds', async () => {
    const kind = { kind: 'tick-activity' }
    app.clock.advanceSeconds(5)
    await read()
    await enqueue()
    app.clock.advanceSeconds(3)
    await enqueue()
    expect((await read()).value('heliograph_jobs_due', kind)).toBe(0)
    app.clock.advanceSeconds(4)
    const late = await read()
    expect(late.value('heliograph_jobs_due', kind)).toBe(2)
    expect(late.value('heliograph_jobs_lateness_seconds', kind)).toBe(7)

    const runs = { kind: 'tick-activity', outcome: 'done' }
    await growthOf('heliograph_job_runs_total', runs, () => app.runDueJobs(), 2)
    app.clock.advanceSeconds(5)
    const done = await read()
    expect(done.value('heliograph_jobs_due', kind)).toBe(0)
    expect(done.value('heliograph_jobs_lateness_seconds', kind)).toBe(0)
    expect(done.value('heliograph_jobs_running', kind)).toBe(0)
    expect(done.value('heliograph_job_duration_seconds_count', kind)).toBe(2)
  })
})

describe('pushes', () => {
  const pushes = 'heliograph_pushes_total'

  test('are counted by channel, with the reason of the push service', async () => {
    const device = await addPhone(app, { app, user })
    const accepted = { channel: 'apns', result: 'accepted', reason: '' }
    await growthOf(pushes, accepted, send)
    app.apns.script(device.token, { status: 410, reason: 'Unregistered' })
    await growthOf(pushes, { channel: 'apns', result: 'device_gone', reason: 'Unregistered' }, send)
    expect((await read()).value('heliograph_push_duration_seconds_count', { channel: 'apns' })).toBe(2)
  })

  test('to browsers are counted by their own channel', async () => {
    await addBrowser(app, { app, user })
    await growthOf(pushes, { channel: 'web_push', result: 'accepted', reason: '' }, send)
  })
})

test('e-mails and callbacks are counted by what became of them', async () => {
  const [smtp, sink] = [await startFakeSmtp(), await startCallbackSink(app.clock.now)]
  const settings = {
    ...mailSettings(smtp.port),
    HELIOGRAPH_METRICS_PORT: '0',
    HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.0/8',
  }
  const node = await startTestApp(settings, undefined, { ca: sink.ca })
  onTestFinished(async () => {
    await node.stop()
    await Promise.all([smtp.close(), sink.close()])
  })
  const { token, defaultKey } = await node.addUser()
  // It is asked to confirm.
  await node.post('/emails/recipients', { address: 'ada@example.org' }, token)
  const alert = { title: 'Fire', body: 'B', acknowledge: {}, callback_url: sink.receiver().url }
  const { id } = (await node.post('/notifications', alert, defaultKey)).body
  await node.post(`/notifications/${id}/answer`, { action_id: 'pw_ack' }, token)
  await node.runDueJobs()
  await eventually(async () => {
    const { value } = await scrape(node.app)
    expect(value('heliograph_emails_total', { result: 'accepted' })).toBe(1)
    expect(value('heliograph_callbacks_total', { result: '2xx' })).toBe(1)
  })
})

describe('the database', () => {
  test('has its transactions and reads counted', async () => {
    const before = await read()
    await send()
    const after = await read()
    const count = 'heliograph_database_transaction_duration_seconds_count'
    expect(after.value(count)).toBeGreaterThan(before.value(count))
    expect(after.value('heliograph_database_read_duration_seconds_count')).toBeGreaterThan(0)
    expect(after.value('heliograph_database_writable')).toBe(1)
  })

  test('has its commit groups counted on SQLite, and the connections of its pool on PostgreSQL', async () => {
    const { value } = await read()
    const connections = ['used', 'idle'].map((state) => value('heliograph_database_connections', { state }))
    if (isPostgres()) expect(Math.max(...connections)).toBeGreaterThan(0)
    else expect(value('heliograph_database_commit_group_size_count')).toBeGreaterThan(0)
  })

  test.runIf(isPostgres())(
    'gets no more connections than HELIOGRAPH_DATABASE_CONNECTIONS, and all requests an answer',
    async () => {
      const {
        app: node,
        addUser,
        get,
        stop,
      } = await startTestApp({
        HELIOGRAPH_METRICS_PORT: '0',
        HELIOGRAPH_DATABASE_CONNECTIONS: '2',
      })
      onTestFinished(() => stop())
      const { token } = await addUser()
      const answers = await Promise.all(Array.from({ length: 40 }, () => get('/notifications', token)))
      expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200))
      const { value } = await scrape(node)
      const connections = ['used', 'idle'].map((state) => value('heliograph_database_connections', { state }))
      expect(connections[0]! + connections[1]!).toBe(2)
    },
  )
})

describe('the dashboard and the alerts', () => {
  const OF_EVERY_SERIES = ['job', 'instance', 'le']
  const expressions = [...alertExpressions(), ...dashboardExpressions()]
  const used = [...new Set(expressions.flatMap((text) => text.match(/\b(?:heliograph|process|nodejs)_\w+/g) ?? []))]

  test('use only metrics that a server exports', async () => {
    const { names } = await read()
    const exported = new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]))
    expect(used.length).toBeGreaterThan(20)
    expect(used.filter((name) => !exported.has(name))).toEqual([])
  })

  test('show every metric of ours', () => {
    const shown = used.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
    expect(Object.keys(METRICS).filter((name) => !shown.includes(name))).toEqual([])
  })

  test('select by labels that the metrics have', () => {
    const selectors = expressions.flatMap((text) => [
      ...text.matchAll(/(heliograph_\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/g),
    ])
    const unknown = selectors.flatMap(([, name = '', matchers = '']) => {
      const labels: string[] = [...(METRICS[name as MetricName]?.labels ?? []), ...OF_EVERY_SERIES]
      const asked = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => String(label))
      return asked.filter((label) => !labels.includes(label)).map((label) => `${name}{${label}}`)
    })
    expect(unknown).toEqual([])
  })
})

function alertExpressions(): string[] {
  const { groups } = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8'))
  return groups.flatMap(({ rules }: { rules: { expr: string; annotations: object }[] }) =>
    rules.flatMap(({ expr, annotations }) => [expr, ...Object.values(annotations)]),
  )
}

function dashboardExpressions(): string[] {
  const { panels } = JSON.parse(readFileSync('deploy/grafana/heliograph.json', 'utf8'))
  return panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr))
}
