// Passkeys: registered by a person who is signed in, and then used to sign in without a link.
import type { PasskeyInput } from '../../contract/accounts/passkey.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { User } from '../../domain/accounts/account.ts'
import {
  type ChallengePurpose,
  challengeIn,
  makeChallenge,
  type NewCredential,
  type Passkey,
  type PasskeyId,
  type RelyingParty,
  readChallenge,
  relyingPartyAt,
  type UsedCredential,
  userHandleOf,
} from '../../domain/accounts/passkey.ts'
import { sessionName } from '../../domain/accounts/session.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { requireUser } from '../../domain/permissions.ts'
import { hashToken } from '../../domain/token.ts'
import { newUuid, randomNonce } from '../../runtime/ids.ts'
import type { Verification } from '../../runtime/passkeys/thread.ts'
import { findUser, lockUser } from '../../store/accounts/accounts.ts'
import { insertUsedNonce } from '../../store/accounts/apple-identities.ts'
import {
  countPasskeys,
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  updatePasskeyUse,
} from '../../store/accounts/passkeys.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import type { Context } from '../context.ts'
import { type SignIn, signIn } from './accounts.ts'

export async function readPasskeys(ctx: Context, caller: Caller): Promise<Passkey[]> {
  requireUser(caller)
  return listPasskeys(ctx.db.read, caller.userId)
}

export type PasskeyOffer = { relyingParty: RelyingParty; challenge: string }
export type RegistrationOffer = PasskeyOffer & { user: User; registered: Passkey[] }

// What a browser needs to make a passkey.
export async function offerRegistration(ctx: Context, caller: Caller, publicUrl: string): Promise<RegistrationOffer> {
  requireUser(caller)
  const user = await findUser(ctx.db.read, caller.userId)
  if (!user) throw new Problem('token.invalid', 'The account is gone.')
  const registered = await listPasskeys(ctx.db.read, caller.userId)
  return { ...offer(ctx, { userId: caller.userId }, publicUrl), user, registered }
}

// What a browser needs to sign in with one.
export const offerSignIn = (ctx: Context, publicUrl: string): PasskeyOffer => offer(ctx, {}, publicUrl)

function offer(ctx: Context, purpose: ChallengePurpose, publicUrl: string): PasskeyOffer {
  const expiresAt = plusSeconds(ctx.clock.now(), LIMITS.passkey.challengeSeconds)
  const relyingParty = relyingPartyAt(publicUrl)
  return { relyingParty, challenge: makeChallenge(ctx.signingKey, purpose, randomNonce(), expiresAt) }
}

export async function registerPasskey(
  ctx: Context,
  caller: Caller,
  publicUrl: string,
  { name, credential }: PasskeyInput,
): Promise<Passkey> {
  requireUser(caller)
  const { userId } = caller
  const now = ctx.clock.now()
  const challenge = readOwnChallenge(ctx, { userId }, credential, now)
  const expected = { ...relyingPartyAt(publicUrl), challenge: challenge?.text ?? '' }
  const made = challenge && requireVerification(await ctx.passkeys.verifyNewCredential(expected, credential))
  if (!made) throw new Problem('passkey.registration_invalid', 'The passkey could not be verified; try again.')
  const passkey = { ...made, id: newUuid() as PasskeyId, userId, name, createdAt: now, lastUsedAt: null }
  await ctx.db.transact(async (tx) => {
    const isFirstUse = await insertUsedNonce(tx, hashToken(challenge.text), challenge.expiresAt)
    if (!isFirstUse) throw new Problem('passkey.registration_invalid', 'This challenge was used before; try again.')
    await lockUser(tx, userId)
    if ((await countPasskeys(tx, userId)) >= LIMITS.passkey.maxPerAccount) {
      throw new Problem('passkey.limit_exceeded', `An account has at most ${LIMITS.passkey.maxPerAccount} passkeys.`)
    }
    if (!(await insertPasskey(tx, passkey))) {
      throw new Problem('passkey.registration_invalid', 'This passkey is registered already.')
    }
    await appendEvent(tx, userId, { type: 'passkey.created', at: now, data: { id: passkey.id } })
  })
  return passkey
}

export async function removePasskey(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    if (!(await deletePasskey(tx, caller.userId, id))) {
      throw new Problem('passkey.not_found', 'There is no such passkey.')
    }
    await appendEvent(tx, caller.userId, { type: 'passkey.deleted', at: now, data: { id } })
  })
}

const REFUSED = 'This passkey is unknown, or its signature is not valid here; sign in with a link.'

export async function signInByPasskey(
  ctx: Context,
  publicUrl: string,
  credential: UsedCredential,
  userAgent: string | undefined,
): Promise<SignIn> {
  const now = ctx.clock.now()
  const challenge = readOwnChallenge(ctx, {}, credential, now)
  const passkey = challenge && (await findPasskey(ctx.db.read, credential.id))
  const isOfItsAccount = passkey && credential.response.userHandle === userHandleOf(passkey.userId)
  const expected = { ...relyingPartyAt(publicUrl), challenge: challenge?.text ?? '' }
  const use = isOfItsAccount && requireVerification(await ctx.passkeys.verifyUse(expected, credential, passkey))
  if (!use) throw new Problem('passkey.invalid', REFUSED)
  return ctx.db.transact(async (tx) => {
    const isFirstUse = await insertUsedNonce(tx, hashToken(challenge.text), challenge.expiresAt)
    if (!isFirstUse || !(await updatePasskeyUse(tx, passkey, use, now))) throw new Problem('passkey.invalid', REFUSED)
    const { userId } = passkey
    return { userId, token: await signIn(tx, { userId, isConsole: true, name: sessionName(userAgent) }, now) }
  })
}

// Undefined if the credential was refused.
function requireVerification<Verified>(verification: Verification<Verified>): Verified | undefined {
  if (verification === 'unavailable') {
    throw new Problem('service.unavailable', 'Passkeys cannot be verified at the moment; try again.')
  }
  return verification === 'refused' ? undefined : verification
}

function readOwnChallenge(
  { signingKey }: Context,
  purpose: ChallengePurpose,
  { response }: NewCredential | UsedCredential,
  now: Instant,
): { text: string; expiresAt: Instant } | undefined {
  const text = challengeIn(response.clientDataJSON)
  const expiresAt = text === undefined ? undefined : readChallenge(signingKey, purpose, text, now)
  return text === undefined || expiresAt === undefined ? undefined : { text, expiresAt }
}
