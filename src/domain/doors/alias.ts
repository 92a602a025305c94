// An alias of an integration key. It sends through its door and gives access to nothing else.
import type { AliasDoor } from '../../contract/doors/door.ts'
import type { KeyId, UserId } from '../caller.ts'
import type { Instant } from '../instant.ts'

export type { AliasDoor }

export type KeyAlias = { id: string; userId: UserId; keyId: KeyId; door: AliasDoor; createdAt: Instant }

// The forms that senders check before they send: ntfy's access tokens, Gotify's application tokens before version 3, and
// Pushover's API tokens.
const FORMS: Record<AliasDoor, RegExp> = {
  ntfy: /^tk_[a-z0-9]{29}$/,
  gotify: /^A[A-Za-z0-9._-]{14}$/,
  pushover: /^[A-Za-z0-9]{30}$/,
}

export const hasFormOfAlias = (door: AliasDoor, text: string): boolean => FORMS[door].test(text)

// `random` returns so many random letters and digits.
export function makeAliasToken(door: AliasDoor, random: (length: number) => string): string {
  switch (door) {
    case 'ntfy':
      return `tk_${random(29).toLowerCase()}`
    case 'gotify':
      return `A${random(14)}`
    case 'pushover':
      return random(30)
  }
}
