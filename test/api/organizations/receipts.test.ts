// Alerts of an organization: one receipt for all, repeats to those who still have it, cancelling, superseding and callbacks.
import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp, TestUser } from '../../support/app.ts'
import { type ApplePhone, addPhone } from '../../support/devices/phone.ts'
import { type EventReader, openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type CallbackSink, type ReceivedCallback, startCallbackSink } from '../../support/fakes/callback-sink.ts'
import { type PushServices, startPushServices } from '../../support/fakes/push-services.ts'
import { addGroup, createOrganization } from '../../support/organizations/organization.ts'
import { addOrgKey, addTag, entryOf, inboxOf, type OrgKey, setTags } from '../../support/organizations/sends.ts'

let services: PushServices
let sink: CallbackSink
let app: TestApp
beforeAll(async () => {
  sink = await startCallbackSink(Date.now)
  services = await startPushServices(sink.ca)
  app = await services.startNode()
})
afterAll(async () => {
  await services.close()
  await sink.close()
  await app.stop()
})

const ALERT = { title: 'Fire', body: 'in the server room', acknowledge: { repeat_seconds: 30, expire_seconds: 120 } }

// The group ops: two members with a phone each.
async function createRota() {
  const org = await createOrganization(app, 3)
  const [first, second, third] = org.members as [TestUser, TestUser, TestUser]
  const ops = await addGroup(app, org, 'ops', [first, second])
  const phones = [
    await addPhone(services, { app, user: first, name: 'First' }),
    await addPhone(services, { app, user: second, name: 'Second' }),
  ] as [ApplePhone, ApplePhone]
  return { org, ops, first, second, third, phones, key: await addOrgKey(app, org) }
}

async function send({ key }: OrgKey, members: object = {}): Promise<number> {
  const body = { ...ALERT, target: { groups: ['ops'] }, ...members }
  const answer = await app.post('/notifications', body, key)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.id
}

const receiptOf = async (id: number, { key }: OrgKey) => (await app.get(`/notifications/receipts/${id}`, key)).body
const acknowledge = async (user: TestUser, headId: number, members: object = {}) =>
  app.post(`/notifications/${await entryOf(app, user, headId)}/answer`, { action_id: 'pw_ack', ...members }, user.token)
const alerts = async (phone: ApplePhone) => (await phone.pushes()).filter((push) => push.aps?.alert).length
const alertCounts = (phones: ApplePhone[]) => Promise.all(phones.map(alerts))

// The data of the first event of this type.
const nextOf = (stream: EventReader, type: string) =>
  eventually(() => {
    const found = stream.events.find(({ event }) => event === type)
    if (!found) throw new Error(`no ${type} yet`)
    return found.data.data
  })

async function pass(seconds: number) {
  app.advanceSeconds(seconds)
  while ((await app.runDueJobs()) > 0);
}

