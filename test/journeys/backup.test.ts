// A server is lost and restored elsewhere from its backup: every row is there, and everything that was handed out before
// (tokens, answer tickets, Web Push subscriptions, ids) works on.
import { expect, onTestFinished, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { createCast } from '../support/cast.ts'
import { backUp, contentOf, newDatabase, restoreInto } from '../support/database/backups.ts'
import { claimAnyJobs } from '../support/database/claim-jobs.ts'
import { isPostgres, type TestDatabase } from '../support/database/database.ts'
import { addBrowser, addPhone } from '../support/devices/phone.ts'
import { mailSettings } from '../support/fakes/mail.ts'
import { usePushApp } from '../support/fakes/push-services.ts'
import { heartbeatsOf } from '../support/on-call/heartbeats.ts'
import { createOrgCast } from '../support/organizations/cast.ts'

// A lone end of a surrogate pair cannot be stored; everything else a text may hold can.
const TEXT = 'Ü "quoted" \\ 🎉 \u2028\u2029 \u007f\ttab\nline'

// The server that is lost; each test adds its own people.
const app = usePushApp(mailSettings(1))

async function startOn(database: TestDatabase): Promise<TestApp> {
  const restored = await app.startNode(mailSettings(1), database)
  onTestFinished(() => restored.stop())
  return restored
}

test('backup, restore and backup again are equal byte for byte, also by way of the other database', async () => {
  const { user } = await createCast(app)
  await createOrgCast(app)
  await app.post('/notifications', { title: TEXT, body: TEXT }, user.token)
  await app.runDueJobs()
  const backup = await backUp(app.database)
  expect(contentOf(backup).filter((line) => line.startsWith('[')).length).toBeGreaterThan(100)

  const steps = isPostgres() ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)
  let last = backup
  for (const kind of steps) {
    const restored = await newDatabase(kind)
    await restoreInto(restored, last)
    last = await backUp(restored)
    expect(contentOf(last)).toEqual(contentOf(backup))
  }
})

test('a restored server continues: tickets, subscriptions, due work, ids, and nothing is sent twice', async () => {
  const user = await app.addUser()
  const [phone, browser] = [await addPhone(app, { app, user }), await addBrowser(app, { app, user })]
  const question = { title: 'Deploy?', body: 'Now', actions: [{ id: 'yes', title: 'Yes' }] }
  const asked = await app.post('/notifications', question, user.defaultKey)
  await app.post('/notifications/scheduled', { title: 'Later', body: 'B', send_at: inAnHour(app) }, user.defaultKey)
  const deleted = await app.post('/notifications', { title: 'Gone', body: 'B' }, user.defaultKey)
  await app.del(`/notifications/${deleted.body.id}`, user.token)
  await app.runDueJobs()
  const backup = await backUp(app.database)
  const pushedBefore = [await phone.pushes(), await browser.pushes()].map(({ length }) => length)
  const ticket = (await phone.pushes()).find(({ answer_ticket }) => answer_ticket)?.answer_ticket

  const target = await newDatabase()
  await restoreInto(target, backup)
  const restored = await startOn(target)
  await restored.runDueJobs()
  expect([await phone.pushes(), await browser.pushes()].map(({ length }) => length)).toEqual(pushedBefore)
  expect((await restored.post(`/answers/${ticket}`, { action_id: 'yes', device_id: phone.id })).status).toBe(200)
  const answer = await restored.get(`/notifications/answers/${asked.body.id}`, user.defaultKey)
  expect(answer.body).toMatchObject({ status: 'answered', action_id: 'yes' })

  restored.advanceSeconds(3600)
  await restored.runDueJobs()
  expect((await phone.screen()).banners).toContain('Later')
  expect((await browser.screen()).banners).toContain('Later')
  const next = await restored.post('/notifications', { title: 'Next', body: 'B' }, user.defaultKey)
  expect(next.body.id).toBeGreaterThan(deleted.body.id)
})

const inAnHour = ({ clock }: TestApp) => new Date(clock.now() + 3_600_000).toISOString()

test('a job that a node had claimed runs on the restored server when its lease ends', async () => {
  const user = await app.addUser()
  const phone = await addPhone(app, { app, user })
  await app.post('/notifications/scheduled', { title: 'Due', body: 'B', send_at: inAnHour(app) }, user.defaultKey)
  app.advanceSeconds(3600)
  await app.app.ctx.db.transact((tx) => claimAnyJobs(tx, 10, app.clock.now()))
  const target = await newDatabase()
  await restoreInto(target, await backUp(app.database))
  const restored = await startOn(target)
  await restored.runDueJobs()
  expect((await phone.screen()).banners).toEqual([])
  restored.advanceSeconds(120)
  await restored.runDueJobs()
  expect((await phone.screen()).banners).toEqual(['Due'])
})

test('a restore that fails leaves nothing behind, and one that succeeded is not repeated', async () => {
  const backup = await backUp(app.database)
  const target = await newDatabase()
  await expect(restoreInto(target, backup.subarray(0, backup.length - 20))).rejects.toThrow(/the backup is damaged/)
  await restoreInto(target, backup)
  await expect(restoreInto(target, backup)).rejects.toThrow(/exists already|is not empty/)
  expect(contentOf(await backUp(target))).toEqual(contentOf(backup))
})

test('the time between the backup and the restored server is not taken for the silence of a job', async () => {
  const user = await app.addUser()
  const { add, ping } = heartbeatsOf(app)
  await app.app.ctx.alive.stamp()
  await ping(await add(user, { every_seconds: 600 }))
  const backup = await backUp(app.database)
  app.advanceSeconds(86_400)
  const target = await newDatabase()
  await restoreInto(target, backup)
  const restored = await startOn(target)
  await restored.runDueJobs()
  expect(await heartbeatsOf(restored).statusOf(user)).toBe('up')
})
