// The rate limits of client addresses and of the console's sessions, and the headers that report them.
import type { FastifyContextConfig as Config, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
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
  { access, rateLimit, refusalLimit, isStaticFile }: Config,
): void {
  if (isStaticFile) return
  const address = clientAddress(request)
  if (refusalLimit) takeRefusal(limiter, address, refusalLimit)
  if (rateLimit) takeOne(limiter, reply, address, rateLimit)
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

type RefusalLimit = NonNullable<Config['refusalLimit']>
type Rate = { name: string; perMinute: number }

// `client`: the address, or the session.
function takeOne(
  limiter: RateLimiter,
  reply: FastifyReply,
  client: string,
  { name, perMinute }: Rate,
  counted: 'address' | 'session' = 'address',
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

// Against guessing. Requests with the right secret are not counted, so the operator cannot switch this limit off.
function takeRefusal(limiter: RateLimiter, address: string, { name, perMinute, counts }: RefusalLimit): void {
  const isAllowed =
    counts === 'arrivals'
      ? limiter.take(name, address, perMinute).allowed
      : !limiter.isReached(name, address, perMinute)
  if (isAllowed) return
  throw new Problem(
    'rate_limit.refusals_exceeded',
    `${perMinute} refused attempts a minute from this address; wait a minute.`,
  )
}

// Once for each request: a stream is settled when it begins, and may still fail afterwards.
export function settleRefusal(
  limiter: RateLimiter,
  request: FastifyRequest,
  { name, perMinute, counts, problem }: RefusalLimit,
): void {
  if (request.isRefusalSettled) return
  request.isRefusalSettled = true
  const isRefused = request.problem?.problem === problem
  const address = clientAddress(request)
  if (counts === 'arrivals' && !isRefused) limiter.giveBack(name, address)
  if (counts === 'refusals' && isRefused) limiter.take(name, address, perMinute)
}
