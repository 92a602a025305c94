// Verifies identity tokens of Sign in with Apple. Apple's keys are fetched with the first token, kept while Apple
// cannot be reached, and requested at most once a minute.

import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose'
import { errorCode } from '../domain/errors.ts'
import { type Instant, instant } from '../domain/instant.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

export type AppleIdentity = { subject: string; nonce: string | undefined; expiresAt: Instant }

export type AppleVerdict =
  | { result: 'known'; identity: AppleIdentity }
  | { result: 'refused' }
  // Apple's keys could not be fetched since the start.
  | { result: 'no_keys' }

export type AppleVerifier = { verify(identityToken: string): Promise<AppleVerdict> }

export type AppleSignInOptions = { audience: string[]; keysUrl: string; clock: Clock; log: Log }

const ISSUER = 'https://appleid.apple.com'
const FETCH_EVERY_MS = 60_000
const FETCH_DEADLINE_MS = 5000
// Bounds how long a withdrawn key is accepted while Apple can be reached.
const FRESH_MS = 3600_000
// Tolerates clock differences: a token may come from this far in the future.
const SKEW_SECONDS = 30

export function openAppleSignIn({ audience, keysUrl, clock, log }: AppleSignInOptions): AppleVerifier {
  const keys = openKeySet({ keysUrl, clock, log })
  return {
    async verify(identityToken) {
      // Imported with the first sign-in, because most servers have none.
      const { errors, jwtVerify } = await import('jose')
      const nowSeconds = clock.now() / 1000
      try {
        const { payload } = await jwtVerify(identityToken, keys.find, {
          algorithms: ['RS256'],
          issuer: ISSUER,
          audience,
          requiredClaims: ['sub', 'iat', 'exp'],
          currentDate: new Date(clock.now()),
        })
        if ((payload.iat ?? 0) > nowSeconds + SKEW_SECONDS) return { result: 'refused' }
        // jose checks only that the claim is present; an empty subject would be one account for everyone.
        if (typeof payload.sub !== 'string' || payload.sub.trim() === '') return { result: 'refused' }
        return { result: 'known', identity: toIdentity(payload) }
      } catch (error) {
        if (error instanceof NoKeys) return { result: 'no_keys' }
        if (error instanceof errors.JOSEError) return { result: 'refused' }
        throw error
      }
    },
  }
}

class NoKeys extends Error {}

type KeySetOptions = Pick<AppleSignInOptions, 'keysUrl' | 'clock' | 'log'>

function openKeySet({ keysUrl, clock, log }: KeySetOptions): { find: JWTVerifyGetKey } {
  let known: JWTVerifyGetKey | undefined
  let fetchedAtMs = Number.NEGATIVE_INFINITY
  let triedAtMs = Number.NEGATIVE_INFINITY
  let fetching: Promise<void> | undefined

  async function load() {
    const { createLocalJWKSet } = await import('jose')
    const signal = AbortSignal.timeout(FETCH_DEADLINE_MS)
    const answer = await fetch(keysUrl, { redirect: 'error', signal })
    if (answer.status !== 200) throw new Error(`the key set was answered with ${answer.status}`)
    known = createLocalJWKSet((await answer.json()) as JSONWebKeySet)
    fetchedAtMs = clock.monotonicMs()
  }

  // Resolves when the keys are as new as they can be. Concurrent callers share one fetch.
  async function refresh() {
    if (!fetching) {
      if (clock.monotonicMs() - triedAtMs < FETCH_EVERY_MS) return
      triedAtMs = clock.monotonicMs()
      fetching = load()
        .catch((error) => log.warn({ err: error, url: keysUrl }, 'cannot fetch the keys of Sign in with Apple'))
        .finally(() => (fetching = undefined))
    }
    await fetching
  }

  return {
    async find(header, token) {
      if (!known || clock.monotonicMs() - fetchedAtMs > FRESH_MS) await refresh()
      if (!known) throw new NoKeys()
      try {
        return await known(header, token)
      } catch (error) {
        // An unknown key may be a new one.
        if (errorCode(error) !== 'ERR_JWKS_NO_MATCHING_KEY') throw error
        await refresh()
        return known(header, token)
      }
    },
  }
}

function toIdentity({ sub = '', nonce, exp = 0 }: JWTPayload): AppleIdentity {
  return { subject: sub, nonce: typeof nonce === 'string' ? nonce : undefined, expiresAt: instant(exp * 1000) }
}
