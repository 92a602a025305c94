// Push tokens: which addresses an account has, and when one is deleted.
import { expect, test } from 'vitest'
import type { UserId } from '../../src/domain/caller.ts'
import {
  type ApnsToken,
  type Device,
  deviceId,
  type PushToken,
  type WebPushSubscription,
} from '../../src/domain/devices.ts'
import { instant } from '../../src/domain/instant.ts'
import { insertUser } from '../../src/store/accounts/accounts.ts'
import {
  deleteDevice,
  findDevice,
  insertDevice,
  recordPush,
  updateDeviceNames,
} from '../../src/store/devices/devices.ts'
import {
  deletePushTokenIfRegisteredBefore,
  findPushToken,
  listAddresses,
  listPushTokens,
  replacePushToken,
} from '../../src/store/devices/push-tokens.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

const ada = 'ada' as UserId
const bob = 'bob' as UserId
const phone = deviceId('phone')
const laptop = deviceId('laptop')
const T0 = instant(1_000_000)
const ofPhone = { deviceName: "Ada's phone" }
const later = (ms: number) => instant(T0 + ms)

// Ada has a phone and a laptop. Bob has a phone with the same device id.
async function openAccounts(): Promise<Database> {
  const { db } = await openTestDatabase()
  await db.transact(async (tx) => {
    for (const id of [ada, bob])
      await insertUser(tx, { id, name: id, nickname: null, plan: 'paid', isOperator: false, createdAt: T0 })
    const rest: Pick<Device, 'platform' | 'tags'> = { platform: 'ios', tags: [] }
    await insertDevice(tx, { userId: ada, id: phone, name: "Ada's phone", ...rest }, T0)
    await insertDevice(tx, { userId: ada, id: laptop, name: "Ada's laptop", ...rest }, later(1))
    await insertDevice(tx, { userId: bob, id: phone, name: "Bob's phone", ...rest }, T0)
  })
  return db
}

const apnsToken = (fields: Partial<ApnsToken> = {}): ApnsToken => ({
  userId: ada,
  deviceId: phone,
  kind: 'alert',
  token: 'a1',
  environment: 'production',
  activityId: null,
  registeredAt: T0,
  ...fields,
})
const subscription: WebPushSubscription = {
  userId: ada,
  deviceId: laptop,
  kind: 'web_push',
  endpoint: 'https://push.example.org/x',
  p256dh: 'BKey',
  auth: 'secret',
  registeredAt: T0,
}

async function store(db: Database, ...tokens: PushToken[]): Promise<void> {
  await db.transact(async (tx) => {
    for (const token of tokens) await replacePushToken(tx, token)
  })
}

const gone = (db: Database, token: PushToken, goneAt?: number) =>
  db.transact((tx) => deletePushTokenIfRegisteredBefore(tx, token, goneAt === undefined ? undefined : instant(goneAt)))

test('listPushTokens: the requested kinds of one account, with device names', async () => {
  const db = await openAccounts()
  const alert = apnsToken()
  const activity = apnsToken({ kind: 'activity', token: 'd4', activityId: 'build', environment: 'sandbox' })
  await store(db, subscription, activity, alert, apnsToken({ kind: 'widget', token: 'c3' }))
  await store(db, apnsToken({ userId: bob, token: 'b1' }))

  const addresses = [
    { ...subscription, deviceName: "Ada's laptop" },
    { ...alert, ...ofPhone },
  ]
  expect(await listPushTokens(db.read, ada, ['alert', 'web_push'])).toEqual(addresses)
  expect(await listAddresses(db.read, ada)).toEqual(addresses)
  expect(await db.transact((tx) => listAddresses(tx, ada))).toEqual(addresses)
  expect(await listPushTokens(db.read, ada, ['activity'])).toEqual([{ ...activity, ...ofPhone }])
  expect(await listPushTokens(db.read, ada, ['push_to_start'])).toEqual([])
  expect(await listPushTokens(db.read, ada, [])).toEqual([])
})

test('listAddresses: one per device; new, renamed, moved and deleted devices show immediately', async () => {
  const db = await openAccounts()
  const now = async () => (await listAddresses(db.read, ada)).map(({ kind, deviceName }) => [kind, deviceName])
  expect(await now()).toEqual([
    ['stream', "Ada's laptop"],
    ['stream', "Ada's phone"],
  ])
  await store(db, apnsToken(), subscription)
  expect(await now()).toEqual([
    ['web_push', "Ada's laptop"],
    ['alert', "Ada's phone"],
  ])
  await db.transact((tx) => updateDeviceNames(tx, { userId: ada, id: phone, name: 'Work', platform: 'ios', tags: [] }))
  expect(await now()).toEqual([
    ['web_push', "Ada's laptop"],
    ['alert', 'Work'],
  ])
  await store(db, apnsToken({ userId: bob }))
  expect(await now()).toEqual([
    ['web_push', "Ada's laptop"],
    ['stream', 'Work'],
  ])
  await db.transact((tx) => deleteDevice(tx, ada, laptop))
  expect(await now()).toEqual([['stream', 'Work']])
})

