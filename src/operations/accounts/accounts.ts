// Users, their tokens and sign-in codes, and what an account has used.
import { LIMITS } from '../../contract/limits.ts'
import type { PlanName } from '../../contract/plans.ts'
import { Problem } from '../../contract/problems.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { AccountOverview, User } from '../../domain/accounts/account.ts'
import { type SessionId, sessionName } from '../../domain/accounts/session.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { requireUser } from '../../domain/permissions.ts'
import { hashToken, type Token } from '../../domain/token.ts'
import { newToken, newUuid, randomText } from '../../runtime/ids.ts'
import {
  deleteKeptCode,
  findUser,
  findUserByName,
  insertSignInCode,
  insertUser,
  listUsers,
  lockUser,
  takeSignInCode,
  updateNickname,
  updateOperator,
  updatePlan,
} from '../../store/accounts/accounts.ts'
import {
  deleteToken,
  insertToken,
  type NewStoredToken,
  replaceToken,
  type StoredTokenKind,
} from '../../store/accounts/tokens.ts'
import { countActivities } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { findKey } from '../../store/keys.ts'
import type { Context } from '../context.ts'
import { createDefaultKey } from '../keys/keys.ts'
import { requirePlan } from '../plans.ts'
import { describeUsage } from '../quota.ts'

export type NewAccount = { user: User; token: Token; defaultKey: Token }
// `hasUsedKeptLink`: the person has no link to keep any more.
export type SignIn = { userId: UserId; token: Token; hasUsedKeptLink?: boolean }

export async function addUser(
  ctx: Context,
  name: string,
  plan: PlanName,
  { isOperator = false, nickname = null }: { isOperator?: boolean | undefined; nickname?: string | null } = {},
): Promise<NewAccount> {
  if (name.trim() !== name || name === '' || [...name].length > LIMITS.account.maxNameChars) {
    const message = `must have 1 to ${LIMITS.account.maxNameChars} characters, and no space at either end`
    throw validationProblem([{ location: 'name', message }])
  }
  requirePlan(ctx, plan)
  const now = ctx.clock.now()
  const id = newUuid() as UserId
  const user: User = { id, kind: 'person', name, nickname, plan, isOperator, holdsPushes: false, createdAt: now }
  return ctx.db.transact(async (tx) => {
    if (!(await insertUser(tx, user))) {
      throw new Problem('user.name_taken', `There is a user named "${name}" already.`)
    }
    const { secret } = await createDefaultKey(tx, user.id, now)
    return { user, token: await issueToken(tx, user.id, 'hla', now), defaultKey: secret }
  })
}

export async function requireUserByName(ctx: Context, name: string): Promise<User> {
  const user = await findUserByName(ctx.db.read, name)
  if (!user) throw new Problem('user.not_found', `There is no user named "${name}".`)
  return user
}

export const allUsers = (ctx: Context): Promise<User[]> => listUsers(ctx.db.read)

export async function setPlan(ctx: Context, name: string, plan: PlanName): Promise<User> {
  requirePlan(ctx, plan)
  const user = await requireUserByName(ctx, name)
  await ctx.db.transact((tx) => updatePlan(tx, user.id, plan))
  return { ...user, plan }
}

export async function setOperator(ctx: Context, name: string, isOperator: boolean): Promise<User> {
  const user = await requireUserByName(ctx, name)
  await ctx.db.transact((tx) => updateOperator(tx, user.id, isOperator))
  return { ...user, isOperator }
}

// Whether a person runs this server is looked up when it matters, not with every request.
export async function requireOperator(ctx: Context, caller: Caller): Promise<void> {
  requireUser(caller)
  const user = await findUser(ctx.db.read, caller.userId)
  if (user?.isOperator) return
  throw new Problem(
    'user.operator_required',
    'Only an operator of this server may see this; "heliograph user set-operator NAME on" makes one.',
  )
}

export async function createToken(ctx: Context, userId: UserId, kind: StoredTokenKind): Promise<Token> {
  const now = ctx.clock.now()
  return ctx.db.transact((tx) => issueToken(tx, userId, kind, now))
}

export async function revokeToken(ctx: Context, userId: UserId, token: Token): Promise<void> {
  await ctx.db.transact((tx) => deleteToken(tx, userId, hashToken(token)))
}

