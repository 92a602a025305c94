// The ping address: every form of it, what is kept, and what it refuses.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { TestUser } from '../../support/app.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { heartbeatsOf, type PingedHeartbeat } from '../../support/on-call/heartbeats.ts'

const nodes = useTestNodes()
let user: TestUser
let heartbeat: PingedHeartbeat
let { add, ping, read, pings, statusOf } = {} as ReturnType<typeof heartbeatsOf>
beforeEach(async () => {
  ;({ add, ping, read, pings, statusOf } = heartbeatsOf(nodes.first))
  user = await nodes.first.addUser()
  heartbeat = await add(user)
})

const call = (method: string, path: string, raw?: string | Uint8Array) => nodes.first.call(method, path, { raw })

describe('a ping', () => {
  test('200 OK as text to GET, HEAD and POST, in each form', async () => {
    const { path } = heartbeat
    const ok = await ping(heartbeat)
    expect(ok).toMatchObject({ status: 200, text: 'OK' })
    expect(ok.headers.get('content-type')).toMatch(/^text\/plain/)
    // For pages that ping, and for runitor, which sends no more of its output.
    for (const { headers } of [ok, await call('GET', '/ping/unknown')]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('ping-body-limit')).toBe(String(LIMITS.heartbeat.maxKeptBodyBytes))
    }
    expect(await call('HEAD', path)).toMatchObject({ status: 200, text: '' })
    expect((await call('GET', `/ping/${path.slice('/ping/'.length).toUpperCase()}`)).status).toBe(200)
    expect(await call('POST', path, 'done')).toMatchObject({ status: 200, text: 'OK' })
    for (const action of ['/', '/start', '/log', '/0', '/fail', '/1', '/255', '/start/']) {
      expect((await call('GET', path + action)).status, action).toBe(200)
    }
    const kept = (await pings(user)).toReversed()
    expect(kept.map(({ kind, exit_status }: { kind: string; exit_status?: number }) => [kind, exit_status])).toEqual([
      ...Array(5).fill(['success', undefined]),
      ['start', undefined],
      ['log', undefined],
      ['success', 0],
      ['fail', undefined],
      ['fail', 1],
      ['fail', 255],
      ['start', undefined],
    ])
    expect(kept[3]).toMatchObject({ body: 'done', from: '127.0.0.1' })
    expect(kept[0]).not.toHaveProperty('body')
  })

  test('any media type is a body; the first 10 KB are kept; over 100 KB is 413', async () => {
    const { maxBodyBytes, maxKeptBodyBytes } = LIMITS.heartbeat
    expect((await call('POST', heartbeat.path, `${'ä'.repeat(40)}\0${'x'.repeat(maxBodyBytes - 81)}`)).status).toBe(200)
    expect((await call('POST', heartbeat.path, `a${'ä'.repeat(maxKeptBodyBytes)}`)).status).toBe(200)
    const [cut, large] = await pings(user)
    expect(Buffer.byteLength(large.body)).toBe(maxKeptBodyBytes - 1)
    expect(cut.body).toBe(`a${'ä'.repeat(maxKeptBodyBytes / 2 - 1)}`)
    const refused = await call('POST', heartbeat.path, 'x'.repeat(maxBodyBytes + 1))
    expect(refused).toMatchObject({ status: 413, text: 'the body has more than 102400 bytes' })
    expect(await pings(user)).toHaveLength(2)
  })

  test('the last 100 are kept, newest first', async () => {
    for (let i = 0; i < LIMITS.heartbeat.keptPings + 20; i++) {
      if (i % 50 === 0) nodes.first.advanceSeconds(60)
      expect((await call('POST', `${heartbeat.path}/log`, `${i}`)).status).toBe(200)
    }
    const kept: { body: string }[] = await pings(user)
    expect(kept).toHaveLength(100)
    expect([kept[0]?.body, kept[99]?.body]).toEqual(['119', '20'])
  })

  test('404 not found for an unknown token, a malformed one and an unknown action, and nothing changes', async () => {
    for (const path of [
      `/ping/${randomUUID()}`,
      '/ping/not-a-token',
      `${heartbeat.path}/stop`,
      `${heartbeat.path}/256`,
      `${heartbeat.path}/-1`,
      `${heartbeat.path}/start/now`,
      '/ping/',
    ]) {
      expect(await call('GET', path), path).toMatchObject({ status: 404, text: 'not found' })
    }
    expect((await call('DELETE', heartbeat.path)).status).toBe(404)
    expect(await statusOf(user)).toBe('new')
    expect(await pings(user)).toEqual([])
  })

  test('400 for a rid that is no UUID', async () => {
    expect(await ping(heartbeat, '/start?rid=17')).toMatchObject({ status: 400, text: 'rid must be a UUID' })
  })

  test('429 over 60 a minute for a token, on all nodes together; others are not affected', async () => {
    const other = await add(user, { slug: 'other' })
    nodes.first.advanceSeconds(60)
    const statuses = (await nodes.atOnce(60, (node) => node.get(heartbeat.path))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const node of nodes.all) expect((await node.get(heartbeat.path)).status).toBe(429)
    const refused = await ping(heartbeat)
    expect(refused).toMatchObject({ status: 429, text: 'rate limit exceeded' })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await ping(other)).status).toBe(200)
    nodes.first.advanceSeconds(60)
    expect((await ping(heartbeat)).status).toBe(200)
  })

  test('costs no quota', async () => {
    for (let i = 0; i < 10; i++) await ping(heartbeat)
    expect((await nodes.first.get('/auth/me', user.token)).body).toMatchObject({ notifications_used: 0 })
  })
})

describe('runs', () => {
  const run = (action: string, rid?: string) => ping(heartbeat, rid ? `${action}?rid=${rid}` : action)

  test('the time from the start to the end is the duration', async () => {
    await run('/start')
    const isDueAt = new Date(nodes.first.clock.now() + 300_000).toISOString()
    expect(await read(user)).toMatchObject({ status: 'started', next_due_at: isDueAt })
    nodes.first.advanceSeconds(90)
    await run('')
    expect(await read(user)).toMatchObject({ status: 'up', last_duration_ms: 90_000 })
    expect((await pings(user))[0]).toMatchObject({ kind: 'success', duration_ms: 90_000 })
    await run('')
    expect((await pings(user))[0]).not.toHaveProperty('duration_ms')
  })

  test('overlapping runs are told apart by their rid', async () => {
    const [one, two] = [randomUUID(), randomUUID()]
    await run('/start', one)
    nodes.first.advanceSeconds(30)
    await run('/start', two)
    nodes.first.advanceSeconds(30)
    await run('/0', one.toUpperCase())
    expect(await read(user)).toMatchObject({ status: 'started', last_duration_ms: 60_000 })
    nodes.first.advanceSeconds(10)
    await run('', two)
    expect(await read(user)).toMatchObject({ status: 'up', last_duration_ms: 40_000 })
  })

  test('ten pings at once on all nodes are ten pings, and one alert if they fail', async () => {
    await nodes.atOnce(10, (node) => node.get(`${heartbeat.path}/fail`))
    expect(await pings(user)).toHaveLength(10)
    const { items } = (await nodes.first.get('/notifications', user.token)).body
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['Backup is down'])
  })
})
