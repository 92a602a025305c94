// The rate limit of a client address, and the headers that report it.
import type { FastifyContextConfig as Config, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Context } from '../../operations/context.ts'
import type { RateLimiter } from '../../operations/rate-limit.ts'
import { clientAddress } from '../connections/client-address.ts'

export function limitRate(
  ctx: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
  { rateLimit, refusalLimit }: Config,
): void {
  const address = clientAddress(request)
  if (refusalLimit) refuseAfterTooMany(limiter, address, refusalLimit)
  if (rateLimit) takeOne(limiter, reply, address, rateLimit)
  const perMinute = ctx.config.rateLimitPerMinute
  if (perMinute > 0) takeOne(limiter, reply, address, { name: 'default', perMinute })
}

type Rate = { name: string; perMinute: number }

function takeOne(limiter: RateLimiter, reply: FastifyReply, address: string, { name, perMinute }: Rate): void {
  const { allowed, remaining, resetSeconds } = limiter.take(name, address, perMinute)
  reply.header('ratelimit-policy', `"${name}";q=${perMinute};w=${LIMITS.rate.windowSeconds}`)
  reply.header('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`)
  if (allowed) return
  throw new Problem('rate_limit.exceeded', `More than ${perMinute} requests a minute from this address; wait a minute.`)
}

// Against guessing: whoever sends a valid code is not counted, so this limit is not the operator's to switch off.
function refuseAfterTooMany(limiter: RateLimiter, address: string, { name, perMinute }: Rate): void {
  if (limiter.count(name, address) < perMinute) return
  throw new Problem('rate_limit.exceeded', `${perMinute} refused codes a minute from this address; wait a minute.`)
}

export function countRefusal(
  limiter: RateLimiter,
  request: FastifyRequest,
  { name, perMinute, problem }: NonNullable<Config['refusalLimit']>,
  error: unknown,
): void {
  if (error instanceof Problem && error.problem === problem) limiter.take(name, clientAddress(request), perMinute)
}
