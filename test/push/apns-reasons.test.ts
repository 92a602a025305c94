// R23 and R27: the effect of each APNs answer on the push, on the device's token, and on the operator's log.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PushResult } from '../../src/domain/push.ts'
import { POLICIES } from '../../src/push/channels/apns/reasons.ts'
import type { ApnsPushType } from '../../src/push/channels/apns/request.ts'
import { openApnsRig } from '../support/devices/apns-rig.ts'
import { type FakeApns, startFakeApns } from '../support/fakes/fake-apns.ts'
import { isNightly } from '../support/nightly.ts'

let fake: FakeApns
beforeAll(async () => {
  fake = await startFakeApns()
})
afterAll(() => fake.close())

const GONE_AT = Date.parse('2026-11-14T07:30:00Z')

type Row = { outcome: PushResult['result']; afterSeconds?: number; requests: number; alarms: number; goneAt?: number }
const gone: Row = { outcome: 'device_gone', requests: 1, alarms: 0 }
const goneSince: Row = { ...gone, goneAt: GONE_AT }
const alarming: Row = { outcome: 'rejected', requests: 1, alarms: 1 }
const alarmingAfterRetry: Row = { outcome: 'rejected', requests: 2, alarms: 1 }
const later = (afterSeconds: number, requests = 1): Row => ({ outcome: 'try_later', afterSeconds, requests, alarms: 0 })

// The fake repeats each answer, so a second request is the one retry, and a third would be a loop.
const TABLE: Record<string, Row> = {
  '400 BadDeviceToken': gone,
  '400 DeviceTokenNotForTopic': alarming,
  '400 BadTopic': alarming,
  '400 MissingTopic': alarming,
  '400 TopicDisallowed': alarming,
  '400 BadCollapseId': alarming,
  '400 BadExpirationDate': alarming,
  '400 BadMessageId': alarming,
  '400 BadPriority': alarming,
  '400 DuplicateHeaders': alarming,
  '400 InvalidPushType': alarming,
  '400 MissingDeviceToken': alarming,
  '400 PayloadEmpty': alarming,
  '400 IdleTimeout': later(60, 2),
  '403 ExpiredProviderToken': alarmingAfterRetry,
  '403 InvalidProviderToken': alarming,
  '403 MissingProviderToken': alarming,
  '403 BadCertificate': alarming,
  '403 BadCertificateEnvironment': alarming,
  '403 BadEnvironmentKeyIdInToken': alarming,
  '403 Forbidden': alarming,
  '403 UnrelatedKeyIdInToken': alarmingAfterRetry,
  '404 BadPath': alarming,
  '405 MethodNotAllowed': alarming,
  '410 Unregistered': goneSince,
  '410 ExpiredToken': goneSince,
  '413 PayloadTooLarge': alarming,
  '429 TooManyRequests': later(60),
  '429 TooManyProviderTokenUpdates': later(1200),
  '500 InternalServerError': later(900),
  '503 ServiceUnavailable': later(900),
  '503 Shutdown': later(900),
}

const TYPES: ApnsPushType[] = ['alert', 'background', 'liveactivity', 'widgets']

test('R23 the table lists every reason that the channel knows', () => {
  expect(Object.keys(TABLE).sort()).toEqual(Object.keys(POLICIES).sort())
})

// The outcome does not depend on the type: each reason is tried with one of them, at night with all.
const typesOf = (at: number) => (isNightly ? TYPES : [TYPES[at % TYPES.length] as ApnsPushType])

describe.each(Object.entries(TABLE).map(([pair, row], at) => [pair, row, at] as const))('R23 %s', (pair, row, at) => {
  test.each(typesOf(at))(`ends as ${row.outcome} for %s`, async (type) => {
    const [status, reason = ''] = pair.split(' ')
    const rig = openApnsRig(fake)
    const token = `${reason}${type}`
    fake.script(token, ...Array(5).fill({ status: Number(status), reason, timestamp: GONE_AT }))

    const outcome = await rig.push({ type, token })

    expect(outcome).toEqual({
      result: row.outcome,
      reason,
      ...(row.afterSeconds !== undefined && { afterSeconds: row.afterSeconds }),
      ...(row.goneAt !== undefined && { goneAt: row.goneAt }),
    })
    const requests = fake.requests.filter((request) => request.token === token)
    expect(requests).toHaveLength(row.requests)
    expect(new Set(requests.map((request) => request.headers['apns-id'])).size).toBe(1)
    expect(rig.alarms()).toHaveLength(row.alarms)
  })
})

