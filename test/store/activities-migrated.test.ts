// The upgrade from schema 0013, which found screens and update tokens by slug, to 0014, which finds them by activity id:
// devices keep what they show, no activity is started twice on one, and jobs that wait still run.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { UserId } from '../../src/domain/caller.ts'
import { plusSeconds } from '../../src/domain/instant.ts'
import { createToken } from '../../src/operations/accounts/accounts.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { MIGRATIONS, migrate } from '../../src/store/engine/migrate.ts'
import { sql } from '../../src/store/engine/sql.ts'
import type { TestApp } from '../support/app.ts'
import type { TestDatabase } from '../support/database/database.ts'
import { createEmptyDatabase, openNode } from '../support/database/open-database.ts'
import { newPushToken } from '../support/devices/devices.ts'
import { type PushServices, startPushServices } from '../support/fakes/push-services.ts'

const ADA = 'ada' as UserId

let services: PushServices
beforeAll(async () => {
  services = await startPushServices()
})
afterAll(() => services.close())

let database: TestDatabase
let old: Database
beforeEach(async () => {
  database = await createEmptyDatabase()
  old = await openNode(database)
  const before = MIGRATIONS.findIndex(({ name }) => name === '0014-activity-ids')
  await migrate(old, MIGRATIONS.slice(0, before))
  await execute(sql`insert into users (id, name, plan, created_at) values (${ADA}, 'ada', 'paid', 0)`)
})

const execute = (statement: ReturnType<typeof sql>) => old.transact((tx) => tx.execute(statement))

type Upgraded = { app: TestApp; token: string }

// Starts the service on the database, which migrates it.
async function upgrade(): Promise<Upgraded> {
  await old.close()
  const app = await services.startNode({}, database)
  onTestFinished(() => app.stop())
  return { app, token: await createToken(app.app.ctx, ADA, 'hla') }
}

type OldActivity = { id: string; slug: string }
type ActivityFields = { state?: 'ongoing' | 'ended'; isPushed?: boolean }

// When devices got the newest version of the activities that they show.
const pushedAt = () => plusSeconds(services.clock.now(), -60)

async function addActivity(slug: string, { state = 'ongoing', isPushed = true }: ActivityFields = {}) {
  const activity: OldActivity = { id: randomUUID(), slug }
  const [startedAt, updatedAt] = [pushedAt(), plusSeconds(pushedAt(), isPushed ? 0 : 1)]
  await execute(sql`insert into activities (id, user_id, slug, name, state, state_at, run, priority, content, recorded,
      push_version, push_timestamp, created_at, updated_at)
    values (${activity.id}, ${ADA}, ${slug}, 'Build', ${state}, ${startedAt}, 1, 1, '{"template":"generic","state":"Lint"}', 0,
      ${startedAt}, 1, ${startedAt}, ${updatedAt})`)
  return activity
}

async function addDevice(platform: string): Promise<string> {
  const id = randomUUID()
  await execute(sql`insert into devices (user_id, id, name, platform, tags, created_at, last_seen_at)
    values (${ADA}, ${id}, 'Device', ${platform}, '[]', 0, 0)`)
  return id
}

async function addPhone() {
  const id = await addDevice('ios')
  return { id, startToken: await addToken(id, 'push_to_start') }
}

// With a slug: the update token of the activity.
async function addToken(deviceId: string, kind: 'push_to_start' | 'activity', slug = ''): Promise<string> {
  const token = newPushToken()
  await execute(sql`insert into push_tokens (user_id, device_id, kind, activity_slug, token, environment, registered_at)
    values (${ADA}, ${deviceId}, ${kind}, ${slug}, ${token}, 'production', ${pushedAt()})`)
  return token
}

async function addBrowser() {
  const id = await addDevice('web')
  const { endpoint, keys } = await services.webPush.subscribe()
  await execute(sql`insert into push_tokens (user_id, device_id, kind, activity_slug, token, p256dh, auth, registered_at)
    values (${ADA}, ${id}, 'web_push', '', ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${pushedAt()})`)
  return { id, path: new URL(endpoint).pathname }
}

const showOn = (deviceId: string, { id, slug }: OldActivity) =>
  execute(sql`insert into activity_screens (user_id, device_id, slug, activity_id, run, version)
    values (${ADA}, ${deviceId}, ${slug}, ${id}, 1, ${pushedAt()})`)

const enqueue = (kind: string, payload: object, key: string | null = null) =>
  execute(sql`insert into jobs (kind, key, payload, run_at, attempt)
    values (${kind}, ${key}, ${JSON.stringify({ userId: ADA, ...payload })}, ${pushedAt()}, 0)`)

const enqueuePush = ({ id }: OldActivity, deviceId: string) =>
  enqueue('push-activity', { activityId: id, deviceId }, `activity:${id}:${deviceId}`)

function enqueueDismissal({ id, slug }: OldActivity, deviceId: string, kind: 'activity' | 'web_push') {
  const content = { template: 'generic' }
  return enqueue('dismiss-activity', { activityId: id, slug, name: 'Build', content, timestamp: 2, deviceId, kind })
}

// The events pushed to these APNs tokens, oldest first.
const eventsOf = (...tokens: string[]) =>
  services.apns.requests
    .filter(({ token, isAccepted }) => isAccepted && tokens.includes(token))
    .map(({ payload }) => JSON.parse(payload).aps.event)

async function readBrowser({ path }: { path: string }) {
  const received = services.webPush.received.filter((push) => push.path === path)
  const texts = []
  for (const push of received) texts.push(JSON.parse(await services.webPush.read(push)))
  return texts.map(({ event, tag }) => ({ event, tag }))
}

