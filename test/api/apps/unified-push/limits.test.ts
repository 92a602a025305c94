// UnifiedPush: how many names a phone and an account may have, how much may be posted, and what outlasts a restart.
import { describe, expect, onTestFinished, test } from 'vitest'
import { scheduleHousekeeping } from '../../../../src/operations/housekeeping/housekeeping.ts'
import { list, sql } from '../../../../src/store/engine/sql.ts'
import { startTestApp, useTestApp } from '../../../support/app.ts'
import { createTestDatabase } from '../../../support/database/database.ts'
import { addApp, openNtfy, pollNtfy } from '../../../support/devices/app-streams.ts'
import { addEndpoint, newName, poll, post, vapidSender } from '../../../support/devices/unified-push.ts'
import { eventually } from '../../../support/eventually.ts'
import { scrape } from '../../../support/metrics.ts'
import { setUsed } from '../../../support/usage.ts'

const app = useTestApp({ HELIOGRAPH_UNIFIEDPUSH: 'on' })

describe('names', () => {
  test('a phone has 100 and an account 300; what is beyond is empty, and posts to it get 507', async () => {
    const user = await app.addUser()
    const devices = [await addApp(app, user), await addApp(app, user), await addApp(app, user), await addApp(app, user)]
    const counts = []
    let last = ''
    for (const device of devices) {
      const names = Array.from({ length: 101 }, newName)
      last = names.at(-1) ?? ''
      // An app polls one topic after the other.
      await poll(app, device, names.slice(0, 60).join())
      expect(await poll(app, device, names.slice(60).join())).toEqual([])
      counts.push((await app.get(`/devices/${device.id}/push-endpoints`, user.token)).body.items.length)
    }
    expect(counts).toEqual([100, 100, 100, 0])
    app.advanceSeconds(61)
    expect((await post(app, last)).body.code).toBe(50701)
  })

  test('asked for at the same time on many connections, they are not more', async () => {
    const user = await app.addUser()
    const device = await addApp(app, user)
    await poll(app, device, Array.from({ length: 95 }, newName).join())
    await Promise.all(Array.from({ length: 12 }, () => poll(app, device, newName())))
    expect((await app.get(`/devices/${device.id}/push-endpoints`, user.token)).body.items).toHaveLength(100)
  })

  test('one that a sender of the account publishes to stays an endpoint: it is no source of its stream', async () => {
    const { user, device, name } = await addEndpoint(app)
    const headers = { authorization: `Bearer ${user.defaultKey}` }
    await app.call('PUT', `/ntfy/${name}`, { raw: 'published', headers })
    await post(app, name, 'posted')
    expect((await poll(app, device, name)).map(({ message }) => message)).toEqual(['posted'])
    expect((await poll(app, device, 'inbox')).map(({ message }) => message)).toEqual(['published'])
  })
})

describe('a post', () => {
  // On PostgreSQL they share transactions.
  test('201 at the same time to endpoints of several accounts: each has its messages, and the account counts all', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => addEndpoint(app)))
    const endpoints = []
    for (const { user, device, name } of owners) {
      const second = newName()
      await poll(app, device, second)
      for (const one of [name, second]) endpoints.push({ user, device, name: one, texts: [...'abcdefgh'] })
    }
    const posts = endpoints.flatMap(({ name, texts }) => texts.map((text) => ({ name, text: `${name} ${text}` })))
    const answers = await Promise.all(posts.map(({ name, text }) => post(app, name, text)))
    expect(answers.map(({ status }) => status)).toEqual(posts.map(() => 201))
    for (const { device, name, texts } of endpoints) {
      const messages = (await poll(app, device, name)).map(({ message }) => message)
      expect(messages.sort()).toEqual(texts.map((text) => `${name} ${text}`))
    }
    const used = sql`select day_used as used from usage where kind = 'push_messages' and user_id in (${list(
      owners.map(({ user }) => user.userId),
    )})`
    expect(await app.app.ctx.db.read.all(used)).toEqual(owners.map(() => ({ used: 16 })))
  })

  test('201 as PUT and without ?up=1; an app that is connected gets one with TTL 0', async () => {
    const { device, name } = await addEndpoint(app)
    const stream = await openNtfy(app, device, `inbox,${name}/json`)
    const answer = await app.call('PUT', `/ntfy/${name}`, { raw: 'now', headers: { ttl: '0' } })
    expect([answer.status, answer.headers.get('ttl')]).toEqual([201, '0'])
    await eventually(() => expect(stream.messages()).toMatchObject([{ topic: name, message: 'now' }]))
    stream.close()
    // As long as a day, however long it may be kept; as long without a word about it.
    for (const headers of [{ ttl: '2419200' }, undefined]) {
      const kept = await app.call('POST', `/ntfy/${name}`, { raw: 'x', headers })
      expect(kept.headers.get('ttl')).toBe('86400')
    }
  })

  test('429 42908 with Retry-After once the account has got 1,000 on this day, on the free plan', async () => {
    const { user, name } = await addEndpoint(app, 'free')
    await setUsed(app, user, 'push_messages', 999)
    const accepted = await post(app, name)
    expect([accepted.status, accepted.body.expires - accepted.body.time]).toEqual([201, 60])
    const refused = await post(app, name)
    expect([refused.status, refused.body.code]).toEqual([429, 42908])
    expect(refused.headers.get('retry-after')).toBe('3600')
    app.advanceSeconds(86_400)
    expect((await post(app, name)).status).toBe(201)
  })

  test('is found by no search, and is no notification of any kind', async () => {
    const { user, name } = await addEndpoint(app)
    await post(app, name, 'needle in plain text')
    for (const path of ['/notifications?q=needle', '/notifications', `/notifications?source=${name}`]) {
      expect((await app.get(path, user.token)).body.items).toEqual([])
    }
  })

  test('201 with the VAPID header of older senders', async () => {
    const { user, device, name } = await addEndpoint(app)
    expect((await post(app, name, 'x', vapidSender(app)(app.url, { isDraft: true }))).status).toBe(201)
    const [endpoint] = (await app.get(`/devices/${device.id}/push-endpoints`, user.token)).body.items
    expect(endpoint.sender).toMatchObject({ subject: 'mailto:a@example.org' })
  })
})

