// Pushes of a fan-out that takes several steps, when things change between two of them.
import { expect, test } from 'vitest'
import type { UserId } from '../../../src/domain/caller.ts'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import { removeUser } from '../../../src/operations/accounts/remove.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestUser } from '../../support/app.ts'
import { type ApplePhone, addPhone } from '../../support/devices/phone.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { createOrganization, invite } from '../../support/organizations/organization.ts'
import { addMembers, addOrgKey, entryOf, inboxOf } from '../../support/organizations/sends.ts'

const app = usePushApp()

const ALERT = { title: 'Fire', body: 'in the server room', acknowledge: { repeat_seconds: 30, expire_seconds: 120 } }
const QUESTION = { title: 'Deploy?', body: 'Now', actions: [{ id: 'yes', title: 'Yes' }] }
const STEP_SECONDS = 5

const settle = async () => {
  while ((await app.runDueJobs()) > 0);
}
const alerts = async (phone: ApplePhone) => (await phone.pushes()).filter((push) => push.aps?.alert).length

// Sends to 150 members who come before `late` in the fan-out; its next step is due in STEP_SECONDS.
async function sendHalfway(message: object) {
  const org = await createOrganization(app, 1)
  const late = org.members[0] as TestUser
  const phone = await addPhone(app, { app, user: late })
  const [userId] = (await addMembers(app.app.ctx.db, org.id, 150, app.clock.now(), 'first')) as [UserId]
  const early = { token: await createToken(app.app.ctx, userId, 'hla') }
  const key = await addOrgKey(app, org)
  const { id, ...sent } = (await app.post('/notifications', message, key.key)).body
  const dueAt = app.clock.now() + STEP_SECONDS * 1000
  await app.app.ctx.db.transact((tx) =>
    tx.execute(sql`update jobs set run_at = ${dueAt} where kind = 'spread-notification'`),
  )
  return { org, late, phone, early, key, id, sent }
}

async function finish() {
  await settle()
  app.advanceSeconds(STEP_SECONDS)
  await settle()
}

test('a large send answers before every device was tried, and goes on', async () => {
  const { late, phone, sent } = await sendHalfway({ title: 'T', body: 'B' })
  expect(sent).toMatchObject({ delivery: 'none', reason: 'apns_rejected' })
  expect(sent.recipients).toEqual({ members: 153, devices: 1, stored: 100, done: false })
  expect(await inboxOf(app, late)).toEqual([])
  await finish()
  expect(await alerts(phone)).toBe(1)
  expect(await inboxOf(app, late)).toHaveLength(1)
})

test('acknowledged between two steps: the entry is written and nobody is rung any more', async () => {
  const { late, phone, early, id } = await sendHalfway(ALERT)
  const entry = await entryOf(app, early, id)
  expect((await app.post(`/notifications/${entry}/answer`, { action_id: 'pw_ack' }, early.token)).status).toBe(200)
  const told = await openEvents(app.url, late.token)
  await finish()
  expect(await alerts(phone)).toBe(0)
  expect(await inboxOf(app, late)).toHaveLength(1)
  await eventually(() => expect(told.types()).toHaveLength(3))
  told.close()
  expect(told.types()).toEqual(['notification.created', 'notification.answered', 'receipt.acknowledged'])
})

test('answered between two steps: no banner stays', async () => {
  const { phone, early, id } = await sendHalfway(QUESTION)
  const entry = await entryOf(app, early, id)
  expect((await app.post(`/notifications/${entry}/answer`, { action_id: 'yes' }, early.token)).status).toBe(200)
  await finish()
  expect((await phone.screen()).banners).toEqual([])
})

test('left between two steps: neither an entry nor a push', async () => {
  const { org, late, phone, key, id } = await sendHalfway(ALERT)
  expect((await app.del(`${org.path}/members/me`, late.token)).status).toBe(204)
  await finish()
  expect(await alerts(phone)).toBe(0)
  expect(await inboxOf(app, late)).toEqual([])
  const { recipients } = (await app.get(`/notifications/${id}`, key.key)).body
  expect(recipients).toMatchObject({ stored: 152, done: true })
})

test('renamed between two steps: every inbox shows the new name', async () => {
  const { org, late, early } = await sendHalfway({ title: 'T', body: 'B' })
  expect((await app.patch(org.path, { name: 'Renamed' }, org.owner.token)).status).toBe(200)
  await finish()
  for (const member of [early, late]) expect(await inboxOf(app, member)).toMatchObject([{ org_name: 'Renamed' }])
})

test('muted between two steps: an entry and no push', async () => {
  const { org, late, phone } = await sendHalfway(ALERT)
  const muted_until = new Date(app.clock.now() + 3_600_000).toISOString()
  expect((await app.patch(`${org.path}/members/me`, { muted_until }, late.token)).status).toBe(200)
  await finish()
  expect(await alerts(phone)).toBe(0)
  expect(await inboxOf(app, late)).toHaveLength(1)
})

test('recalled between two steps: neither an entry nor a push', async () => {
  const { org, late, phone, id } = await sendHalfway(ALERT)
  expect((await app.del(`${org.path}/notifications/${id}`, org.owner.token)).status).toBe(204)
  await finish()
  expect(await alerts(phone)).toBe(0)
  expect(await inboxOf(app, late)).toEqual([])
})

test('recalled between two steps: the fan-out ends at once, and does not wait for the entries to be removed', async () => {
  const { org, id } = await sendHalfway({ title: 'T', body: 'B' })
  expect((await app.del(`${org.path}/notifications/${id}`, org.owner.token)).status).toBe(204)
  await app.app.ctx.db.transact((tx) =>
    tx.execute(sql`update jobs set run_at = ${app.clock.now() + 3_600_000} where kind = 'recall-notification'`),
  )
  await settle()
  app.advanceSeconds(STEP_SECONDS)
  await app.runDueJobs()
  expect(await app.app.ctx.db.read.all(sql`select id from jobs where kind = 'spread-notification'`)).toEqual([])
})

test('the key revoked between two steps: what was accepted goes out whole', async () => {
  const { org, late, phone, key } = await sendHalfway(ALERT)
  expect((await app.del(`${org.path}/keys/${key.id}`, org.owner.token)).status).toBe(204)
  await finish()
  expect(await inboxOf(app, late)).toHaveLength(1)
  expect(await alerts(phone)).toBe(1)
})

test('the organization deleted between two steps: neither an entry nor a push', async () => {
  const { org, late, phone } = await sendHalfway(ALERT)
  expect((await app.del(org.path, org.owner.token)).status).toBe(204)
  await finish()
  expect(await alerts(phone)).toBe(0)
  expect(await inboxOf(app, late)).toEqual([])
})

test('the account of a member deleted between two steps: the fan-out goes on to everyone after', async () => {
  const { org, late, phone, key, id } = await sendHalfway(ALERT)
  const stranger = await app.addUser()
  const code = await invite(app, org)
  await app.post('/orgs/join', { code }, stranger.token)
  await removeUser(app.app.ctx, late.name)
  await finish()
  expect(await alerts(phone)).toBe(0)
  expect(await inboxOf(app, org.owner)).toHaveLength(1)
  expect(await inboxOf(app, stranger)).toEqual([])
  const { recipients } = (await app.get(`/notifications/${id}`, key.key)).body
  expect(recipients).toMatchObject({ members: 153, stored: 152, done: true })
})