test('findPushToken: one address, per activity where the kind has one', async () => {
  const db = await openAccounts()
  const build = apnsToken({ kind: 'activity', token: 'd4', activityId: 'build' })
  await store(db, apnsToken(), build, apnsToken({ kind: 'activity', token: 'e5', activityId: 'deploy' }))

  expect(await findPushToken(db.read, ada, phone, 'alert')).toEqual({ ...apnsToken(), ...ofPhone })
  expect(await findPushToken(db.read, ada, phone, 'activity', 'build')).toEqual({ ...build, ...ofPhone })
  expect(await findPushToken(db.read, ada, phone, 'activity')).toBeUndefined()
  expect(await findPushToken(db.read, ada, laptop, 'alert')).toBeUndefined()
  expect(await findPushToken(db.read, bob, phone, 'alert')).toBeUndefined()
})

test('replacePushToken: one address of a kind per device, one device per address', async () => {
  const db = await openAccounts()
  await store(db, apnsToken({ token: 'old' }), apnsToken({ token: 'new', registeredAt: later(1) }))
  await store(db, apnsToken({ deviceId: laptop, token: 'bobs' }), apnsToken({ userId: bob, token: 'bobs' }))

  const tokens = async (userId: UserId) =>
    (await listPushTokens(db.read, userId, ['alert'])).map(({ deviceName, ...token }) => token)
  expect(await tokens(ada)).toEqual([apnsToken({ token: 'new', registeredAt: later(1) })])
  expect(await tokens(bob)).toEqual([apnsToken({ userId: bob, token: 'bobs' })])
})

test('replacePushToken: a token registered for another activity is removed from the former', async () => {
  const db = await openAccounts()
  const of = (activityId: string, token: string) => apnsToken({ kind: 'activity', activityId, token })
  await store(db, of('build', 'd4'), of('deploy', 'e5'), of('deploy', 'd4'))
  const activities = await listPushTokens(db.read, ada, ['activity'])
  expect(activities).toEqual([{ ...of('deploy', 'd4'), ...ofPhone }])
})

test.each<[string, PushToken]>([
  ['alert', apnsToken({ registeredAt: later(1000) })],
  ['activity', apnsToken({ kind: 'activity', activityId: 'build', registeredAt: later(1000) })],
  ['web_push', { ...subscription, registeredAt: later(1000) }],
])(
  'R27: a token (%s) registered after the reported time is kept; an older one is deleted, and no other',
  async (_kind, token) => {
    const db = await openAccounts()
    const otherToken = apnsToken({ kind: 'widget', token: 'a1' })
    await store(db, token, otherToken)
    const { userId, deviceId, kind } = token
    const slug = kind === 'activity' ? 'build' : undefined

    expect(await gone(db, token, later(999))).toBe(false)
    expect(await findPushToken(db.read, userId, deviceId, kind, slug)).toMatchObject(token)
    expect(await gone(db, token, later(1000))).toBe(true)
    expect(await findPushToken(db.read, userId, deviceId, kind, slug)).toBeUndefined()
    expect(await findPushToken(db.read, ada, phone, 'widget')).toMatchObject(otherToken)
    expect(await gone(db, token, later(1000))).toBe(false)
  },
)

test('R27: without a reported time, exactly the token that was tried is deleted; one registered since is kept', async () => {
  const db = await openAccounts()
  const tried = apnsToken()
  await store(db, tried)
  expect(await gone(db, tried)).toBe(true)

  await store(db, apnsToken({ registeredAt: later(1), environment: 'sandbox' }))
  expect(await gone(db, tried)).toBe(false)
  await store(db, apnsToken({ token: 'fresh' }))
  expect(await gone(db, tried)).toBe(false)
  expect(await findPushToken(db.read, ada, phone, 'alert')).toMatchObject({ token: 'fresh' })
})

test('R27: a rejected token is not deleted from the account it has moved to', async () => {
  const db = await openAccounts()
  const tried = apnsToken()
  await store(db, tried, apnsToken({ userId: bob }))
  expect(await gone(db, tried, later(1000))).toBe(false)
  expect(await findPushToken(db.read, bob, phone, 'alert')).toMatchObject({ token: 'a1' })
})

test('recordPush: the newest outcome is shown, in whatever order they are recorded', async () => {
  const db = await openAccounts()
  const record = (at: number, error: string | null) =>
    db.transact((tx) => recordPush(tx, ada, phone, { at: instant(at), error }))
  const shown = async (userId: UserId) => {
    const device = await findDevice(db.read, userId, phone)
    return [device?.lastPushAt, device?.lastPushError]
  }

  expect(await shown(ada)).toEqual([null, null])
  await record(later(20), 'Unregistered')
  await record(later(10), null)
  expect(await shown(ada)).toEqual([later(20), 'Unregistered'])
  await record(later(30), null)
  expect(await shown(ada)).toEqual([later(30), null])
  expect(await shown(bob)).toEqual([null, null])
})