export async function createSignInCode(ctx: Context, userId: UserId): Promise<string> {
  const code = randomText(32)
  const expiresAt = plusSeconds(ctx.clock.now(), LIMITS.account.signInCodeSeconds)
  await ctx.db.transact((tx) => insertSignInCode(tx, hashToken(code), userId, expiresAt))
  return code
}

// For a link that the person keeps, where a passkey is not possible: it signs in once, at any time. An account has one.
export async function createKeptCode(ctx: Context, userId: UserId): Promise<string> {
  const code = randomText(32)
  await ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    await deleteKeptCode(tx, userId)
    await insertSignInCode(tx, hashToken(code), userId, null)
  })
  return code
}

// `isConsole`: the token goes into the cookie of a browser.
export async function signInByCode(
  ctx: Context,
  code: string,
  { isConsole, userAgent }: { isConsole: boolean; userAgent: string | undefined },
): Promise<SignIn> {
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const taken = await takeSignInCode(tx, hashToken(code), now)
    if (!taken) throw new Problem('token.invalid', 'This sign-in code is unknown, used or expired; ask for a new link.')
    const { userId, isKept: hasUsedKeptLink } = taken
    const token = await signIn(tx, { userId, isConsole, name: sessionName(userAgent) }, now)
    return { userId, token, hasUsedKeptLink }
  })
}

// Issues the token of a new session, and tells the sessions that are open.
export async function signIn(tx: Writer, session: Omit<TokenToIssue, 'kind'>, now: Instant): Promise<Token> {
  const { token, id } = await issue(tx, { ...session, kind: 'hla' }, now)
  await appendEvent(tx, session.userId, { type: 'session.created', at: now, data: { id } })
  return token
}

export async function rotateToken(ctx: Context, caller: Caller): Promise<Token> {
  requireUser(caller)
  const fresh = newToken('hla')
  const replaced = await ctx.db.transact((tx) => replaceToken(tx, caller.userId, caller.tokenHash, hashToken(fresh)))
  if (!replaced) throw new Problem('token.invalid', 'The token was revoked or rotated a moment ago.')
  return fresh
}

export async function signOut(ctx: Context, caller: Caller): Promise<void> {
  requireUser(caller)
  await ctx.db.transact((tx) => deleteToken(tx, caller.userId, caller.tokenHash))
}

export async function setNickname(ctx: Context, caller: Caller, nickname: string | null): Promise<AccountOverview> {
  requireUser(caller)
  await ctx.db.transact((tx) => updateNickname(tx, caller.userId, nickname))
  return describeAccount(ctx, caller)
}

export async function describeAccount(ctx: Context, caller: Caller): Promise<AccountOverview> {
  const now = ctx.clock.now()
  const user = await findUser(ctx.db.read, caller.userId)
  if (!user) throw new Problem('token.invalid', 'The account is gone.')
  return {
    ...(await describeUsage(ctx.db.read, { id: user.id, plan: ctx.config.plans.named(user.plan) }, now)),
    user,
    activityCount: await countActivities(ctx.db.read, caller.userId),
    key: caller.kind === 'key' ? await findKey(ctx.db.read, caller.userId, caller.keyId) : undefined,
  }
}

export async function issueToken(
  tx: Writer,
  userId: UserId,
  kind: StoredTokenKind,
  now: Instant,
  deviceId: DeviceId | null = null,
): Promise<Token> {
  return (await issue(tx, { userId, kind, deviceId }, now)).token
}

// A token that the person can tell apart by its name.
export function issueNamedToken(
  tx: Writer,
  userId: UserId,
  kind: StoredTokenKind,
  name: string,
  now: Instant,
): Promise<{ token: Token; id: SessionId }> {
  return issue(tx, { userId, kind, name }, now)
}

async function issue(
  tx: Writer,
  { userId, kind, deviceId = null, name, isConsole }: TokenToIssue,
  now: Instant,
): Promise<{ token: Token; id: SessionId }> {
  const token = newToken(kind)
  const id = newUuid() as SessionId
  await insertToken(tx, { id, hash: hashToken(token), kind, userId, deviceId, name, isConsole, createdAt: now })
  return { token, id }
}

type TokenToIssue = Partial<Pick<NewStoredToken, 'deviceId' | 'name' | 'isConsole'>> & {
  userId: UserId
  kind: StoredTokenKind
}