async function change({ app, token }: Upgraded, slug: string): Promise<void> {
  const { status } = await app.patch(`/activities/${slug}`, { content: { state: 'Test' } }, token)
  expect(status).toBe(200)
  await app.runDueJobs()
}

async function register({ app, token }: Upgraded, deviceId: string, slug: string): Promise<string> {
  const updateToken = newPushToken()
  const body = { push_update_token: updateToken }
  expect((await app.put(`/devices/${deviceId}/activities/${slug}`, body, token)).status).toBe(204)
  await app.runDueJobs()
  return updateToken
}

describe('0014 an ongoing activity', () => {
  test('is updated on the devices that show it, and started on none of them again', async () => {
    const build = await addActivity('build')
    const [phone, startedPhone, browser] = [await addPhone(), await addPhone(), await addBrowser()]
    const updateToken = await addToken(phone.id, 'activity', 'build')
    for (const { id } of [phone, startedPhone, browser]) await showOn(id, build)
    const upgraded = await upgrade()
    await change(upgraded, 'build')
    expect(eventsOf(updateToken)).toEqual(['update'])
    expect(await readBrowser(browser)).toEqual([{ event: 'update', tag: `activity:${build.id}` }])
    const lateToken = await register(upgraded, startedPhone.id, 'build')
    expect(eventsOf(lateToken)).toEqual(['update'])
    expect(eventsOf(phone.startToken, startedPhone.startToken)).toEqual([])
  })

  test('that was made anew under its slug is started once on a phone that shows the deleted one, which is dismissed', async () => {
    const phone = await addPhone()
    const updateToken = await addToken(phone.id, 'activity', 'build')
    const deleted = { id: randomUUID(), slug: 'build' }
    await showOn(phone.id, deleted)
    await enqueueDismissal(deleted, phone.id, 'activity')
    await addActivity('build')
    const upgraded = await upgrade()
    for (let count = 0; count < 2; count++) await change(upgraded, 'build')
    expect([eventsOf(updateToken), eventsOf(phone.startToken)]).toEqual([['end'], ['start']])
  })

  test('that took over the token of a deleted one is updated by it', async () => {
    const phone = await addPhone()
    const updateToken = await addToken(phone.id, 'activity', 'build')
    await showOn(phone.id, await addActivity('build'))
    await change(await upgrade(), 'build')
    expect([eventsOf(updateToken), eventsOf(phone.startToken)]).toEqual([['update'], []])
  })

  test('that is created after its token was registered is updated by that token, and not started', async () => {
    const phone = await addPhone()
    const updateToken = await addToken(phone.id, 'activity', 'build')
    const { app, token } = await upgrade()
    expect((await app.patch('/activities/build?upsert=true', { state: 'ongoing' }, token)).status).toBe(201)
    await app.runDueJobs()
    expect([eventsOf(updateToken), eventsOf(phone.startToken)]).toEqual([['update'], []])
  })
})

test('0014 a phone that registers its token late gets the end of an activity that ended or was deleted', async () => {
  const phone = await addPhone()
  await showOn(phone.id, await addActivity('ended', { state: 'ended', isPushed: false }))
  await showOn(phone.id, { id: randomUUID(), slug: 'deleted' })
  const upgraded = await upgrade()
  for (const slug of ['ended', 'deleted']) expect(eventsOf(await register(upgraded, phone.id, slug))).toEqual(['end'])
  expect(eventsOf(phone.startToken)).toEqual([])
})

test('0014 a token that was registered under the id of an activity as its slug does not stop the upgrade', async () => {
  const build = await addActivity('build')
  const phone = await addPhone()
  const updateToken = await addToken(phone.id, 'activity', 'build')
  await addToken(phone.id, 'activity', build.id)
  await showOn(phone.id, build)
  await change(await upgrade(), 'build')
  expect([eventsOf(updateToken), eventsOf(phone.startToken)]).toEqual([['update'], []])
})

describe('0014 a job of the version before', () => {
  test('pushes a change that was not pushed yet, once', async () => {
    const build = await addActivity('build', { isPushed: false })
    const [phone, browser] = [await addPhone(), await addBrowser()]
    const updateToken = await addToken(phone.id, 'activity', 'build')
    for (const { id } of [phone, browser]) {
      await showOn(id, build)
      await enqueuePush(build, id)
    }
    const { app } = await upgrade()
    for (let count = 0; count < 2; count++) await app.runDueJobs()
    expect([eventsOf(updateToken), eventsOf(phone.startToken)]).toEqual([['update'], []])
    expect(await readBrowser(browser)).toEqual([{ event: 'update', tag: `activity:${build.id}` }])
  })

  test('starts an activity that was not started yet, once', async () => {
    const build = await addActivity('build')
    const phone = await addPhone()
    await enqueuePush(build, phone.id)
    const { app } = await upgrade()
    for (let count = 0; count < 2; count++) await app.runDueJobs()
    expect(eventsOf(phone.startToken)).toEqual(['start'])
  })

  test('dismisses a deleted activity on the phone and in the browser that show it', async () => {
    const deleted = { id: randomUUID(), slug: 'build' }
    const [phone, browser] = [await addPhone(), await addBrowser()]
    const updateToken = await addToken(phone.id, 'activity', 'build')
    for (const { id } of [phone, browser]) await showOn(id, deleted)
    await enqueueDismissal(deleted, phone.id, 'activity')
    await enqueueDismissal(deleted, browser.id, 'web_push')
    const { app } = await upgrade()
    await app.runDueJobs()
    expect(eventsOf(updateToken)).toEqual(['end'])
    expect(await readBrowser(browser)).toEqual([{ event: 'end', tag: `activity:${deleted.id}` }])
    expect(await app.app.ctx.db.read.all(sql`select slug from activity_screens`)).toEqual([])
  })
})
