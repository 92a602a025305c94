// A share code: 8 characters that people can read out and type.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { ShareCodeInput, ShareRole } from '../../contract/share.ts'
import type { UserId } from '../caller.ts'
import { type Instant, plusSeconds } from '../instant.ts'
import type { SharedSubject } from './share.ts'

export type ShareCodeId = string & { readonly of: 'share code' }

export type ShareCode = {
  id: ShareCodeId
  userId: UserId
  code: string
  subject: SharedSubject
  role: ShareRole
  maxUses: number
  useCount: number
  expiresAt: Instant
  createdAt: Instant
}

// Without the characters that are easily mistaken for others: 0, 1, I and O.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const CODE_CHARS = LIMITS.share.codeChars
const WELL_FORMED = new RegExp(`^[${ALPHABET}]{${CODE_CHARS}}$`)

// One character per random byte; 32 characters divide the 256 values evenly.
export const codeFrom = (randomBytes: Uint8Array): string =>
  Array.from(randomBytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')

// Undefined if no code reads like this.
export function readCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, '')
  return WELL_FORMED.test(code) ? code : undefined
}

export function newShareCode(
  made: Pick<ShareCode, 'id' | 'userId' | 'code' | 'subject'>,
  { role = 'viewer', max_uses: maxUses, expires_in: expiresIn }: ShareCodeInput,
  now: Instant,
): ShareCode {
  return {
    ...made,
    role,
    maxUses: maxUses ?? LIMITS.share.uses.default,
    useCount: 0,
    expiresAt: plusSeconds(now, expiresIn ?? LIMITS.share.codeSeconds.default),
    createdAt: now,
  }
}

export const isUsedUp = ({ useCount, maxUses }: ShareCode): boolean => useCount >= maxUses

// The same words whatever the reason, so that guessing teaches nothing.
export const codeInvalid = () =>
  new Problem('share.code_invalid', 'This code is unknown, used up, expired or deleted; ask for a new one.')
