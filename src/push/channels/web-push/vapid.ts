// Authenticates us to Web Push services (VAPID, RFC 8292): one ES256 token per service, cached and reused.
import { createECDH, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type Instant, plusSeconds } from '../../../domain/instant.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { signEs256 } from '../es256-token.ts'

// Raw point and scalar in base64url; browsers take the public key as applicationServerKey.
export type VapidKeys = { publicKey: string; privateKey: string }

export type Vapid = { authorizationFor(origin: string): string }

export function generateVapidKeys(): VapidKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' })
  const point = Buffer.concat([UNCOMPRESSED, Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { publicKey: point.toString('base64url'), privateKey: d }
}

// The first byte of an uncompressed point (SEC 1, 2.3.3).
const UNCOMPRESSED = Buffer.of(4)

// Throws unless the text holds a key pair that can sign.
export function parseVapidKeys(text: string): VapidKeys {
  const { publicKey, privateKey } = JSON.parse(text)
  importVapidKeys({ publicKey, privateKey })
  return { publicKey, privateKey }
}

// Services refuse a token that is valid for more than 24 hours.
const TOKEN_SECONDS = 12 * 3600
const REUSE_SECONDS = TOKEN_SECONDS / 2
// Users choose the endpoints, so the number of origins needs a bound.
const MAX_CACHED_ORIGINS = 1000

// Throws when the keys do not belong together.
export function openVapid(options: { keys: VapidKeys; subject: string; clock: Clock }): Vapid {
  const signingKey = importVapidKeys(options.keys)
  const cache = new Map<string, { header: string; signedAt: Instant }>()

  return {
    authorizationFor(origin) {
      const now = options.clock.now()
      const cached = cache.get(origin)
      // After the clock was set back, a cached token would expire too far in the future.
      if (cached && cached.signedAt <= now && now < plusSeconds(cached.signedAt, REUSE_SECONDS)) return cached.header

      const expiresAt = plusSeconds(now, TOKEN_SECONDS)
      const claims = { aud: origin, exp: Math.floor(expiresAt / 1000), sub: options.subject }
      const header = `vapid t=${signEs256(claims, { typ: 'JWT', alg: 'ES256' }, signingKey)}, k=${options.keys.publicKey}`
      if (cache.size >= MAX_CACHED_ORIGINS) cache.clear()
      cache.set(origin, { header, signedAt: now })
      return header
    },
  }
}

function importVapidKeys(keys: VapidKeys): KeyObject {
  const point = publicKeyOf(keys.privateKey)
  if (point.toString('base64url') !== keys.publicKey) throw new Error('The two VAPID keys do not belong together.')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d: keys.privateKey, x, y }, format: 'jwk' })
}

function publicKeyOf(privateKey: string): Buffer {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey, 'base64url')
  return ecdh.getPublicKey()
}
