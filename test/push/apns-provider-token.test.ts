// R25: all nodes use a provider token with the same iat, never too old, never in the future, never renewed in a loop.
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { instant } from '../../src/domain/instant.ts'
import { createProviderToken } from '../../src/push/channels/apns/provider-token.ts'
import { openApnsRig, startApnsRig } from '../support/devices/apns-rig.ts'
import { createTestClock } from '../support/fakes/test-clock.ts'

async function startRig() {
  const rig = await startApnsRig()
  const tokensSeen = () => [...new Set(rig.fake.requests.map((request) => request.headers.authorization))]
  return { ...rig, tokensSeen }
}

const EXPIRED = { status: 403, reason: 'ExpiredProviderToken' }
const INVALID = { status: 403, reason: 'InvalidProviderToken' }

describe('R25 the provider token', () => {
  test('is signed once per half hour and node, with the same iat on all of them', async () => {
    const { fake, clock, ...one } = await startRig()
    const two = openApnsRig(fake, { clock })
    const startAt = clock.now() / 1000
    for (const node of [one, two]) await Promise.all(Array.from({ length: 100 }, () => node.push()))
    expect(fake.issueTimes).toHaveLength(2)

    for (let minutes = 0; minutes < 180; minutes += 5) {
      clock.advanceSeconds(300)
      const outcomes = await Promise.all([one.push(), two.push()])
      expect(outcomes).toEqual([{ result: 'accepted' }, { result: 'accepted' }])
    }

    // The fake refuses tokens that are too old or from the future, so the accepted ones were neither.
    const seen = new Map<number, number>()
    for (const iat of fake.issueTimes) seen.set(iat, (seen.get(iat) ?? 0) + 1)
    expect([...seen.keys()]).toEqual([-1, 0, 1, 2, 3, 4, 5].map((n) => startAt + n * 1800))
    expect([...seen.values()]).toEqual(Array(7).fill(2))
  })

  test('is signed again, never with a future iat, when the clock is set back', () => {
    const { token, clock } = createToken()
    const before = token.current()
    clock.set(instant(clock.now() - 2 * 3_600_000))
    const after = token.current()
    expect(after).not.toBe(before)
    expect(issueTime(after) * 1000).toBeLessThanOrEqual(clock.now())
    expect(token.current()).toBe(after)
  })

  test('is kept for 20 to 60 minutes after a renewal', () => {
    for (let minute = 0; minute < 30; minute++) {
      const { token, clock } = createToken()
      clock.advanceSeconds(minute * 60)
      expect(token.renew(token.current())).toBe(true)
      const renewed = token.current()
      let keptMinutes = 0
      while (token.current() === renewed) {
        clock.advanceSeconds(60)
        keptMinutes += 1
      }
      expect(keptMinutes).toBeGreaterThanOrEqual(20)
      expect(keptMinutes).toBeLessThan(60)
    }
  })

  test('requires a P-256 key', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp384r1' })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(() => createProviderToken({ key, keyId: 'K', teamId: 'T' }, createTestClock())).toThrow(/P-256/)
  })
})

describe('R25 ExpiredProviderToken', () => {
  test('renews the token once and retries once, also for a hundred concurrent pushes', async () => {
    const { fake, push, tokensSeen } = await startRig()
    await push()
    const tokens = Array.from({ length: 100 }, (_, n) => `late${n}`)
    for (const token of tokens) fake.script(token, EXPIRED)

    const outcomes = await Promise.all(tokens.map((token) => push({ token })))

    expect(outcomes).toEqual(Array(100).fill({ result: 'accepted' }))
    expect(tokensSeen()).toHaveLength(2)
    expect(fake.requests).toHaveLength(201)
  })

  test('a second time after the renewal opens the breaker: no third token, no loop', async () => {
    const { fake, push, tokensSeen, alarms, clock } = await startRig()
    fake.script('a', EXPIRED, EXPIRED)
    fake.script('c', EXPIRED)
    expect(await push({ token: 'a' })).toEqual({ result: 'rejected', reason: 'ExpiredProviderToken' })
    expect(await push({ token: 'b' })).toEqual({ result: 'rejected', reason: 'ExpiredProviderToken' })
    clock.advanceSeconds(300)
    expect(await push({ token: 'c' })).toEqual({ result: 'rejected', reason: 'ExpiredProviderToken' })
    expect(fake.requests.map((request) => request.token)).toEqual(['a', 'a', 'c'])
    expect(tokensSeen()).toHaveLength(2)
    expect(alarms()).toHaveLength(1)
  })
})

