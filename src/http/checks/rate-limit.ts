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
  { rateLimit, refusalLimit, isStaticFile }: Config,
): void {
  if (isStaticFile) return
  const address = clientAddress(request)
  if (refusalLimit) takeRefusal(limiter, address, refusalLimit)
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

// Against guessing. Every request takes one when it arrives, so that a burst cannot get past the limit; all but the refused
// ones give it back when they are answered. Valid codes are not counted, so the operator cannot switch this limit off.
function takeRefusal(limiter: RateLimiter, address: string, { name, perMinute }: Rate): void {
  if (limiter.take(name, address, perMinute).allowed) return
  throw new Problem(
    'rate_limit.refusals_exceeded',
    `${perMinute} refused attempts a minute from this address; wait a minute.`,
  )
}

const settled = new WeakSet<FastifyRequest>()

// Once for each request: a stream is settled when it begins, and may still fail afterwards.
export function settleRefusal(
  limiter: RateLimiter,
  request: FastifyRequest,
  { name, problem }: NonNullable<Config['refusalLimit']>,
): void {
  if (settled.has(request)) return
  settled.add(request)
  if (request.problem?.problem !== problem) limiter.giveBack(name, clientAddress(request))
}
