// Pings by the ping key of the account and the slug of a heartbeat, as clients of healthchecks.io send them.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { TestUser } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'

const nodes = useTestNodes()
let user: TestUser
let pingKey: string
let { add, read, pings, statusOf } = {} as ReturnType<typeof heartbeatsOf>
beforeEach(async () => {
  ;({ add, read, pings, statusOf } = heartbeatsOf(nodes.first))
  user = await nodes.first.addUser()
  pingKey = await keyOf(user.token)
})

const keyOf = async (token: string) => (await nodes.first.get('/heartbeats', token)).body.ping_key
const call = (method: string, path: string, raw?: string) =>
  nodes.first.call(method, `/ping/${pingKey}${path}`, { raw })
const get = (path: string) => call('GET', path)

describe('the ping key', () => {
  test('has 22 characters, stays the same, and is shown to who may write', async () => {
    expect(pingKey).toMatch(/^[0-9A-Za-z]{22}$/)
    expect(await keyOf(user.defaultKey)).toBe(pingKey)
    const sender = await nodes.first.addKey(user, { permissions: { notifications: 'send' } })
    expect(await keyOf(sender)).toBeUndefined()
    const other = await nodes.first.addUser()
    const shown = await nodes.atOnce(6, async (node) => (await node.get('/heartbeats', other.token)).body.ping_key)
    expect(new Set(shown).size).toBe(1)
    expect(shown[0]).not.toBe(pingKey)
  })

  test('is rolled: the old one stops at once, and the addresses of the heartbeats stay', async () => {
    const { path } = await add(user)
    const rolled = await nodes.first.post('/heartbeats/ping-key/roll', undefined, user.token)
    expect(rolled.status).toBe(200)
    expect(rolled.body).toEqual({ ping_key: await keyOf(user.token) })
    expect(await get('/backup')).toMatchObject({ status: 404, text: 'not found' })
    expect((await nodes.first.get(`/ping/${rolled.body.ping_key}/backup`)).status).toBe(200)
    expect((await nodes.first.get(path)).status).toBe(200)
    expectProblem(
      await nodes.first.post('/heartbeats', { slug: 'ping-key', name: 'P', every_seconds: 60 }, user.token),
      400,
      'heartbeat.invalid',
    )
  })
})

describe('a ping by slug', () => {
  test('200 OK in every form, with rid and body', async () => {
    await add(user)
    const rid = `?rid=${randomUUID()}`
    expect(await get(`/backup/start${rid}`)).toMatchObject({ status: 200, text: 'OK' })
    nodes.first.advanceSeconds(30)
    expect(await call('POST', `/backup/0${rid}`, 'saved')).toMatchObject({ status: 200, text: 'OK' })
    expect(await call('HEAD', '/backup')).toMatchObject({ status: 200, text: '' })
    for (const path of ['/backup/', '/backup/log', '/backup/fail/', '/backup/3']) {
      expect((await get(path)).status, path).toBe(200)
    }
    expect(await statusOf(user)).toBe('down')
    expect((await pings(user)).toReversed()).toMatchObject([
      { kind: 'start' },
      { kind: 'success', exit_status: 0, duration_ms: 30_000, body: 'saved' },
      { kind: 'success' },
      { kind: 'success' },
      { kind: 'log' },
      { kind: 'fail' },
      { kind: 'fail', exit_status: 3 },
    ])
  })

  test('404 not found for an unknown slug, key or action, and for the slug of another account', async () => {
    await add(await nodes.first.addUser(), { slug: 'theirs' })
    await add(user)
    for (const path of ['/nothing', '/theirs', '/backup/stop', '/backup/256', '/backup/start/now', '', '/']) {
      expect(await get(path), path).toMatchObject({ status: 404, text: 'not found' })
    }
    const unknown = `/ping/${'x'.repeat(22)}/backup`
    expect((await nodes.first.get(`${unknown}?create=1`)).status).toBe(404)
    expect((await get('/nothing?create=0')).status).toBe(404)
    expect(await pings(user)).toEqual([])
    expect((await get('/backup?rid=1')).status).toBe(400)
  })
})

describe('?create=1', () => {
  test('201 OK makes a heartbeat of the slug, every day with an hour of grace; then 200', async () => {
    expect(await call('POST', '/borg/start?create=1')).toMatchObject({ status: 201, text: 'OK' })
    expect(await read(user, 'borg')).toMatchObject({
      name: 'borg',
      every_seconds: 86_400,
      grace_seconds: 3600,
      status: 'started',
    })
    expect(await get('/borg?create=1')).toMatchObject({ status: 200, text: 'OK' })
    expect(await statusOf(user, 'borg')).toBe('up')
    const long = 'a'.repeat(100)
    expect((await get(`/${long}?create=1`)).status).toBe(201)
    expect((await read(user, long)).name).toBe('a'.repeat(64))
  })

  test('on all nodes at once makes one', async () => {
    const answers = await nodes.atOnce(8, (node) => node.get(`/ping/${pingKey}/borg?create=1`))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201])
    expect(await pings(user, 'borg')).toHaveLength(8)
  })

  test('409 over the number of heartbeats, 400 for what is no slug, and nothing is made', async () => {
    const free = await nodes.first.addUser('free')
    for (let i = 0; i < LIMITS.heartbeat.maxPerAccount.free; i++) await add(free, { slug: `job-${i}` })
    const theirs = `/ping/${await keyOf(free.token)}`
    const refused = await nodes.first.get(`${theirs}/one-more?create=1`)
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('at most 20 heartbeats') })
    expect((await nodes.first.get(`${theirs}/job-3?create=1`)).status).toBe(200)
    for (const slug of ['ping-key', '-x', 'a.b', 'a'.repeat(129)]) {
      expect((await get(`/${slug}?create=1`)).status, slug).toBe(400)
    }
    expect((await nodes.first.get('/heartbeats', user.token)).body.items).toEqual([])
  })
})
