// Jobs that stop, hang, fail and recover, told in moved time; and clients of healthchecks.io, which work with another host.
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { fromRfc3339 } from '../../src/domain/instant.ts'
import type { TestUser } from '../support/app.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { addPhone } from '../support/devices/phone.ts'
import { startPushServices, usePushApp } from '../support/fakes/push-services.ts'
import { heartbeatsOf } from '../support/on-call/heartbeats.ts'

const app = usePushApp()
const { add, ping, statusOf, pings, told } = heartbeatsOf(app)

const NIGHTLY = { slug: 'backup', name: 'NAS backup', every_seconds: undefined, cron: '0 3 * * *', timezone: 'UTC' }
const HOUR = 3600

async function until(time: string): Promise<void> {
  const at = fromRfc3339(time)
  while (app.clock.now() < at) {
    app.advanceSeconds(Math.min((at - app.clock.now()) / 1000, HOUR))
    await app.runDueJobs()
  }
}

const titles = async (user: TestUser) => (await told(user)).map(({ title }) => title)

test('a nightly backup that stops: one alert on the phone the next night, and one word when it is back', async () => {
  app.clock.set(fromRfc3339('2027-01-10T12:00:00Z'))
  const user = await app.addUser()
  const phone = await addPhone(app, { app, user })
  const backup = await add(user, {
    ...NIGHTLY,
    grace_seconds: HOUR,
    acknowledge: { repeat_seconds: 600 },
    widget: true,
  })
  for (const day of [11, 12, 13]) {
    await until(`2027-01-${day}T03:20:00Z`)
    expect((await ping(backup)).text).toBe('OK')
  }
  expect(await phone.screen()).toMatchObject({ banners: [] })

  await until('2027-01-14T03:00:00Z')
  expect(await statusOf(user)).toBe('late')
  await until('2027-01-14T03:59:00Z')
  expect(await phone.screen()).toMatchObject({ banners: [] })
  await until('2027-01-14T04:00:00Z')
  expect(await phone.screen()).toEqual({ banners: ['NAS backup is down'], badge: 1 })
  expect((await told(user))[0]?.body).toBe(
    'Expected a ping by 2027-01-14 03:00 UTC; last success 2027-01-13 03:20 UTC.',
  )
  await until('2027-01-14T04:30:00Z')
  const repeats = (await phone.pushes()).length
  expect(repeats).toBeGreaterThan(1)

  await ping(backup)
  await app.runDueJobs()
  expect(await phone.screen()).toEqual({ banners: ['NAS backup is up again, down for 30 min'], badge: 2 })
  const { items } = (await app.get('/notifications/receipts', user.token)).body
  expect(items).toMatchObject([{ status: 'canceled', cancel_reason: 'resolved' }])
  await until('2027-01-15T02:00:00Z')
  expect(await phone.pushes()).toHaveLength(repeats + 1)
  expect((await app.get('/widgets/hb-backup', user.token)).body.content.label).toBe('Up')
})

test('a backup that starts and hangs: down when a run should have ended, the same night', async () => {
  app.clock.set(fromRfc3339('2027-02-10T12:00:00Z'))
  const user = await app.addUser()
  const backup = await add(user, { ...NIGHTLY, max_run_seconds: 3 * HOUR })
  await until('2027-02-11T03:00:00Z')
  await ping(backup, '/start')
  await until('2027-02-11T05:00:00Z')
  await ping(backup)
  await until('2027-02-12T03:00:30Z')
  await ping(backup, '/start')
  await until('2027-02-12T06:00:00Z')
  expect(await statusOf(user)).toBe('started')
  await until('2027-02-12T06:01:00Z')
  expect(await statusOf(user)).toBe('down')
  expect((await told(user)).map(({ body }) => body)).toEqual([
    'It started at 2027-02-12 03:00 UTC and did not finish within 3 h; last success 2027-02-11 05:00 UTC.',
  ])
})

