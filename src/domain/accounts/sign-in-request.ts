// A browser that asks to be signed in: its screen shows a code, and the person approves it on a device where they are signed in.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { UserId } from '../caller.ts'
import { isUuid } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { makeShortCode, readShortCode } from '../join-code.ts'

export type SignInRequestId = string & { readonly of: 'sign-in request' }

export type SignInRequest = {
  id: SignInRequestId
  code: string
  browser: string | null
  // From where it asked.
  address: string
  approvedBy: UserId | null
  createdAt: Instant
  expiresAt: Instant
}

export const isSignInRequestId = (text: string): text is SignInRequestId => isUuid(text)

export const makeSignInRequestCode = (randomBytes: Uint8Array): string =>
  makeShortCode(randomBytes, LIMITS.signInRequest.codeChars)

export const readSignInRequestCode = (text: string): string | undefined =>
  readShortCode(text, LIMITS.signInRequest.codeChars)

// One text for every reason, so that a guess does not tell whether the code once existed.
export const requestNotFound = () =>
  new Problem(
    'sign_in_request.not_found',
    'No browser waits with this code. It is mistyped, has expired, or was answered: look at the other screen.',
  )

export const requestEnded = () =>
  new Problem('sign_in_request.ended', 'The request was refused, has expired, or was used; ask again.')
