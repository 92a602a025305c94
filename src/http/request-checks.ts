// What every request passes before its body is read: headers, rate limit, token (and the limit of the console's session),
// permission, limit of the account, organization, slug, in that order.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireAccess } from '../domain/permissions.ts'
import { authenticate } from '../operations/authenticate.ts'
import type { Context } from '../operations/context.ts'
import type { RateLimiter } from '../operations/rate-limit.ts'
import { checkBody } from './checks/body.ts'
import { dropContentTypeWithoutBody, refuseAmbiguousHeaders } from './checks/headers.ts'
import { checkIds, checkOrganization, checkSlug } from './checks/path.ts'
import {
  countGuessedName,
  countRefusedToken,
  limitAccount,
  limitRate,
  limitSession,
  settleAttempt,
} from './checks/rate-limit.ts'
import { checkScreenLink } from './checks/screen-link.ts'
import { createCredentials, tokenOf } from './checks/token.ts'
import { untilTurnEnds } from './connections/turns.ts'
import { replyWithProblem } from './problem-reply.ts'
import { isServedOverHttps } from './public-url.ts'

type Refuse = (request: FastifyRequest, reply: FastifyReply) => never

export function registerRequestChecks(
  app: FastifyInstance,
  ctx: Context,
  limiter: RateLimiter,
  refuseUnknown: Refuse,
): void {
  const credentialsOf = createCredentials()
  // For the doors, whose handlers find the caller.
  app.decorate('credentialsOf', credentialsOf)
  app.decorate('countRefusedToken', (request: FastifyRequest) => countRefusedToken(limiter, request))
  app.decorate('countGuessedName', (request: FastifyRequest) => countGuessedName(limiter, request))
  app.decorateRequest('caller', undefined)
  app.decorateRequest('problem', undefined)
  app.decorateRequest('begunRead', undefined)
  app.decorateRequest('reservedId', undefined)

  app.addHook('onRequest', async (request, reply) => {
    await untilTurnEnds()
    setCommonHeaders(ctx, request, reply)
    refuseAmbiguousHeaders(request)
    // A getter that builds a new object each time.
    const route = request.routeOptions
    limitRate(ctx, limiter, request, reply, route.config)
    dropContentTypeWithoutBody(request, route)
    const { access } = route.config
    // Every route declares its access, so this is an unknown path or method.
    if (access === undefined) return refuseUnknown(request, reply)
    if (route.config.onLink) {
      request.caller = await checkScreenLink(ctx, limiter, request, reply, route.config.onLink)
      return
    }
    if (access === 'public') return
    const credentials = credentialsOf(request.socket, tokenOf(request, ctx, route.config))
    if (credentials.userId) route.config.begin?.(request, credentials.userId)
    const caller = await authenticate(ctx, credentials)
    credentials.userId = caller.userId
    request.caller = caller
    if (!route.config.isStaticFile) limitSession(ctx, limiter, request, reply, caller)
    requireAccess(caller, access)
    limitAccount(limiter, reply, caller, route.config)
    checkIds(request)
    if (route.config.orgRole) request.caller = await checkOrganization(ctx, request, caller, route.config)
    checkSlug(request, caller, route.config)
  })

  app.addHook('onRoute', (route) => {
    const { refusalLimit } = route.config ?? {}
    if (route.schema?.body) route.preValidation = checkBody(route.config ?? {})
    if (refusalLimit) {
      route.onSend = (request, _reply, payload, done) => {
        settleAttempt(limiter, request, refusalLimit)
        done(null, payload)
      }
    }
  })
}

// Counts only for known callers: a refused token belongs to no account.
function noteRefusal({ clock, dailyCounts }: Context, { caller, problem }: FastifyRequest): void {
  if (caller && problem) dailyCounts.noteRefused(caller, problem.code, clock.now())
}

// 180 days: a server that moves back to http is not locked out of browsers for ever.
const STRICT_TRANSPORT = `max-age=${180 * 86_400}`

// Responses belong to one account, so none is cached unless its route says otherwise.
export function setCommonHeaders({ config }: Context, request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
  if (isServedOverHttps(config)) reply.header('strict-transport-security', STRICT_TRANSPORT)
}

export function registerErrorReplies(app: FastifyInstance, ctx: Context): void {
  app.setErrorHandler((error, request, reply) => {
    const answer = replyWithProblem(ctx.log, error, request, reply)
    if (request.routeOptions.config.countsRefusals) noteRefusal(ctx, request)
    return answer
  })
}
