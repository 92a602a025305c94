// An alert of an organization that nobody hears: it climbs its steps until someone acknowledges it, told in moved time.
import { expect, onTestFinished, test } from 'vitest'
import type { TestApp, TestUser } from '../support/app.ts'
import { isPostgres } from '../support/database/database.ts'
import { type ApplePhone, addPhone } from '../support/devices/phone.ts'
import { type CallbackSink, startCallbackSink } from '../support/fakes/callback-sink.ts'
import { startPushServices } from '../support/fakes/push-services.ts'
import { addGroup, createOrganization } from '../support/organizations/organization.ts'
import { addOrgKey, addTag, entryOf, reached, setTags } from '../support/organizations/sends.ts'

const MINUTE = 60

async function startNodes() {
  const sink: CallbackSink = await startCallbackSink(() => services.clock.now())
  const services = await startPushServices(sink.ca)
  const first = await services.startNode()
  const second = isPostgres() ? await services.startNode({}, first.database) : first
  onTestFinished(async () => {
    await services.close()
    await sink.close()
    if (second !== first) await second.stop()
    await first.stop()
  })
  const pass = async (seconds: number) => {
    services.clock.advanceSeconds(seconds)
    for (const node of new Set<TestApp>([second, first])) await node.runDueJobs()
  }
  return { services, sink, app: first, other: second, pass }
}

const levels = async (phone: ApplePhone) => (await phone.pushes()).map(({ aps }) => aps?.['interruption-level'])

test('nobody on call hears it: it climbs three steps and ends when the fourth person acknowledges', async () => {
  const { services, sink, app, other, pass } = await startNodes()
  const receiver = sink.receiver()
  const org = await createOrganization(app, 4)
  const [onCall, second, lead, boss] = org.members as [TestUser, TestUser, TestUser, TestUser]
  const phones: ApplePhone[] = []
  for (const user of org.members) phones.push(await addPhone(services, { app, user }))
  const [ofOnCall, ofSecond, ofLead, ofBoss] = phones as [ApplePhone, ApplePhone, ApplePhone, ApplePhone]
  // A second phone of the lead, which does not carry the tag.
  const atHome = await addPhone(services, { app, user: lead, name: 'At home' })
  await addGroup(app, org, 'on-call', [onCall])
  await addGroup(app, org, 'second-line', [second])
  await addTag(app, org, 'pager')
  await setTags(app, lead, ofLead.id, ['pager'])
  const policy = {
    slug: 'outage',
    name: 'Outage',
    steps: [
      { after_seconds: 5 * MINUTE, level: 'critical', target: { groups: ['second-line'] } },
      { after_seconds: 10 * MINUTE, target: { tags: ['pager'] }, callback_url: receiver.url },
      { after_seconds: 20 * MINUTE, target: { members: [boss.userId] }, repeat_seconds: MINUTE },
    ],
  }
  expect((await app.post(`${org.path}/escalations`, policy, org.owner.token)).status).toBe(201)
  const { key } = await addOrgKey(app, org)
  const alert = {
    title: 'Database down',
    body: 'db01 does not answer',
    target: { groups: ['on-call'] },
    acknowledge: { repeat_seconds: 4 * MINUTE, expire_seconds: 3600, escalation: 'outage' },
  }
  const sent = await other.post('/notifications', alert, key)
  expect(sent.body).toMatchObject({
    recipients: { members: 1, devices: 1 },
    receipt: { escalation: 'outage', escalated_steps: 0 },
  })
  const { id } = sent.body
  const whoHasIt = () => reached(app, org.members, id)
  expect(await whoHasIt()).toEqual([true, false, false, false])

  await pass(4 * MINUTE)
  expect(await levels(ofOnCall)).toEqual(['active', 'active'])
  await pass(1 * MINUTE)
  expect(await whoHasIt()).toEqual([true, true, false, false])
  expect(await levels(ofOnCall)).toEqual(['active', 'active', 'critical'])
  expect(await levels(ofSecond)).toEqual(['critical'])

  await pass(5 * MINUTE)
  expect(await whoHasIt()).toEqual([true, true, true, false])
  expect([await levels(ofLead), await levels(atHome)]).toEqual([['critical'], []])
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'notification.escalated', data: { notification_id: id, escalated_steps: 2 } },
  ])

  // A repeat of the alert reaches everyone who has it by now, and still only the tagged phone of the lead.
  await pass(4 * MINUTE)
  expect([await levels(ofLead), await levels(atHome)]).toEqual([['critical', 'critical'], []])

  await pass(6 * MINUTE)
  expect(await whoHasIt()).toEqual([true, true, true, true])
  expect(await levels(ofBoss)).toEqual(['critical'])
  await pass(1 * MINUTE)
  expect(await levels(ofBoss)).toEqual(['critical', 'critical'])
  const shown = (await app.get(`/notifications/${id}`, key)).body
  expect(shown.recipients).toEqual({ members: 4, devices: 4, stored: 4, done: true })

  expect((await ofBoss.answer('Database down', 'pw_ack')).status).toBe(200)
  const receipt = (await other.get(`/notifications/receipts/${id}`, key)).body
  expect(receipt).toMatchObject({ status: 'acknowledged', acknowledged_by: boss.userId, escalated_steps: 3 })
  expect(receipt.next_escalation_at).toBeUndefined()
  const pushesBefore = await Promise.all(phones.map(async (phone) => (await levels(phone)).length))
  await pass(0)
  for (const phone of phones) expect((await phone.screen()).banners).toEqual([])
  await pass(30 * MINUTE)
  const after = await Promise.all(
    phones.map(async (phone) => (await phone.pushes()).filter(({ aps }) => aps?.alert).length),
  )
  expect(after).toEqual(pushesBefore)
  const onceMore = await app.post(
    `/notifications/${await entryOf(app, second, id)}/answer`,
    { action_id: 'pw_ack' },
    second.token,
  )
  expect(onceMore.status).toBe(409)

  const { items } = (await app.get(`/notifications/${id}/timeline`, key)).body
  const story = items
    .filter(({ event }: { event: string }) => ['escalated', 'members_added', 'acknowledged'].includes(event))
    .map(({ event, detail }: { event: string; detail: string }) => `${event} ${detail}`)
  expect(story).toEqual([
    ...['escalated 1/3', 'members_added 1', 'escalated 2/3', 'members_added 1', 'escalated 3/3', 'members_added 1'],
    'acknowledged pw_ack',
  ])
})