describe('an endpoint that is gone', () => {
  test('404 after a restart, for 90 days; then its name is one that nobody knows', async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const before = await startTestApp({ HELIOGRAPH_UNIFIEDPUSH: 'on' }, database)
    const { user, device, name } = await addEndpoint(before)
    await before.del(`/devices/${device.id}`, user.token)
    expect((await post(before, name)).status).toBe(404)
    await before.stop()
    const after = await startTestApp({ HELIOGRAPH_UNIFIEDPUSH: 'on' }, database, { clock: before.clock })
    onTestFinished(() => after.stop())
    const statusLater = async (days: number) => {
      after.advanceSeconds(days * 86_400)
      await scheduleHousekeeping(after.app.ctx)
      await after.runDueJobs()
      return (await post(after, name)).status
    }
    expect([await statusLater(0), await statusLater(89), await statusLater(2)]).toEqual([404, 404, 507])
  })

  test('404 if the phone was not there for 30 days; a phone that is connected all that time is', async () => {
    const [away, connected] = [await addEndpoint(app), await addEndpoint(app)]
    const stream = await openNtfy(app, connected.device, `${connected.name}/json`)
    for (let day = 0; day < 31; day++) {
      const before = stream.lines.length
      app.advanceSeconds(86_400)
      // A line that has not arrived when the clock moves on is one that the phone has not taken for a day.
      await eventually(() => expect(stream.lines.length).toBeGreaterThan(before))
    }
    await eventually(async () => expect((await post(app, connected.name)).status).toBe(201))
    expect((await post(app, away.name)).status).toBe(404)
    stream.close()
  })
})

test('with a host name for ntfy it is on, at the root: names, posts, their audience and the gateway for Matrix', async () => {
  const own = await startTestApp({ HELIOGRAPH_NTFY_HOST: 'localhost', HELIOGRAPH_METRICS_PORT: '0' })
  onTestFinished(() => own.stop())
  const { device, user } = await addEndpoint(own)
  const root = own.url.replace('127.0.0.1', 'localhost')
  const name = newName()
  await pollNtfy(own, device, `${name}/json?poll=1`)
  const ask = async (method: string, path: string, body?: string | Uint8Array, headers = {}) => {
    const answer = await fetch(root + path, { method, body: body as string, headers })
    const text = await answer.text()
    return { status: answer.status, location: answer.headers.get('location'), body: JSON.parse(text) }
  }
  expect((await ask('GET', `/${name}?up=1`)).body).toEqual({ unifiedpush: { version: 1 } })
  const posted = await ask('POST', `/${name}?up=1`, 'hello', vapidSender(own)(root))
  expect([posted.status, posted.location]).toEqual([201, expect.stringMatching(new RegExp(`^${root}/message/`))])
  expect((await ask('GET', '/_matrix/push/v1/notify')).body).toEqual({ unifiedpush: { gateway: 'matrix' } })
  const notify = (pushkey: string, more = {}) => {
    const body = { notification: { devices: [{ pushkey }], ...more } }
    return ask('POST', '/_matrix/push/v1/notify', JSON.stringify(body), { 'content-type': 'application/json' })
  }
  expect(await notify(`${root}/${name}?up=1`)).toMatchObject({ status: 200, body: { rejected: [] } })
  expect(await notify(`${root}/${name}`, { text: 'x'.repeat(4096) })).toMatchObject({
    status: 413,
    body: { code: 41302 },
  })
  expect(await poll(own, device, name)).toHaveLength(2)
  expect((await app.get('/notifications', user.token)).status).toBe(401)

  const { value } = await scrape(own.app)
  expect(value('heliograph_unifiedpush_messages_total', { result: 'accepted' })).toBe(2)
  expect(value('heliograph_unifiedpush_endpoints')).toBe(2)
  expect(value('heliograph_unifiedpush_kept')).toBe(2)
  expect(value('heliograph_unifiedpush_bytes_total')).toBeGreaterThan(5)
})
