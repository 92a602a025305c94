// The ES256 token that proves to APNs who we are. Its `iat` is a half hour of the clock, so all nodes show the same one.
// APNs refuses tokens older than an hour and complains when they change more often than every 20 minutes.
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Clock } from '../../../runtime/clock.ts'

export type ProviderToken = {
  // The value of the authorization header.
  current(): string
  // After ExpiredProviderToken: is there another token worth one more try?
  renew(refused: string): boolean
  // After TooManyProviderTokenUpdates: goes back to the token before this one, while that is young enough.
  keepFormer(refused: string): void
}

export type ProviderKey = { key: string; keyId: string; teamId: string }

type Signed = { authorization: string; issuedAt: number }

// All of these, and `issuedAt`, in seconds, as the token itself counts.
const PERIOD = 30 * 60
// A node whose clock runs ahead must not sign in APNs' future: a half hour is used once it is this old.
const SETTLING = 5 * 60
const SHORTEST_USE = 20 * 60
const OLDEST = 55 * 60

export function createProviderToken(provider: ProviderKey, clock: Clock): ProviderToken {
  const privateKey = readKey(provider.key)
  let held: Signed | undefined
  let former: Signed | undefined
  let keptUntil = 0
  let renewedAt = Number.NEGATIVE_INFINITY

  function replace(issuedAt: number): Signed {
    former = held
    held = { authorization: `bearer ${signToken(provider, privateKey, issuedAt)}`, issuedAt }
    return held
  }

  function isUsable(token: Signed, now: number): boolean {
    const age = now - token.issuedAt
    return age >= 0 && age < OLDEST && (issueTime(now) - token.issuedAt < SHORTEST_USE || now < keptUntil)
  }

  return {
    current() {
      const now = Math.floor(clock.now() / 1000)
      return (held && isUsable(held, now) ? held : replace(issueTime(now))).authorization
    },
    renew(refused) {
      const now = Math.floor(clock.now() / 1000)
      if (held?.authorization !== refused) return true
      if (Math.abs(now - renewedAt) < SHORTEST_USE) return false
      renewedAt = now
      replace(now - (now % 60))
      return true
    },
    keepFormer(refused) {
      const now = Math.floor(clock.now() / 1000)
      if (held?.authorization !== refused || !former || now - former.issuedAt >= OLDEST) return
      held = former
      keptUntil = now + SHORTEST_USE
    },
  }
}

const issueTime = (now: number) => now - SETTLING - ((now - SETTLING) % PERIOD)

function readKey(pem: string): KeyObject {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error('The APNs key is not an elliptic curve key on P-256; use the .p8 file as Apple gave it.')
  }
  return key
}

function signToken({ keyId, teamId }: ProviderKey, key: KeyObject, issuedAt: number): string {
  const signed = `${encode({ alg: 'ES256', kid: keyId })}.${encode({ iss: teamId, iat: issuedAt })}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
