// VAPID (RFC 8292): the token identifies sender, service and expiry, and is signed no more often than needed.
import { createPublicKey, verify } from 'node:crypto'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { fromRfc3339, instant } from '../../src/domain/instant.ts'
import { generateVapidKeys, openVapid } from '../../src/push/channels/web-push/vapid.ts'
import { createTestClock } from '../support/fakes/test-clock.ts'

const subject = 'mailto:operator@example.com'

// The package has no types; this is the part in use.
const webPush: {
  generateVAPIDKeys(): { publicKey: string; privateKey: string }
  setVapidDetails(subject: string, publicKey: string, privateKey: string): void
} = createRequire(import.meta.url)('web-push')

function readHeader(header: string) {
  const [, signed = '', signature = '', publicKey = ''] =
    /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? []
  const [jose, claims] = signed.split('.').map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const valid = verify(
    'sha256',
    Buffer.from(signed),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return { jose, claims, publicKey, valid }
}

test('the token names the service, the sender and an expiry within 24 hours, and is signed', () => {
  const keys = generateVapidKeys()
  const clock = createTestClock('2026-11-15T08:00:00Z')
  const header = openVapid({ keys, subject, clock }).authorizationFor('https://push.example.net')
  expect(readHeader(header)).toEqual({
    jose: { typ: 'JWT', alg: 'ES256' },
    claims: { aud: 'https://push.example.net', exp: fromRfc3339('2026-11-15T20:00:00Z') / 1000, sub: subject },
    publicKey: keys.publicKey,
    valid: true,
  })
})

test('a token is reused for half its lifetime, for its own service only', () => {
  const clock = createTestClock()
  const vapid = openVapid({ keys: generateVapidKeys(), subject, clock })
  const first = vapid.authorizationFor('https://a.example')
  expect(readHeader(vapid.authorizationFor('https://b.example')).claims.aud).toBe('https://b.example')
  clock.advanceSeconds(6 * 3600 - 1)
  expect(vapid.authorizationFor('https://a.example')).toBe(first)
  clock.advanceSeconds(1)
  const second = vapid.authorizationFor('https://a.example')
  expect(readHeader(second).claims.exp - readHeader(first).claims.exp).toBe(6 * 3600)
})

test('after the clock was set back, no token expires more than 24 hours ahead', () => {
  const clock = createTestClock()
  const vapid = openVapid({ keys: generateVapidKeys(), subject, clock })
  vapid.authorizationFor('https://a.example')
  const past = instant(clock.now() - 48 * 3600 * 1000)
  clock.set(past)
  expect(readHeader(vapid.authorizationFor('https://a.example')).claims.exp).toBe(past / 1000 + 12 * 3600)
})

test('each of many services gets a token for itself', () => {
  const vapid = openVapid({ keys: generateVapidKeys(), subject, clock: createTestClock() })
  for (let n = 0; n < 1100; n++) {
    const origin = `https://push-${n}.example`
    expect(readHeader(vapid.authorizationFor(origin)).claims.aud).toBe(origin)
  }
})

test('generated keys are raw, of full length and accepted by the web-push package, and its keys are accepted here', () => {
  for (let n = 0; n < 300; n++) {
    const keys = generateVapidKeys()
    expect(Buffer.from(keys.publicKey, 'base64url')).toHaveLength(65)
    expect(Buffer.from(keys.privateKey, 'base64url')).toHaveLength(32)
  }
  const ours = generateVapidKeys()
  expect(() => webPush.setVapidDetails(subject, ours.publicKey, ours.privateKey)).not.toThrow()
  const theirs = openVapid({ keys: webPush.generateVAPIDKeys(), subject, clock: createTestClock() })
  expect(readHeader(theirs.authorizationFor('https://a.example')).valid).toBe(true)
})

test('a private key that does not match the public key fails at construction', () => {
  const keys = { publicKey: generateVapidKeys().publicKey, privateKey: generateVapidKeys().privateKey }
  expect(() => openVapid({ keys, subject, clock: createTestClock() })).toThrow('do not belong together')
})
