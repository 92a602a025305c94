// Sign in with Apple. The first sign-in creates the account, which is identified by Apple's subject. Each device has
// one token.
import type { AppleSignIn } from '../../contract/accounts/account.ts'
import { Problem } from '../../contract/problems.ts'
import type { UserId } from '../../domain/caller.ts'
import { deviceId } from '../../domain/devices.ts'
import type { Instant } from '../../domain/instant.ts'
import { hashToken } from '../../domain/token.ts'
import type { AppleIdentity } from '../../runtime/apple-sign-in.ts'
import { newUuid } from '../../runtime/ids.ts'
import { insertUser, lockUser } from '../../store/accounts/accounts.ts'
import { findAppleUser, insertAppleIdentity, insertUsedNonce } from '../../store/accounts/apple-identities.ts'
import { deleteDeviceToken } from '../../store/accounts/tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'
import { createDefaultKey } from '../keys/keys.ts'
import { type SignIn, signIn } from './accounts.ts'

export async function signInWithApple(ctx: Context, { identity_token, device_id }: AppleSignIn): Promise<SignIn> {
  const identity = await readIdentity(ctx, identity_token)
  const now = ctx.clock.now()
  const device = deviceId(device_id)
  return ctx.db.transact(async (tx) => {
    await useNonce(tx, identity)
    const userId = await findOrAddUser(tx, ctx, identity.subject, now)
    await lockUser(tx, userId)
    await deleteDeviceToken(tx, userId, device, 'hla')
    return { userId, token: await signIn(tx, { userId, deviceId: device }, now) }
  })
}

async function readIdentity(ctx: Context, identityToken: string): Promise<AppleIdentity> {
  if (!ctx.apple) {
    throw new Problem('auth.not_enabled', 'Sign in with Apple is off; its operator sets HELIOGRAPH_APPLE_AUDIENCE.')
  }
  const verdict = await ctx.apple.verify(identityToken)
  switch (verdict.result) {
    case 'known':
      return verdict.identity
    case 'refused':
      throw new Problem(
        'token.invalid',
        'The identity token is not one that Apple gave out for this app, or is expired.',
      )
    case 'no_keys':
      throw new Problem(
        'service.unavailable',
        'Apple’s keys cannot be fetched, so no identity token can be checked yet.',
      )
  }
}

// An identity token with a nonce is accepted once, so an intercepted token cannot be replayed. Nonces are stored per
// subject, so nobody can use up another person's.
async function useNonce(tx: Writer, { subject, nonce, expiresAt }: AppleIdentity): Promise<void> {
  if (nonce === undefined || (await insertUsedNonce(tx, hashToken(`${subject} ${nonce}`), expiresAt))) return
  throw new Problem('token.invalid', 'This identity token was used before; ask Apple for a new one.')
}

async function findOrAddUser(tx: Writer, ctx: Context, subject: string, now: Instant): Promise<UserId> {
  const id = newUuid() as UserId
  if (await insertAppleIdentity(tx, subject, id, now)) {
    const { defaultPlan: plan } = ctx.config
    await insertUser(tx, { id, name: `apple-${id}`, nickname: null, plan, isOperator: false, createdAt: now })
    await createDefaultKey(tx, id, now)
    return id
  }
  const known = await findAppleUser(tx, subject)
  if (!known) throw new Error('the subject that is known has no account')
  return known
}