describe('R25 InvalidProviderToken', () => {
  test('opens the breaker of its environment: one request, one alarm, all other pushes rejected immediately', async () => {
    const { fake, push, alarms } = await startRig()
    fake.provider.teamId = 'SOMEONEELSE'
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => push()))
    expect(outcomes).toEqual(Array(50).fill({ result: 'rejected', reason: 'InvalidProviderToken' }))
    expect(await push()).toEqual({ result: 'rejected', reason: 'InvalidProviderToken' })
    expect(fake.requests).toHaveLength(1)
    expect(alarms()).toMatchObject([{ reason: 'InvalidProviderToken', environment: 'production' }])

    fake.provider.teamId = 'TEAM567890'
    expect(await push({ environment: 'sandbox', token: 'other' })).toMatchObject({ result: 'rejected' })
    expect(fake.requests.at(-1)?.token).toBe('other')
  })

  test('is probed with one push every five minutes until APNs accepts the token again', async () => {
    const { fake, push, clock, alarms, lines } = await startRig()
    await push({ token: 'fine' })
    fake.script('a', INVALID, INVALID)
    await push({ token: 'a' })

    clock.advanceSeconds(299)
    expect(await push({ token: 'early' })).toMatchObject({ result: 'rejected' })
    clock.advanceSeconds(1)
    const probes = await Promise.all(['a', 'b', 'c'].map((token) => push({ token })))
    expect(probes.map((outcome) => outcome.result)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(fake.requests.map((request) => request.token)).toEqual(['fine', 'a', 'a'])

    clock.advanceSeconds(300)
    expect(await push({ token: 'a' })).toEqual({ result: 'accepted' })
    expect(await push({ token: 'b' })).toEqual({ result: 'accepted' })
    expect(alarms()).toHaveLength(1)
    expect(lines.filter((line) => line.msg === 'APNs takes our pushes again')).toHaveLength(1)
  })
})

describe('R25 TooManyProviderTokenUpdates', () => {
  test('keeps the old token for 20 minutes', async () => {
    const { fake, push, clock, tokensSeen } = await startRig()
    await push()
    const [old] = tokensSeen()
    clock.advanceSeconds(5 * 60)
    fake.script('a', { status: 429, reason: 'TooManyProviderTokenUpdates' })

    expect(await push({ token: 'a' })).toMatchObject({ result: 'try_later', afterSeconds: 1200 })
    expect(fake.requests.at(-1)?.headers.authorization).not.toBe(old)

    for (const seconds of [0, 300, 600]) {
      clock.advanceSeconds(seconds)
      expect(await push()).toEqual({ result: 'accepted' })
      expect(fake.requests.at(-1)?.headers.authorization).toBe(old)
    }
    clock.advanceSeconds(600)
    expect(await push()).toEqual({ result: 'accepted' })
    expect(fake.requests.at(-1)?.headers.authorization).not.toBe(old)
  })
})

function createToken() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const clock = createTestClock()
  return { clock, token: createProviderToken({ key, keyId: 'KEY4567890', teamId: 'TEAM567890' }, clock) }
}

function issueTime(authorization: string): number {
  const claims = authorization.replace('bearer ', '').split('.')[1] ?? ''
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).iat
}
