// The codes by which people join what an account shares, or an organization: 8 characters that are not mistaken for one
// another, 40 random bits; how often and how long each can be used.
import { LIMITS } from '../contract/limits.ts'
import { Problem } from '../contract/problems.ts'
import { type Instant, plusSeconds } from './instant.ts'

export type JoinCode = string & { readonly of: 'join code' }
export type JoinCodeId = string & { readonly of: 'id of a join code' }

export type JoinCodeTerms = {
  id: JoinCodeId
  code: JoinCode
  maxUses: number
  useCount: number
  expiresAt: Instant
  createdAt: Instant
}

export function newTerms(
  made: Pick<JoinCodeTerms, 'id' | 'code'>,
  { max_uses: maxUses, expires_in: expiresIn }: { max_uses?: number; expires_in?: number },
  now: Instant,
): JoinCodeTerms {
  const { uses, codeSeconds } = LIMITS.share
  return {
    ...made,
    maxUses: maxUses ?? uses.default,
    useCount: 0,
    expiresAt: plusSeconds(now, expiresIn ?? codeSeconds.default),
    createdAt: now,
  }
}

export const isUsedUp = ({ useCount, maxUses }: JoinCodeTerms): boolean => useCount >= maxUses
export const isExpired = ({ expiresAt }: JoinCodeTerms, now: Instant): boolean => expiresAt <= now

// One text for every reason, so that a guess does not tell whether the code once existed.
export const shareCodeInvalid = () =>
  new Problem('share.code_invalid', 'This code is unknown, used up, expired or deleted; ask for a new one.')
export const invitationInvalid = () =>
  new Problem('org.code_invalid', 'This invitation is unknown, used up, expired or deleted; ask for a new one.')

// 32 characters: five bits each. Without 0 and O, 1 and I.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const CODE = new RegExp(`^[${ALPHABET}]*$`)

export const makeShortCode = (randomBytes: Uint8Array, chars: number): string =>
  Array.from(randomBytes.subarray(0, chars), (byte) => ALPHABET[byte % 32]).join('')

export const makeJoinCode = (randomBytes: Uint8Array): JoinCode =>
  makeShortCode(randomBytes, LIMITS.share.codeChars) as JoinCode

// People type codes with spaces and hyphens, in either case.
export function readShortCode(text: string, chars: number): string | undefined {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return code.length === chars && CODE.test(code) ? code : undefined
}

export const readJoinCode = (text: string): JoinCode | undefined =>
  readShortCode(text, LIMITS.share.codeChars) as JoinCode | undefined
