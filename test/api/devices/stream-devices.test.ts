// Devices without a push address count toward `delivery` while their event stream is open, on any node.

import { beforeEach, describe, expect, test } from 'vitest'
import { deviceId } from '../../../src/domain/devices.ts'
import { CONTRACT_PLANS } from '../../../src/domain/plans.ts'
import type { TokenHash } from '../../../src/domain/token.ts'
import { issueToken } from '../../../src/operations/accounts/accounts.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestApp, TestUser } from '../../support/app.ts'
import { phone, terminal } from '../../support/devices/devices.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { useTestNodes } from '../../support/nodes.ts'

const nodes = useTestNodes()
// The stream is open on one node, and the send goes to another one if the database allows two.
let here: TestApp
let there: TestApp
let user: TestUser
beforeEach(async () => {
  here = nodes.first
  there = nodes.all.at(-1) as TestApp
  user = await here.addUser()
})

const message = { title: 'T', body: 'B' }
const register = (id: string, body: object = terminal) => here.put(`/devices/${id}`, body, user.token)
const connect = (id: string) => openEvents(here.url, user.token, undefined, id)
const send = async (body: object = message) => (await there.post('/notifications', body, user.token)).body

async function timeline(id: number): Promise<string[]> {
  const { items } = (await here.get(`/notifications/${id}/timeline`, user.token)).body
  return items
    .filter(({ device }: { device?: string }) => device !== undefined)
    .map(({ event, device }: { event: string; device: string }) => `${event} ${device}`)
}

async function isConnected(id: string): Promise<boolean> {
  const query = sql`select id from event_streams where user_id = ${user.userId} and device_id = ${id}`
  return (await here.app.ctx.db.read.all(query)).length > 0
}

describe('POST /notifications to a stream device', () => {
  test('201 delivery all once the event was written to its connection', async () => {
    await register('t')
    const events = await connect('t')
    const sent = await send()
    expect(sent).toMatchObject({ delivery: 'all' })
    expect(sent).not.toHaveProperty('reason')
    await eventually(() => expect(events.types()).toContain('notification.created'))
    events.close()
    expect(await timeline(sent.id)).toEqual(['push_sent Terminal', 'push_accepted Terminal'])
    const [device] = (await here.get('/devices', user.token)).body.items
    expect(device).toMatchObject({ channel: 'stream', last_push_at: expect.any(String) })
  })

  test('201 no_apns_token while its only device is not connected, and the timeline says so', async () => {
    await register('t')
    const sent = await send()
    expect(sent).toMatchObject({ delivery: 'none', reason: 'no_apns_token' })
    expect(await timeline(sent.id)).toEqual(['not_connected Terminal'])
  })

  test('201 a stream without a device id, or of another device, does not count for this one', async () => {
    await register('t')
    await register('u', { ...terminal, name: 'Other' })
    const [nameless, other] = [await openEvents(here.url, user.token), await connect('u')]
    const sent = await send()
    for (const events of [nameless, other]) events.close()
    expect(sent).toMatchObject({ delivery: 'all' })
    expect((await timeline(sent.id)).sort()).toEqual([
      'not_connected Terminal',
      'push_accepted Other',
      'push_sent Other',
    ])
  })

  test('201 partial when a phone of the account refuses', async () => {
    await register('t')
    await register('p', phone())
    const events = await connect('t')
    const sent = await send()
    events.close()
    expect(sent).toMatchObject({ delivery: 'partial', reason: 'apns_rejected' })
  })

  test('201 no_apns_token after it has disconnected', async () => {
    await register('t')
    const events = await connect('t')
    expect(await send()).toMatchObject({ delivery: 'all' })
    events.close()
    await eventually(async () => expect(await isConnected('t')).toBe(false))
    expect(await send()).toMatchObject({ delivery: 'none', reason: 'no_apns_token' })
  })

  test('201 not connected when its node died and the lease has expired', async () => {
    await register('t')
    const events = await connect('t')
    await here.app.ctx.db.transact((tx) =>
      tx.execute(sql`update event_streams set node = 'dead' where user_id = ${user.userId}`),
    )
    nodes.first.clock.advanceSeconds(60)
    const sent = await send()
    events.close()
    expect(sent).toMatchObject({ delivery: 'none', reason: 'no_apns_token' })
  })

  test('201 a token that was issued to the device identifies it without a device id', async () => {
    await register('t')
    const token = await here.app.ctx.db.transact((tx) =>
      issueToken(tx, user.userId, 'hla', here.clock.now(), deviceId('t')),
    )
    const events = await openEvents(here.url, token)
    expect(await send()).toMatchObject({ delivery: 'all' })
    events.close()
  })

  test('201 not accepted by a device that is connected and does not read', async () => {
    await register('t')
    const plan = CONTRACT_PLANS.named('paid')
    const account = { userId: user.userId, accountKind: 'person', plan, holdsPushes: false } as const
    const caller = { ...account, kind: 'user', tokenHash: '' as TokenHash } as const
    const unread = await here.app.ctx.openStreams.open(caller, deviceId('t'), 0)
    const sending = send()
    await eventually(async () => {
      const { items } = (await here.get('/notifications', user.token)).body
      expect(items).toHaveLength(1)
    })
    let isAnswered = false
    void sending.then(() => (isAnswered = true))
    await eventually(() => {
      here.clock.advanceSeconds(1)
      expect(isAnswered).toBe(true)
    })
    const { id, ...delivery } = await sending
    expect(delivery).toMatchObject({ delivery: 'none', reason: 'apns_rejected' })
    await eventually(async () => {
      here.clock.advanceSeconds(1)
      expect(await timeline(id)).toEqual(['push_sent Terminal', 'push_rejected Terminal'])
    })
    await unread.close()
  })

  test('201 with push false it is not delivered to it', async () => {
    await register('t')
    const events = await connect('t')
    const sent = await send({ ...message, push: false })
    events.close()
    expect(sent).toMatchObject({ delivery: 'none', reason: 'push_disabled' })
    expect(await timeline(sent.id)).toEqual([])
  })
})

describe('a stream device', () => {
  test('confirms every repeat of an alert, and not_connected is recorded only once', async () => {
    await register('t')
    await register('u', { ...terminal, name: 'Away' })
    const events = await connect('t')
    const { id } = await send({ ...message, acknowledge: { repeat_seconds: 30, expire_seconds: 300 } })
    here.clock.advanceSeconds(30)
    await here.runDueJobs()
    events.close()
    const entries = await timeline(id)
    expect(entries.filter((entry) => entry === 'push_accepted Terminal')).toHaveLength(2)
    expect(entries.filter((entry) => entry === 'not_connected Away')).toHaveLength(1)
  })

  test('adds no job to a send if the account has none', async () => {
    await register('p', phone())
    await send()
    const kinds = await here.app.ctx.db.read.all(
      sql`select kind from jobs where kind = 'confirm-stream' and payload like ${`%${user.userId}%`}`,
    )
    expect(kinds).toEqual([])
  })
})
