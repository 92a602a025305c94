// The provider token that authenticates us to APNs. Its `iat` is rounded to half an hour, so all nodes use the same token.
// APNs refuses tokens older than an hour, and tokens that change more often than every 20 minutes.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Clock } from '../../../runtime/clock.ts'
import { signEs256 } from '../es256-token.ts'

export type ProviderToken = {
  // The value of the authorization header.
  current(): string
  // After ExpiredProviderToken. Returns true if there is another token for one more attempt.
  renew(refused: string): boolean
  // After TooManyProviderTokenUpdates: returns to the previous token while it is young enough.
  keepFormer(refused: string): void
}

export type ProviderKey = { key: string; keyId: string; teamId: string }

// `issuedAt` in seconds, as in the token.
type Signed = { authorization: string; issuedAt: number }

const PERIOD_SECONDS = 30 * 60
// A period is used once it is this old, so that a node whose clock is ahead does not sign a time in the future of APNs.
const CLOCK_SKEW_SECONDS = 5 * 60
const SHORTEST_USE_SECONDS = 20 * 60
const OLDEST_SECONDS = 55 * 60

export function createProviderToken(provider: ProviderKey, clock: Clock): ProviderToken {
  const privateKey = readKey(provider.key)
  let held: Signed | undefined
  let former: Signed | undefined
  let keptUntil = 0
  let renewedAt = Number.NEGATIVE_INFINITY

  function replace(issuedAt: number): Signed {
    former = held
    const token = signEs256({ iss: provider.teamId, iat: issuedAt }, { alg: 'ES256', kid: provider.keyId }, privateKey)
    held = { authorization: `bearer ${token}`, issuedAt }
    return held
  }

  function isUsable(token: Signed, now: number): boolean {
    const age = now - token.issuedAt
    return (
      age >= 0 && age < OLDEST_SECONDS && (issueTime(now) - token.issuedAt < SHORTEST_USE_SECONDS || now < keptUntil)
    )
  }

  return {
    current() {
      const now = Math.floor(clock.now() / 1000)
      return (held && isUsable(held, now) ? held : replace(issueTime(now))).authorization
    },
    renew(refused) {
      const now = Math.floor(clock.now() / 1000)
      if (held?.authorization !== refused) return true
      if (Math.abs(now - renewedAt) < SHORTEST_USE_SECONDS) return false
      renewedAt = now
      replace(now - (now % 60))
      return true
    },
    keepFormer(refused) {
      const now = Math.floor(clock.now() / 1000)
      if (held?.authorization !== refused || !former || now - former.issuedAt >= OLDEST_SECONDS) return
      held = former
      keptUntil = now + SHORTEST_USE_SECONDS
    },
  }
}

const issueTime = (now: number) => now - CLOCK_SKEW_SECONDS - ((now - CLOCK_SKEW_SECONDS) % PERIOD_SECONDS)

function readKey(pem: string): KeyObject {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error('The APNs key is not an elliptic curve key on P-256; use the .p8 file as Apple gave it.')
  }
  return key
}
