// How we show push services who we are (VAPID, RFC 8292): an ES256 token for each service, signed once and reused.
import { createECDH, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type Instant, plusSeconds } from '../../../domain/instant.ts'
import type { Clock } from '../../../runtime/clock.ts'

// Raw points and numbers in base64url: the public key is what a browser takes as applicationServerKey.
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

// Services refuse a token that lasts over 24 hours.
const TOKEN_SECONDS = 12 * 3600
const REUSE_SECONDS = TOKEN_SECONDS / 2
// Users choose the endpoints, hence the origins.
const MAX_CACHED_ORIGINS = 1000

// Throws when the keys do not belong together.
export function openVapid(options: { keys: VapidKeys; subject: string; clock: Clock }): Vapid {
  const signingKey = importVapidKeys(options.keys)
  const cache = new Map<string, { header: string; signedAt: Instant }>()

  return {
    authorizationFor(origin) {
      const now = options.clock.now()
      const cached = cache.get(origin)
      // A clock that was set back would otherwise leave a token that expires too far ahead.
      if (cached && cached.signedAt <= now && now < plusSeconds(cached.signedAt, REUSE_SECONDS)) return cached.header

      const expiresAt = plusSeconds(now, TOKEN_SECONDS)
      const claims = { aud: origin, exp: Math.floor(expiresAt / 1000), sub: options.subject }
      const header = `vapid t=${signToken(claims, signingKey)}, k=${options.keys.publicKey}`
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

function signToken(claims: object, key: KeyObject): string {
  const signed = `${encodeJson({ typ: 'JWT', alg: 'ES256' })}.${encodeJson(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

const encodeJson = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