test('a backup that fails with exit 1 and recovers the next night', async () => {
  app.clock.set(fromRfc3339('2027-03-10T12:00:00Z'))
  const user = await app.addUser()
  const backup = await add(user, { ...NIGHTLY, grace_seconds: HOUR })
  await until('2027-03-11T03:00:00Z')
  await ping(backup, '/start')
  await until('2027-03-11T03:10:00Z')
  await ping(backup, '/1', { raw: 'repository is locked\n' })
  expect((await told(user))[0]?.body).toBe(
    'Expected a success, got exit status 1; it has never succeeded.\n\nrepository is locked',
  )
  await until('2027-03-12T03:00:00Z')
  await ping(backup, '/start')
  await until('2027-03-12T03:12:00Z')
  await ping(backup, '/0')
  expect(await titles(user)).toEqual(['NAS backup is down', 'NAS backup is up again, down for 1 d 2 min'])
  expect(await pings(user)).toMatchObject([
    { kind: 'success', exit_status: 0, duration_ms: 720_000 },
    { kind: 'start' },
    { kind: 'fail', exit_status: 1, duration_ms: 600_000, body: 'repository is locked\n' },
    { kind: 'start' },
  ])
})

test('our own standstill of an hour: no phone rings, and what was down before stays down', async () => {
  const services = await startPushServices()
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { clock } = services
  const evening = await services.startNode({}, database)
  const user = await evening.addUser()
  const phone = await addPhone(services, { app: evening, user })
  const before = heartbeatsOf(evening)
  const [sensor, broken] = [
    await before.add(user, { slug: 'sensor', name: 'Sensor', every_seconds: 60, grace_seconds: 60 }),
    await before.add(user, { slug: 'broken', name: 'Printer' }),
  ]
  await before.ping(sensor)
  await before.ping(broken, '/fail')
  await evening.runDueJobs()
  await evening.stop()

  clock.advanceSeconds(HOUR)
  const morning = await services.startNode({}, database)
  onTestFinished(async () => {
    await services.close()
    await morning.stop()
  })
  const after = heartbeatsOf(morning)
  await morning.runDueJobs()
  expect((await phone.screen()).banners).toEqual(['Printer is down'])
  await after.ping(sensor)
  clock.advanceSeconds(59)
  await morning.runDueJobs()
  expect([await after.statusOf(user, 'sensor'), await after.statusOf(user, 'broken')]).toEqual(['up', 'down'])
  clock.advanceSeconds(61)
  await morning.runDueJobs()
  expect((await phone.screen()).banners.toSorted()).toEqual(['Printer is down', 'Sensor is down'])
})

test('clients of healthchecks.io work by changing the host: curl lines, and calls as runitor makes them', async () => {
  const user = await app.addUser()
  const job = await add(user)
  const url = `${app.url}${job.path}`
  // As curl sends them: a line with --data-raw is a POST of a form, whatever the text is.
  const curl = async (address: string, method = 'GET', text?: string) => {
    const form = text === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const headers = { 'user-agent': 'curl/8.14.1', accept: '*/*', ...form }
    const answer = await fetch(address, { method, headers, body: text })
    return [answer.status, await answer.text()]
  }
  expect(await curl(url)).toEqual([200, 'OK'])
  expect(await curl(url, 'POST', 'some log')).toEqual([200, 'OK'])
  expect(await curl(`${url}/fail`, 'POST')).toEqual([200, 'OK'])
  expect(await curl(url, 'HEAD')).toEqual([200, ''])
  expect(await curl(`${app.url}/ping/${randomUUID()}`)).toEqual([404, 'not found'])

  // One run id for the start, the logs and the end; the exit status in the path; a text body with a user agent.
  const rid = randomUUID()
  const post = (action: string, body?: string) =>
    fetch(`${url}${action}?rid=${rid}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'runitor/v1.4.1' },
      body,
    })
  for (const answer of [await post('/start'), await post('/log', 'half way'), await post('/3', 'no route to host')]) {
    expect([answer.status, await answer.text()]).toEqual([200, 'OK'])
  }
  const kept: { kind: string; exit_status?: number; body?: string }[] = await pings(user)
  expect(kept.map(({ kind, exit_status, body }) => [kind, exit_status, body]).toReversed()).toEqual([
    ['success', undefined, undefined],
    ['success', undefined, 'some log'],
    ['fail', undefined, undefined],
    ['success', undefined, undefined],
    ['start', undefined, undefined],
    ['log', undefined, 'half way'],
    ['fail', 3, 'no route to host'],
  ])
  expect(await statusOf(user)).toBe('down')
})