test('a standstill of an hour: every missed step is taken once and in order; the change of the policy meanwhile does not count', async () => {
  const { services, app, pass } = await startNodes()
  const org = await createOrganization(app, 2)
  const [onCall, second] = org.members as [TestUser, TestUser]
  const phone = await addPhone(services, { app, user: second })
  const steps = [
    { after_seconds: 5 * MINUTE, level: 'time-sensitive' },
    { after_seconds: 15 * MINUTE, target: { members: [second.userId] } },
    { after_seconds: 30 * MINUTE, level: 'critical' },
    { after_seconds: 120 * MINUTE, level: 'critical' },
  ]
  const policy = { slug: 'outage', name: 'Outage', steps }
  await app.post(`${org.path}/escalations`, policy, org.owner.token)
  const { key } = await addOrgKey(app, org)
  const alert = {
    title: 'Database down',
    body: 'db01',
    target: { members: [onCall.userId] },
    acknowledge: { repeat_seconds: 3600, expire_seconds: 10_800, escalation: 'outage' },
  }
  const { id } = (await app.post('/notifications', alert, key)).body
  await app.post(`${org.path}/escalations`, { ...policy, steps: steps.slice(0, 1) }, org.owner.token)
  // No job runs in this hour.
  await pass(60 * MINUTE)
  const receipt = (await app.get(`/notifications/receipts/${id}`, key)).body
  expect(receipt).toMatchObject({ status: 'active', escalated_steps: 3 })
  expect(await reached(app, org.members, id)).toEqual([true, true])
  expect((await levels(phone)).at(-1)).toBe('critical')
  const { items } = (await app.get(`/notifications/${id}/timeline`, key)).body
  const story = items.filter(({ event }: { event: string }) => event === 'escalated')
  expect(story.map(({ detail }: { detail: string }) => detail)).toEqual(['1/4', '2/4', '3/4'])
  await pass(60 * MINUTE)
  expect((await app.get(`/notifications/receipts/${id}`, key)).body.escalated_steps).toBe(4)
})
