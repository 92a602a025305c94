// A share code: what it shares, in which role, how often and how long it can be used.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { ShareCodeInput, ShareRole } from '../../contract/shares.ts'
import type { UserId } from '../caller.ts'
import { type Instant, plusSeconds } from '../instant.ts'
import type { JoinCode } from '../join-code.ts'
import type { SharedSubject } from './share.ts'

export type ShareCodeId = string & { readonly of: 'share code' }

export type ShareCode = {
  id: ShareCodeId
  userId: UserId
  code: JoinCode
  subject: SharedSubject
  role: ShareRole
  maxUses: number
  useCount: number
  expiresAt: Instant
  createdAt: Instant
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

// One text for every reason, so that a guess does not tell whether the code once existed.
export const codeInvalid = () =>
  new Problem('share.code_invalid', 'This code is unknown, used up, expired or deleted; ask for a new one.')
