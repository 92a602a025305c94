// What became of a notification, as the inbox shows it: its answer, its receipt, and whether it still waits for someone.
import { beforeEach, describe, expect, test } from 'vitest'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createOrganization, type TestOrganization } from '../../support/organizations/organization.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const YES_NO = [
  { id: 'yes', title: 'Yes' },
  { id: 'no', title: 'No', text_input: true },
]
const housekeep = async () => {
  await scheduleHousekeeping(app.app.ctx)
  await app.runDueJobs()
}
const isoNow = () => new Date(app.clock.now()).toISOString()

async function send(members: Record<string, unknown> = {}, token = user.token): Promise<number> {
  const { status, body } = await app.post('/notifications', { title: 'T', body: 'B', ...members }, token)
  expect(status).toBe(201)
  return body.id
}
const ask = (token = user.token) => send({ actions: YES_NO }, token)
const alert = (token = user.token) => send({ level: 'critical', acknowledge: { expire_seconds: 60 } }, token)
const answer = (id: number, members: Record<string, unknown>, token = user.token) =>
  app.post(`/notifications/${id}/answer`, members, token)

const read = async (id: number, token = user.token) => (await app.get(`/notifications/${id}`, token)).body
async function listed(id: number, token = user.token) {
  const { body } = await app.get('/notifications', token)
  return body.items.find((item: { id: number }) => item.id === id)
}
async function waiting(token = user.token, query = ''): Promise<number[]> {
  const { status, body } = await app.get(`/notifications?waiting=true${query}`, token)
  expect(status).toBe(200)
  return body.items.map(({ id }: { id: number }) => id)
}

describe('answer of a listed notification', () => {
  test('is left out where nothing can be answered', async () => {
    const id = await send({ actions: [{ id: 'open', title: 'Open', url: 'https://example.org' }] })
    expect(await read(id)).not.toHaveProperty('answer')
    expect(await listed(id)).not.toHaveProperty('answer')
  })

  test('is pending, then answered with the action, the text and the name of the device', async () => {
    await app.put('/devices/phone', { name: 'Ada’s phone', platform: 'web' }, user.token)
    const id = await ask()
    expect((await listed(id)).answer).toEqual({ status: 'pending' })
    await answer(id, { action_id: 'no', text: 'later', device_id: 'phone' })
    const expected = {
      status: 'answered',
      action_id: 'no',
      text: 'later',
      answered_at: isoNow(),
      answered_by_device: 'Ada’s phone',
    }
    expect((await listed(id)).answer).toEqual(expected)
    expect((await read(id)).answer).toEqual(expected)
  })

  test('is expired once the answer is not kept any more', async () => {
    const id = await ask()
    app.advanceSeconds(31 * 86_400)
    await housekeep()
    expect((await read(id)).answer).toEqual({ status: 'expired' })
    expect(await waiting()).toEqual([])
  })

  test('is shown to the key that sent it and to no other key', async () => {
    const [sender, reader] = [
      await app.addKey(user, { permissions: { notifications: 'send' } }),
      await app.addKey(user, { permissions: { notifications: 'send' } }),
    ]
    const id = await ask(sender)
    expect((await listed(id, sender)).answer).toEqual({ status: 'pending' })
    expect(await listed(id, reader)).not.toHaveProperty('answer')
    expect(await read(id, reader)).not.toHaveProperty('answer')
    expect([await waiting(sender), await waiting(reader)]).toEqual([[id], []])
  })

  test('is in the event of a new notification', async () => {
    const events = await openEvents(app.url, user.token)
    await ask()
    await eventually(() => expect(events.types()).toEqual(['notification.created']))
    events.close()
    expect(events.events[0]?.data.data).toMatchObject({ answer: { status: 'pending' } })
  })
})

describe('receipt of a listed notification', () => {
  test('is active, then acknowledged with time, person and device', async () => {
    await app.put('/devices/phone', { name: 'Phone', platform: 'web' }, user.token)
    const id = await alert()
    const expires_at = new Date(app.clock.now() + 60_000).toISOString()
    expect((await listed(id)).receipt).toEqual({ status: 'active', expires_at, repeats_sent: 0 })
    await answer(id, { action_id: 'pw_ack', device_id: 'phone' })
    expect((await read(id)).receipt).toEqual({
      status: 'acknowledged',
      expires_at,
      repeats_sent: 0,
      acknowledged_at: isoNow(),
      acknowledged_by: user.userId,
      acknowledged_by_device: 'Phone',
    })
  })

  test('the question of an alert that ended without an answer is expired, also after the receipt is deleted', async () => {
    const id = await alert()
    app.advanceSeconds(61)
    await app.runDueJobs()
    const { answer: closed, receipt } = await listed(id)
    expect([closed, receipt.status]).toEqual([{ status: 'expired' }, 'expired'])
    app.advanceSeconds(8 * 86_400)
    await housekeep()
    expect((await listed(id)).answer).toEqual({ status: 'expired' })
    expect(await waiting()).toEqual([])
  })
})

