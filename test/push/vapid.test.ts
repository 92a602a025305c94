// VAPID (RFC 8292): the token says who sends to whom and until when, and is signed no more often than needed.
import { createPublicKey, verify } from 'node:crypto'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { fromRfc3339, instant } from '../../src/domain/instant.ts'
import { generateVapidKeys, openVapid } from '../../src/push/channels/web-push/vapid.ts'
import { createTestClock } from '../support/fakes/test-clock.ts'
import { DIST, runNode } from '../support/heliograph-process.ts'

const subject = 'mailto:operator@example.com'

// The package brings no types; this is the part we use.
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

// In a process of its own with next to no memory for what is new, so that it collects garbage all the time.
test('keys are made whole, however often, and whatever else happens meanwhile', async () => {
  const script = `
    const { generateVapidKeys } = await import('${DIST}push/channels/web-push/vapid.js')
    const lengths = new Set()
    for (let i = 0; i < 20_000; i++) {
      const { publicKey, privateKey } = generateVapidKeys()
      lengths.add(publicKey.length + ' ' + privateKey.length)
    }
    console.log(...lengths)`
  const ended = await runNode(['--max-semi-space-size=1', '--input-type=module', '--eval', script])
  expect(ended).toMatchObject({ code: 0, stdout: '87 43\n' })
})

test('the token names the service, us, and an end within 24 hours, and carries our signature', () => {
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

test('a token is reused for half its life, for its own service only', () => {
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

test('after the clock was set back, no token ends more than 24 hours ahead', () => {
  const clock = createTestClock()
  const vapid = openVapid({ keys: generateVapidKeys(), subject, clock })
  vapid.authorizationFor('https://a.example')
  const past = instant(clock.now() - 48 * 3600 * 1000)
  clock.set(past)
  expect(readHeader(vapid.authorizationFor('https://a.example')).claims.exp).toBe(past / 1000 + 12 * 3600)
})

test('many services do not push one another out of their own token', () => {
  const vapid = openVapid({ keys: generateVapidKeys(), subject, clock: createTestClock() })
  for (let n = 0; n < 1100; n++) {
    const origin = `https://push-${n}.example`
    expect(readHeader(vapid.authorizationFor(origin)).claims.aud).toBe(origin)
  }
})

test('generated keys are raw, of full length, and taken by the web-push package; its keys are taken by us', () => {
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

test('keys that do not belong together stop the start', () => {
  const keys = { publicKey: generateVapidKeys().publicKey, privateKey: generateVapidKeys().privateKey }
  expect(() => openVapid({ keys, subject, clock: createTestClock() })).toThrow('do not belong together')
})
