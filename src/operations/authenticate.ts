// Finds the caller of a request by its token. Every request asks the database, so a revoked token stops at once, on every
// node.
import type { PlanName } from '../contract/plans.ts'
import { Problem } from '../contract/problems.ts'
import { isAppPassword } from '../domain/apps/password.ts'
import type { Caller, LinkCaller, UserId } from '../domain/caller.ts'
import { toRfc3339 } from '../domain/instant.ts'
import { linkNotPermitted, nothingOnLink } from '../domain/permissions.ts'
import { hashToken, readToken, type TokenHash, type TokenKind } from '../domain/token.ts'
import { findAppOwner, findTokenOwner, type StoredTokenKind } from '../store/accounts/tokens.ts'
import { findKeyCaller } from '../store/keys.ts'
import { findLinkCaller } from '../store/screens.ts'
import type { Context } from './context.ts'
import { actAsOrganization } from './membership.ts'

// `userId`: the account that the token belonged to when it was last checked.
export type Credentials = { kind: TokenKind | 'app'; hash: TokenHash; userId?: UserId }

export type ReadCredentials = (tokenText: string) => Credentials

export function readCredentials(tokenText: string): Credentials {
  if (isAppPassword(tokenText)) return { kind: 'app', hash: hashToken(tokenText) }
  const read = readToken(tokenText)
  if (!read) throw new Problem('token.invalid', 'The token is malformed or mistyped.')
  return { kind: read.kind, hash: hashToken(read.token) }
}

export async function authenticate(ctx: Context, { kind, hash }: Credentials): Promise<Caller> {
  if (kind === 'hlk') return authenticateKey(ctx, hash)
  if (kind === 'hls') throw linkNotPermitted()
  return kind === 'app' ? authenticateApp(ctx, hash) : authenticateToken(ctx, hash, kind)
}

// For requests that are held open: returns the caller with the permissions it has now, or refuses a revoked token.
export async function requireStillValid(ctx: Context, caller: Caller): Promise<Caller> {
  if (caller.kind === 'key') return authenticateKey(ctx, caller.tokenHash)
  if (caller.kind === 'app') return authenticateApp(ctx, caller.tokenHash)
  if (caller.kind === 'widget-extension') return authenticateToken(ctx, caller.tokenHash, 'hlw')
  if (caller.kind === 'screen-link') return authenticateLink(ctx, caller.tokenHash)
  const person = await authenticateToken(ctx, caller.tokenHash, 'hla')
  return caller.actingMember ? actAsOrganization(ctx, person, caller.userId) : person
}

async function authenticateToken(ctx: Context, tokenHash: TokenHash, kind: StoredTokenKind): Promise<Caller> {
  const owner = await findTokenOwner(ctx.db.read, tokenHash, kind)
  if (!owner) throw unknownToken()
  const { deviceId, ...ofOwner } = withPlan(ctx, owner)
  const account = { tokenHash, accountKind: 'person', ...ofOwner } as const
  if (kind === 'hlw') return { ...account, kind: 'widget-extension' }
  const caller: Caller = { ...account, kind: 'user', deviceId }
  ctx.lastUsed.note(caller, ctx.clock.now())
  return caller
}

async function authenticateApp(ctx: Context, tokenHash: TokenHash): Promise<Caller> {
  const owner = await findAppOwner(ctx.db.read, tokenHash)
  if (!owner) throw unknownToken()
  return { ...withPlan(ctx, owner), kind: 'app', accountKind: 'person', tokenHash }
}

async function authenticateKey(ctx: Context, hash: TokenHash): Promise<Caller> {
  const now = ctx.clock.now()
  const found = await findKeyCaller(ctx.db.read, hash)
  if (!found) throw unknownToken()
  const { expiresAt } = found
  if (expiresAt !== null && expiresAt <= now) {
    throw new Problem('integration_key.expired', `This key expired at ${toRfc3339(expiresAt)}.`)
  }
  const caller = withPlan(ctx, found.caller)
  ctx.lastUsed.note(caller, now)
  return caller
}

// The token in the path of an address under /s/.
export async function authenticateScreen(ctx: Context, tokenText: string): Promise<LinkCaller> {
  const read = ctx.config.screenLinks ? readToken(tokenText) : undefined
  if (read?.kind !== 'hls') throw nothingOnLink()
  return authenticateLink(ctx, hashToken(read.token))
}

async function authenticateLink(ctx: Context, hash: TokenHash): Promise<LinkCaller> {
  const now = ctx.clock.now()
  const found = await findLinkCaller(ctx.db.read, hash)
  if (!found || (found.expiresAt !== null && found.expiresAt <= now)) throw nothingOnLink()
  const caller = withPlan(ctx, found.caller)
  ctx.lastUsed.note(caller, now)
  return caller
}

// The database has the name of the plan, the settings its numbers.
export const withPlan = <Account extends { plan: PlanName }>({ config }: Context, account: Account) => ({
  ...account,
  plan: config.plans.named(account.plan),
})

const unknownToken = () => new Problem('token.invalid', 'The token is unknown or has been revoked.')