describe('GET /notifications?waiting=true', () => {
  test('200 lists open questions and active alerts, newest first, and nothing else', async () => {
    const [question, ringing, plain, answered, canceled] = [
      await ask(),
      await alert(),
      await send(),
      await ask(),
      await alert(),
    ]
    await answer(answered, { action_id: 'yes' })
    await app.post(`/notifications/receipts/${canceled}/cancel`, undefined, user.token)
    await app.post('/notifications/read', { all: true }, user.token)
    expect(plain).toBeGreaterThan(0)
    expect(await waiting()).toEqual([ringing, question])
  })

  test('200 pages, and combines with the other filters', async () => {
    const ids = [await ask(), await ask(), await ask()]
    const [first, second, third] = ids
    const { body } = await app.get('/notifications?waiting=true&limit=2', user.token)
    expect([body.items.map(({ id }: { id: number }) => id), body.has_more]).toEqual([[third, second], true])
    expect(await waiting(user.token, `&limit=2&cursor=${body.next_cursor}`)).toEqual([first])
    const critical = await alert()
    expect(await waiting(user.token, '&level=critical')).toEqual([critical])
    const { body: page } = await app.get('/notifications?waiting=true&limit=1', user.token)
    expect(await waiting(user.token, `&cursor=${page.next_cursor}`)).toEqual([third, second, first])
  })

  test('200 a deleted question does not wait', async () => {
    const id = await ask()
    await app.del(`/notifications/${id}`, user.token)
    expect(await waiting()).toEqual([])
  })
})

describe('an organization', () => {
  let org: TestOrganization
  beforeEach(async () => {
    org = await createOrganization(app, 2)
  })
  const sendAsOrg = async (members: object) =>
    (await app.post(`/orgs/${org.id}/notifications`, { title: 'T', body: 'B', ...members }, org.owner.token)).body.id
  const entryOf = async (member: TestUser) => (await app.get('/notifications', member.token)).body.items[0]

  test('every member sees who answered; the question waits for all of them until then', async () => {
    const [ada, ben] = org.members as [TestUser, TestUser]
    const head = await sendAsOrg({ actions: YES_NO })
    const [ofAda, ofBen] = [await entryOf(ada), await entryOf(ben)]
    expect([ofAda.answer, ofBen.answer]).toEqual([{ status: 'pending' }, { status: 'pending' }])
    expect([await waiting(ada.token), await waiting(ben.token)]).toEqual([[ofAda.id], [ofBen.id]])
    await app.put('/devices/phone', { name: 'Ada’s phone', platform: 'web' }, ada.token)
    await answer(ofAda.id, { action_id: 'yes', device_id: 'phone' }, ada.token)
    const given = {
      status: 'answered',
      action_id: 'yes',
      answered_at: isoNow(),
      answered_by: ada.userId,
      answered_by_device: 'Ada’s phone',
    }
    expect((await entryOf(ben)).answer).toEqual(given)
    const asOrg = await app.get(`/orgs/${org.id}/notifications/${head}`, org.owner.token)
    expect(asOrg.body.answer).toEqual(given)
    const { items } = (await app.get(`/notifications/${ofAda.id}/timeline`, ada.token)).body
    expect(items).toContainEqual({ at: isoNow(), event: 'answered', device: 'Ada’s phone', detail: 'yes' })
    expect([await waiting(ada.token), await waiting(ben.token)]).toEqual([[], []])
  })

  test('a member who has left can answer nothing', async () => {
    const [, ben] = org.members as [TestUser, TestUser]
    await sendAsOrg({ actions: YES_NO })
    await app.del(`/orgs/${org.id}/members/${ben.userId}`, org.owner.token)
    expect((await entryOf(ben)).answer).toEqual({ status: 'expired' })
    expect(await waiting(ben.token)).toEqual([])
  })

  test('its alert is in the lists of receipts of the organization and of its members', async () => {
    const [ada] = org.members as [TestUser]
    const head = await sendAsOrg({ level: 'critical', acknowledge: {} })
    const entry = await entryOf(ada)
    expect(await waiting(ada.token)).toEqual([entry.id])
    const ofAda = await app.get('/notifications/receipts?status=active', ada.token)
    expect(ofAda.body.items).toMatchObject([{ notification_id: entry.id, notification: { id: entry.id } }])
    const ofOrg = await app.get(`/orgs/${org.id}/notifications/receipts?status=active`, org.owner.token)
    expect(ofOrg.body.items).toMatchObject([{ notification_id: head, notification: { id: head } }])
  })

  test('its questions and alerts are in pages of the members, each once', async () => {
    const [ada] = org.members as [TestUser]
    const entries: number[] = []
    for (const members of [{ actions: YES_NO }, { acknowledge: {} }, { actions: YES_NO }, { acknowledge: {} }]) {
      await sendAsOrg(members)
      entries.unshift((await entryOf(ada)).id)
    }
    for (const [path, idOf, all] of [
      ['/notifications?waiting=true', (item: { id: number }) => item.id, entries],
      [
        '/notifications/receipts?status=active',
        (item: { notification_id: number }) => item.notification_id,
        entries.filter((_, index) => index % 2 === 0),
      ],
    ] as const) {
      const { body: first } = await app.get(`${path}&limit=1`, ada.token)
      const { body: rest } = await app.get(`${path}&cursor=${first.next_cursor}`, ada.token)
      expect([...first.items, ...rest.items].map(idOf)).toEqual(all)
    }
  })

  test('lists of receipts have those of a status, and not those of entries that a member has deleted', async () => {
    const [ada] = org.members as [TestUser]
    const canceled = await sendAsOrg({ acknowledge: {} })
    const ended = (await entryOf(ada)).id
    await app.post(`/orgs/${org.id}/notifications/receipts/${canceled}/cancel`, undefined, org.owner.token)
    await sendAsOrg({ acknowledge: {} })
    const active = (await entryOf(ada)).id
    const listedAs = async (status: string) =>
      (await app.get(`/notifications/receipts?status=${status}`, ada.token)).body.items.map(
        (item: { notification_id: number }) => item.notification_id,
      )
    expect([await listedAs('active'), await listedAs('ended')]).toEqual([[active], [ended]])
    await app.del(`/notifications/${active}`, ada.token)
    expect([await listedAs('active'), await listedAs('ended')]).toEqual([[], [ended]])
  })
})

