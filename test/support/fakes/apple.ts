// Apple's side of Sign in with Apple: a server with a key set that counts its fetches, and functions that sign identity
// tokens, valid or forged.
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../../src/runtime/clock.ts'

export const BUNDLE_ID = 'org.example.heliograph'

export type AppleKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject }
export type FakeApple = {
  keysUrl: string
  // The keys of the key set; tests may change them.
  keys: AppleKey[]
  // How often the key set was fetched.
  fetches(): number
  // While true, every request is answered with 503.
  isAway: boolean
  close(): Promise<void>
}

export function newAppleKey(kid: string): AppleKey {
  return { kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) }
}

export async function startFakeApple(): Promise<FakeApple> {
  let fetches = 0
  const server = createServer((_request, response) => {
    fetches++
    response.statusCode = apple.isAway ? 503 : 200
    const keys = apple.keys.map(({ kid, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      alg: 'RS256',
      use: 'sig',
    }))
    response.end(JSON.stringify({ keys }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const apple: FakeApple = {
    keysUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth/keys`,
    keys: [newAppleKey('first')],
    fetches: () => fetches,
    isAway: false,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return apple
}

export type Claims = Record<string, unknown>

export function claimsAt(clock: Clock, members: Claims = {}): Claims {
  const now = Math.floor(clock.now() / 1000)
  return {
    iss: 'https://appleid.apple.com',
    aud: BUNDLE_ID,
    sub: '001234.abcdef.0815',
    iat: now,
    exp: now + 600,
    ...members,
  }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

export function signToken(key: AppleKey, claims: Claims, header: object = {}): string {
  const text = `${encode({ alg: 'RS256', kid: key.kid, ...header })}.${encode(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), key.privateKey).toString('base64url')}`
}

export const unsignedToken = (claims: Claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`

// The algorithm confusion attack: an HMAC with the public key as the shared secret.
export function tokenSignedWithPublicKey(key: AppleKey, claims: Claims): string {
  const text = `${encode({ alg: 'HS256', kid: key.kid })}.${encode(claims)}`
  const secret = key.publicKey.export({ type: 'spki', format: 'pem' })
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
