// Finds the caller of a request at a door: by a token of ours, the password of an app, or an alias of a key for this door.
import type { AliasDoor } from '../../contract/keys/doors.ts'
import { Problem } from '../../contract/problems.ts'
import { isAppPassword } from '../../domain/apps/password.ts'
import type { Caller } from '../../domain/caller.ts'
import { storedForm } from '../../domain/doors/gotify/version3-token.ts'
import { hasFormOfAlias } from '../../domain/keys.ts'
import { hashToken, TOKEN_PATTERN } from '../../domain/token.ts'
import { findAliasedKeyHash } from '../../store/keys.ts'
import { authenticate, type ReadCredentials } from '../authenticate.ts'
import type { Context } from '../context.ts'

export async function authenticateAtDoor(
  ctx: Context,
  door: AliasDoor,
  secret: string,
  readCredentials: ReadCredentials,
): Promise<Caller> {
  if (TOKEN_PATTERN.test(secret) || isAppPassword(secret)) return authenticate(ctx, readCredentials(secret))
  const keyHash = hasFormOfAlias(door, secret)
    ? await findAliasedKeyHash(ctx.db.read, door, hashToken(storedForm(secret)))
    : undefined
  if (!keyHash) throw new Problem('token.invalid', 'The token is unknown or has been revoked.')
  return authenticate(ctx, { kind: 'hlk', hash: keyHash })
}