describe('GET /notifications/receipts', () => {
  const receipts = async (query = '', token = user.token) => {
    const { status, body } = await app.get(`/notifications/receipts${query}`, token)
    expect(status).toBe(200)
    return body
  }
  const idsOf = ({ items }: { items: { notification_id: number }[] }) => items.map((item) => item.notification_id)

  test('200 lists an alert that still repeats, however many messages came after it', async () => {
    const id = await alert()
    for (let count = 0; count < 105; count++) await send({ push: false })
    const { items } = await receipts('?status=active')
    expect(items).toMatchObject([{ notification_id: id, status: 'active', notification: { id, level: 'critical' } }])
  })

  test('200 by status, newest first, in pages', async () => {
    const ids = [await alert(), await alert(), await alert()] as const
    await app.post(`/notifications/receipts/${ids[1]}/cancel`, undefined, user.token)
    expect(idsOf(await receipts('?status=active'))).toEqual([ids[2], ids[0]])
    expect(idsOf(await receipts('?status=ended'))).toEqual([ids[1]])
    const page = await receipts('?limit=2')
    expect(idsOf(page)).toEqual([ids[2], ids[1]])
    expect(idsOf(await receipts(`?limit=2&cursor=${page.next_cursor}`))).toEqual([ids[0]])
  })

  test('200 a receipt stays listed after its notification was deleted', async () => {
    const id = await alert()
    await app.del(`/notifications/${id}`, user.token)
    const [item] = (await receipts('?status=ended')).items
    expect(item).toMatchObject({ notification_id: id, cancel_reason: 'deleted' })
    expect(item).not.toHaveProperty('notification')
  })

  test('200 a key lists its own; another account none', async () => {
    const key = await app.addKey(user, { permissions: { notifications: 'send' } })
    const other = await app.addUser()
    const [own] = [await alert(key), await alert()]
    expect(idsOf(await receipts('', key))).toEqual([own])
    expect(idsOf(await receipts('', other.token))).toEqual([])
  })

  test('400 cursor.invalid, 422 for a status that does not exist', async () => {
    expectProblem(await app.get('/notifications/receipts?cursor=x', user.token), 400, 'cursor.invalid')
    expectProblem(await app.get('/notifications/receipts?status=x', user.token), 422, 'request.validation_failed')
  })
})