describe('R23 retries and changes of connection', () => {
  test('200 is accepted', async () => {
    const rig = openApnsRig(fake)
    expect(await rig.push()).toEqual({ result: 'accepted' })
  })

  test.each([
    [400, 'IdleTimeout'],
    [403, 'UnrelatedKeyIdInToken'],
  ])('%d %s is retried once over another connection', async (status, reason) => {
    const rig = openApnsRig(fake)
    fake.script('cured', { status, reason })

    expect(await rig.push({ token: 'cured' })).toEqual({ result: 'accepted' })

    const [first, second] = fake.requests.filter((request) => request.token === 'cured').slice(-2)
    expect(second?.headers['apns-id']).toBe(first?.headers['apns-id'])
    expect(second?.connection).not.toBe(first?.connection)
  })

  test('503 Shutdown moves later pushes to another connection', async () => {
    const rig = openApnsRig(fake)
    fake.script('down', { status: 503, reason: 'Shutdown' })
    await rig.push({ token: 'down' })
    await rig.push({ token: 'next' })
    const [first, second] = fake.requests.slice(-2)
    expect(second?.connection).not.toBe(first?.connection)
  })
})

describe('answers that are not in the table', () => {
  test.each<[number, PushResult]>([
    [418, { result: 'rejected', reason: 'Novelty' }],
    [403, { result: 'rejected', reason: 'Novelty' }],
    [410, { result: 'device_gone', reason: 'Novelty' }],
    [429, { result: 'try_later', reason: 'Novelty', afterSeconds: 60 }],
    [502, { result: 'try_later', reason: 'Novelty', afterSeconds: 900 }],
  ])('%d is treated by its status', async (status, expected) => {
    const rig = openApnsRig(fake)
    fake.script('novel', { status, reason: 'Novelty' })
    expect(await rig.push({ token: 'novel' })).toEqual(expected)
  })

  test('the reason of a body that is not JSON is the status', async () => {
    const rig = openApnsRig(fake)
    fake.script('proxy', { status: 502, body: '<html>Bad gateway</html>' })
    expect(await rig.push({ token: 'proxy' })).toEqual({
      result: 'try_later',
      reason: 'status_502',
      afterSeconds: 900,
    })
  })

  test('Retry-After is respected', async () => {
    const rig = openApnsRig(fake)
    fake.script('busy', { status: 429, reason: 'TooManyRequests', retryAfter: '7' })
    expect(await rig.push({ token: 'busy' })).toMatchObject({ result: 'try_later', afterSeconds: 7 })
  })
})

describe('R27 tokens are deleted only when they are invalid', () => {
  test('a 410 has the time since when; BadDeviceToken has none', async () => {
    const rig = openApnsRig(fake)
    fake.script('unregistered', { status: 410, reason: 'Unregistered', timestamp: GONE_AT })
    fake.script('bad', { status: 400, reason: 'BadDeviceToken', timestamp: GONE_AT })
    expect(await rig.push({ token: 'unregistered' })).toMatchObject({ result: 'device_gone', goneAt: GONE_AT })
    expect(await rig.push({ token: 'bad' })).toEqual({ result: 'device_gone', reason: 'BadDeviceToken' })
  })

  test('many DeviceTokenNotForTopic delete no token and raise one alarm per 15 minutes', async () => {
    const rig = openApnsRig(fake)
    const storm = async () => {
      const tokens = Array.from({ length: 50 }, (_, n) => `storm${n}`)
      for (const token of tokens) fake.script(token, { status: 400, reason: 'DeviceTokenNotForTopic' })
      return Promise.all(tokens.map((token) => rig.push({ token })))
    }

    const outcomes = await storm()

    expect(new Set(outcomes.map((outcome) => outcome.result))).toEqual(new Set(['rejected']))
    expect(rig.alarms()).toMatchObject([{ reason: 'DeviceTokenNotForTopic', times: 1 }])
    rig.clock.advanceSeconds(15 * 60)
    await storm()
    expect(rig.alarms()).toMatchObject([{ times: 1 }, { times: 50 }])
  })

  test.each([32, 64, 160, 400])('a token of %d characters is accepted', async (length) => {
    const rig = openApnsRig(fake)
    const token = 'b'.repeat(length)
    expect(await rig.push({ token })).toEqual({ result: 'accepted' })
    expect(fake.requests.at(-1)?.token).toBe(token)
  })
})