// An independent implementation of the signature.
function signatureOf(ofKey: string, { headers, body }: ReceivedCallback): string {
  const keyHash = createHash('sha256').update(ofKey).digest()
  const secret = createHmac('sha256', keyHash).update('pushward/callback/v1').digest()
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`
}

describe('acknowledging', () => {
  test('one member ends the alert for everyone: the second sees who did it, and one callback reports it', async () => {
    const { org, first, second, phones, key } = await createRota()
    const receiver = sink.receiver()
    const headId = await send(key, { callback_url: receiver.url, tags: ['db'] })
    expect(await receiptOf(headId, key)).toMatchObject({ notification_id: headId, status: 'active', tags: ['db'] })
    const streams = await Promise.all([first, second].map(({ token }) => openEvents(app.url, token)))
    const entries = [await entryOf(app, first, headId), await entryOf(app, second, headId)]

    const answered = await acknowledge(second, headId, { device_id: phones[1].id })
    expect([answered.status, answered.body]).toMatchObject([200, { notification_id: entries[1], action_id: 'pw_ack' }])
    expect(answered.body.answered_by).toBe(second.userId)
    const receipt = await receiptOf(headId, key)
    expect(receipt).toMatchObject({
      status: 'acknowledged',
      acknowledged_by: second.userId,
      acknowledged_by_device: 'Second',
    })
    const late = await acknowledge(first, headId)
    expectProblem(late, 409, 'notification_answer.already_answered')
    expect(late.body.answer).toMatchObject({ answered_by: second.userId, action_id: 'pw_ack' })

    await pass(1)
    for (const [index, stream] of streams.entries()) {
      expect(await nextOf(stream, 'receipt.acknowledged')).toMatchObject({ id: entries[index] })
      stream.close()
    }
    await pass(120)
    expect((await receiptOf(headId, key)).repeats_sent).toBe(receipt.repeats_sent)
    expect(await alertCounts(phones)).toEqual([1, 1])
    expect((await phones[0].screen()).banners).toEqual([])

    await eventually(() => expect(receiver.received).toHaveLength(1))
    const [callback] = receiver.received as [ReceivedCallback]
    expect(callback.headers['webhook-id']).toBe(`pwr_${headId}`)
    expect(callback.headers['webhook-signature']).toBe(signatureOf(key.key, callback))
    expect(JSON.parse(callback.body)).toMatchObject({
      type: 'notification.acknowledged',
      data: { notification_id: headId, acknowledged_by: second.userId },
    })
    expect((await app.get(org.path, org.owner.token)).body.notifications_used).toBe(1)
  })

  test('members read the receipt by their entry, and wait for it on their own account', async () => {
    const { first, second, third, key } = await createRota()
    const headId = await send(key)
    const entryId = await entryOf(app, first, headId)
    const path = `/notifications/receipts/${entryId}`
    expect((await app.get(path, first.token)).body).toMatchObject({ notification_id: entryId, status: 'active' })
    expectProblem(await app.get(path, second.token), 404, 'notification_receipt.not_found')
    const byHead = await app.get(`/notifications/receipts/${headId}`, third.token)
    expectProblem(byHead, 404, 'notification_receipt.not_found')
    const waiting = app.get(`${path}?wait=25`, first.token)
    expect((await acknowledge(second, headId)).status).toBe(200)
    expect((await waiting).body).toMatchObject({
      notification_id: entryId,
      status: 'acknowledged',
      acknowledged_by: second.userId,
    })
  })

  test('expires for everyone, also when nobody was reached', async () => {
    const { first, third, key } = await createRota()
    const receiver = sink.receiver()
    const stream = await openEvents(app.url, first.token)
    const headId = await send(key)
    const target = { groups: ['ops'], members: [third.userId] }
    const nobody = await send(key, { target, callback_url: receiver.url })
    for (let second = 0; second < 120; second += 30) await pass(30)
    expect((await receiptOf(headId, key)).status).toBe('expired')
    expect((await receiptOf(nobody, key)).status).toBe('expired')
    const entryId = await entryOf(app, first, headId)
    expect(await nextOf(stream, 'receipt.expired')).toMatchObject({ id: entryId })
    expect(stream.types()).not.toContain('receipt.repeated')
    stream.close()
    await eventually(() => expect(receiver.received).toHaveLength(1))
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'notification.expired',
      data: { notification_id: nobody },
    })
  })
})

describe('repeats', () => {
  test('go on for those who remain when a member is removed, who loses everything but the entry', async () => {
    const { org, first, second, phones, key } = await createRota()
    const headId = await send(key)
    await pass(30)
    expect(await alertCounts(phones)).toEqual([2, 2])
    const entryId = await entryOf(app, first, headId)
    expect((await app.del(`${org.path}/members/${first.userId}`, org.owner.token)).status).toBe(204)
    await pass(30)
    expect(await alertCounts(phones)).toEqual([2, 3])

    expect((await app.get(`/notifications/${entryId}`, first.token)).body).toMatchObject({ title: 'Fire' })
    expectProblem(await acknowledge(first, headId), 404, 'notification_answer.not_found')
    expectProblem(await phones[0].answer('Fire', 'pw_ack'), 404, 'notification_answer.not_found')
    const receipt = await app.get(`/notifications/receipts/${entryId}`, first.token)
    expectProblem(receipt, 404, 'notification_receipt.not_found')
    const answer = await app.get(`/notifications/answers/${entryId}`, first.token)
    expectProblem(answer, 404, 'notification_answer.not_found')
    expect((await app.get('/orgs', first.token)).body.items).toEqual([])
    expect((await receiptOf(headId, key)).status).toBe('active')

    expect((await phones[1].answer('Fire', 'pw_ack')).status).toBe(200)
    expect(await receiptOf(headId, key)).toMatchObject({ status: 'acknowledged', acknowledged_by: second.userId })
    await pass(60)
    expect(await alertCounts(phones)).toEqual([2, 3])
  })

  test('leave out members who deleted the entry or are muted, for as long as they are', async () => {
    const { org, first, second, phones, key } = await createRota()
    const headId = await send(key)
    expect((await app.del(`/notifications/${await entryOf(app, first, headId)}`, first.token)).status).toBe(204)
    const mute = { muted_until: new Date(app.clock.now() + 40_000).toISOString() }
    expect((await app.patch(`${org.path}/members/me`, mute, second.token)).status).toBe(200)
    await pass(30)
    expect(await alertCounts(phones)).toEqual([1, 1])
    expect(await receiptOf(headId, key)).toMatchObject({ status: 'active', repeats_sent: 1 })
    await pass(30)
    expect(await alertCounts(phones)).toEqual([1, 2])
  })

  test('go to the devices that the target allows at that moment', async () => {
    const { org, first, phones, key } = await createRota()
    await addTag(app, org, 'wall')
    const other = await addPhone(services, { app, user: first, name: 'Other' })
    await setTags(app, first, phones[0].id, ['wall'])
    const headId = await send(key, { target: { tags: ['wall'] } })
    expect(await alertCounts([phones[0], other])).toEqual([1, 0])
    await setTags(app, first, phones[0].id, [])
    await setTags(app, first, other.id, ['wall'])
    await pass(30)
    expect(await alertCounts([phones[0], other])).toEqual([1, 1])
    expect((await receiptOf(headId, key)).repeats_sent).toBe(1)
  })

  test('reach those who left the group after the send, and not those who came later', async () => {
    const { org, ops, third, phones, key } = await createRota()
    const late = await addPhone(services, { app, user: third })
    await send(key)
    await app.put(`${org.path}/groups/${ops}/members`, { user_ids: [third.userId] }, org.owner.token)
    await pass(30)
    expect(await alertCounts([phones[0], late])).toEqual([2, 0])
    expect(await inboxOf(app, third)).toEqual([])
  })

  test('end with the key, without a callback', async () => {
    const { org, phones, key } = await createRota()
    const receiver = sink.receiver()
    const headId = await send(key, { callback_url: receiver.url })
    expect((await app.del(`${org.path}/keys/${key.id}`, org.owner.token)).status).toBe(204)
    await pass(30)
    expect(await alertCounts(phones)).toEqual([1, 1])
    const receipt = await app.get(`${org.path}/notifications/receipts/${headId}`, org.admin.token)
    expect(receipt.body).toMatchObject({ status: 'canceled', cancel_reason: 'key_revoked' })
    expect(receiver.received).toEqual([])
  })
})

describe('cancelling', () => {
  test('403 org.role_denied for a member, 200 for an owner or admin who was reached', async () => {
    const { org, first, phones, key } = await createRota()
    const headId = await send(key, { target: null })
    const cancel = async (user: TestUser) =>
      app.post(`/notifications/receipts/${await entryOf(app, user, headId)}/cancel`, undefined, user.token)
    const denied = await cancel(first)
    expectProblem(denied, 403, 'org.role_denied')
    expect(denied.body.required_role).toBe('admin')
    expect((await receiptOf(headId, key)).status).toBe('active')
    const canceled = await cancel(org.admin)
    expect(canceled.status).toBe(200)
    expect(canceled.body).toMatchObject({
      notification_id: await entryOf(app, org.admin, headId),
      status: 'canceled',
      cancel_reason: 'api',
    })
    await pass(60)
    expect(await alertCounts(phones)).toEqual([1, 1])
  })

  test('by tag: a person covers their own account, a key what it sent, the prefix all of the organization', async () => {
    const { org, key } = await createRota()
    const other = await addOrgKey(app, org)
    await send(key, { tags: ['db'] })
    const ofOther = await send(other, { tags: ['db'] })
    const cancel = async (path: string, token: string) =>
      (await app.post(`${path}/notifications/receipts/cancel`, { tag: 'db' }, token)).body.canceled
    expect(await cancel('', org.owner.token)).toBe(0)
    expect(await cancel('', key.key)).toBe(1)
    expect((await receiptOf(ofOther, other)).status).toBe('active')
    expect(await cancel(org.path, org.owner.token)).toBe(1)
    expect(await receiptOf(ofOther, other)).toMatchObject({ status: 'canceled', cancel_reason: 'tag' })
  })

  test('receipt.canceled is in the members’ feeds with their own entry', async () => {
    const { org, first, key } = await createRota()
    const stream = await openEvents(app.url, first.token)
    const headId = await send(key)
    const path = `${org.path}/notifications/receipts/${headId}/cancel`
    expect((await app.post(path, undefined, org.admin.token)).status).toBe(200)
    await pass(1)
    expect(await nextOf(stream, 'receipt.canceled')).toMatchObject({ id: await entryOf(app, first, headId) })
    stream.close()
  })
})

describe('superseding', () => {
  test('same key and collapse_id: the older is superseded, whatever the targets of the two', async () => {
    const { org, second, key } = await createRota()
    const older = await send(key, { collapse_id: 'fire' })
    const newer = await send(key, { collapse_id: 'fire', target: { members: [second.userId] } })
    expect(await receiptOf(older, key)).toMatchObject({ status: 'canceled', cancel_reason: 'superseded' })
    const other = await addOrgKey(app, org)
    await send(other, { collapse_id: 'fire' })
    expect((await receiptOf(newer, key)).status).toBe('active')
  })
})
