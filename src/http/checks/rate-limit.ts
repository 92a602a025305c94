// The rate limits of client addresses and of the console's sessions, and the headers that report them.
import type { FastifyContextConfig as Config, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller, LinkCaller } from '../../domain/caller.ts'
import type { Context } from '../../operations/context.ts'
import type { RateLimiter } from '../../operations/rate-limit.ts'
import { clientAddress } from '../connections/client-address.ts'
import { hasSessionCookie } from '../session-cookie.ts'

// Counts requests per client address. A request with the console's cookie is counted per session once its token is known
// (limitSession): the browsers of a household share an address, and a program on it must not lock them out. Until then it
// takes one of the refusals of its address, so that cookies cannot be guessed any faster than other tokens.
export function limitRate(
  ctx: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
  { access, rateLimit, refusalLimit, isStaticFile, onLink }: Config,
): void {
  if (isStaticFile || onLink) return
  const address = clientAddress(request)
  if (refusalLimit) takeAttempt(limiter, address, refusalLimit)
  if (rateLimit && access === 'public') takeOne(limiter, reply, address, rateLimit)
  const perMinute = ctx.config.rateLimitPerMinute
  if (perMinute === 0) return
  const isSession = access !== undefined && access !== 'public' && hasSessionCookie(request, ctx.config)
  takeOne(limiter, reply, address, { name: isSession ? SESSION_REFUSALS : 'default', perMinute })
}

const SESSION_REFUSALS = 'session-refusals'

export function limitSession(
  { config }: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
  { tokenHash }: Caller,
): void {
  const perMinute = config.rateLimitPerMinute
  if (perMinute === 0 || !hasSessionCookie(request, config)) return
  limiter.giveBack(SESSION_REFUSALS, clientAddress(request))
  takeOne(limiter, reply, tokenHash, { name: 'default', perMinute }, 'session')
}

// The limit of a route that needs a token is one of the account: strangers at its address cannot use it up.
export function limitAccount(
  limiter: RateLimiter,
  reply: FastifyReply,
  { userId }: Caller,
  { rateLimit }: Config,
): void {
  if (rateLimit) takeOne(limiter, reply, userId, rateLimit, 'account')
}

type RefusalLimit = NonNullable<Config['refusalLimit']>
type Rate = { name: string; perMinute: number }

// `client`: the address, the session or the account.
function takeOne(
  limiter: RateLimiter,
  reply: FastifyReply,
  client: string,
  { name, perMinute }: Rate,
  counted: 'address' | 'session' | 'account' | 'link' = 'address',
): void {
  const { allowed, remaining, resetSeconds } = limiter.take(name, client, perMinute)
  reply.header('ratelimit-policy', `"${name}";q=${perMinute};w=${LIMITS.rate.windowSeconds}`)
  reply.header('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`)
  if (allowed) return
  throw new Problem(
    'rate_limit.exceeded',
    `More than ${perMinute} requests a minute from this ${counted}; wait a minute.`,
  )
}

// Against guessing short codes. Requests with the right code are not counted, so the operator cannot switch this limit off.
function takeAttempt(limiter: RateLimiter, address: string, { name, perMinute }: RefusalLimit): void {
  if (!limiter.take(name, address, perMinute).allowed) throw tooManyRefusals(perMinute)
}

export function settleAttempt(limiter: RateLimiter, request: FastifyRequest, { name, problem }: RefusalLimit): void {
  if (request.problem?.problem !== problem) limiter.giveBack(name, clientAddress(request))
}

// Counts a token that a door did not find. Returns what to answer instead once its address has too many of them. The token is
// looked up first: containers and households share an address, and one program with a revoked token must not silence the
// others. Tokens are too long to guess, and looking up an unknown one is a read of one index entry.
export const countRefusedToken = (limiter: RateLimiter, request: FastifyRequest): Problem | undefined =>
  countRefusal(limiter, request, { name: 'doors', perMinute: LIMITS.rate.refusedDoorTokensPerMinute })

// The same for names of UnifiedPush that nobody has. They are counted apart: an app hands names out before it asks for them.
export const countGuessedName = (limiter: RateLimiter, request: FastifyRequest): Problem | undefined =>
  countRefusal(limiter, request, { name: 'push-names', perMinute: LIMITS.unifiedPush.guessesPerMinute })

// The requests of a screen link. Not counted for its address: the screens of a household share one.
export function limitLink(limiter: RateLimiter, reply: FastifyReply, { linkId }: LinkCaller): void {
  takeOne(limiter, reply, linkId, { name: 'link', perMinute: LIMITS.screen.linkRequestsPerMinute }, 'link')
}

// What to answer for a token that names no link. Links at the same address go on.
export function refuseLink(limiter: RateLimiter, request: FastifyRequest, error: unknown): unknown {
  if (!(error instanceof Problem && error.problem === 'screen.not_found')) return error
  return countRefusal(limiter, request, { name: 'links', perMinute: LIMITS.screen.refusedTokensPerMinute }) ?? error
}

function countRefusal(limiter: RateLimiter, request: FastifyRequest, { name, perMinute }: Rate): Problem | undefined {
  const { allowed } = limiter.take(name, clientAddress(request), perMinute)
  return allowed ? undefined : tooManyRefusals(perMinute)
}

const tooManyRefusals = (perMinute: number) =>
  new Problem(
    'rate_limit.refusals_exceeded',
    `${perMinute} refused attempts a minute from this address; wait a minute.`,
  )
