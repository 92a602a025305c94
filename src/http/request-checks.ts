// What every request passes before its body is read: framing, rate limit, token, permission, slug, in that order.
import type {
  FastifyContextConfig as Config,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  preValidationHookHandler,
} from 'fastify'
import { SLUG_PATTERN } from '../contract/fields.ts'
import { LIMITS } from '../contract/limits.ts'
import { Problem } from '../contract/problems.ts'
import type { Caller } from '../domain/caller.ts'
import { requireAccess, requireSlug } from '../domain/permissions.ts'
import { authenticate } from '../operations/authenticate.ts'
import type { Context } from '../operations/context.ts'
import type { RateLimiter } from '../operations/rate-limit.ts'
import { clientAddress } from './connections/client-address.ts'
import { replyWithProblem } from './problem-reply.ts'
import { sessionToken } from './session-cookie.ts'

type Refuse = (request: FastifyRequest, reply: FastifyReply) => never

export function registerRequestChecks(
  app: FastifyInstance,
  ctx: Context,
  limiter: RateLimiter,
  refuseUnknown: Refuse,
): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('problem', undefined)

  app.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(request, reply)
    refuseAmbiguousHeaders(request)
    // Made anew each time it is asked for.
    const route = request.routeOptions
    limitRate(ctx, limiter, request, reply, route.config)
    dropContentTypeWithoutBody(request, route)
    const { access } = route.config
    // Every route has one.
    if (access === undefined) return refuseUnknown(request, reply)
    if (access === 'public') return
    const caller = await authenticate(ctx, tokenOf(request, ctx, route.config))
    request.caller = caller
    requireAccess(caller, access)
    checkSlug(request, caller, route.config)
  })

  app.addHook('onRoute', (route) => {
    if (route.schema?.body) route.preValidation = checkBody(route.config ?? {})
  })
}

// Answers hold what belongs to one account. Routes whose answers are the same for everybody say how to cache them.
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
}

// A callback, not a promise: there is nothing to wait for here.
function checkBody({ isBodyOptional, slugs }: Config): preValidationHookHandler {
  return (request, _reply, done) => {
    if (isBodyOptional && request.body === undefined) request.body = {}
    requireBody(request)
    // The slug of a POST is in its body. It is checked before the rest of the body.
    const slug = slugs && request.method === 'POST' ? slugIn(request.body) : undefined
    if (slugs && typeof slug === 'string') requireSlug(callerOf(request), slugs, slug)
    done()
  }
}

const slugIn = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'slug' in body ? body.slug : undefined

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`the route ${request.routeOptions.url} is public and has no caller`)
  return request.caller
}

export function registerErrorReplies(app: FastifyInstance, ctx: Context): void {
  app.setErrorHandler((error, request, reply) => replyWithProblem(ctx.log, error, request, reply))
}

// Names and values. Node drops headers beyond these without a word, and a second Host or Authorization with them.
const MOST_RAW_HEADERS = 2000

// Node keeps the first of two Host or Authorization headers; a proxy in front of us may have judged the second.
function refuseAmbiguousHeaders({ raw }: FastifyRequest): void {
  const { rawHeaders } = raw
  if (rawHeaders.length >= MOST_RAW_HEADERS) {
    throw new Problem('request.headers_too_large', `A request has fewer than ${MOST_RAW_HEADERS / 2} headers.`)
  }
  let hosts = 0
  let authorizations = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++
  }
  const hostless = hosts === 0 && raw.httpVersion === '1.1'
  if (hosts > 1 || authorizations > 1 || hostless) {
    const name = authorizations > 1 ? 'Authorization' : 'Host'
    throw new Problem('request.header_invalid', `Send the ${name} header once.`)
  }
}

// Content-Type and Content-Encoding are ignored, whatever they say, where there is no body or the route reads none.
function dropContentTypeWithoutBody(
  { raw: { headers } }: FastifyRequest,
  { schema }: { schema?: FastifySchema },
): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && schema?.body) return
  delete headers['content-type']
  delete headers['content-encoding']
}

function requireBody({ method, body }: FastifyRequest): void {
  if (body === undefined) throw new Problem('request.body_required', 'This needs a JSON body.')
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  if (method === 'PATCH' && isEmpty) throw new Problem('request.body_required', 'Send at least one member to change.')
}

function limitRate(
  ctx: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
  { rateLimit }: Config,
): void {
  const address = clientAddress(request)
  if (rateLimit) takeOne(limiter, reply, address, rateLimit)
  const perMinute = ctx.config.rateLimitPerMinute
  if (perMinute > 0) takeOne(limiter, reply, address, { name: 'default', perMinute })
}

type Rate = { name: string; perMinute: number }

function takeOne(limiter: RateLimiter, reply: FastifyReply, address: string, { name, perMinute }: Rate): void {
  const { allowed, remaining, resetSeconds } = limiter.take(name, address, perMinute)
  reply.header('ratelimit-policy', `"${name}";q=${perMinute};w=${LIMITS.rateWindowSeconds}`)
  reply.header('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`)
  if (allowed) return
  throw new Problem('rate_limit.exceeded', `More than ${perMinute} requests a minute from this address; wait a minute.`)
}

const BEARER = /^bearer ([^ ]+)$/i

function tokenOf(request: FastifyRequest, { config }: Context, { bearerOnly }: Config): string {
  const { headers } = request
  const token = BEARER.exec(headers.authorization ?? '')?.[1]
  if (token) return token
  // Whoever sends an Authorization, be it a bad one, is not the console.
  const mayBeConsole = headers.authorization === undefined && !bearerOnly
  const session = mayBeConsole ? sessionToken(request, config) : undefined
  if (session) return session
  throw new Problem('token.invalid', 'Send a token in the header "Authorization: Bearer …".')
}

const SLUG = new RegExp(SLUG_PATTERN)

function checkSlug(request: FastifyRequest, caller: Caller, { slugs }: Config): void {
  const { slug, key_id: keyId } = request.params as { slug?: string; key_id?: string }
  if (keyId !== undefined && keyId.length > 64)
    throw new Problem('path.too_long', 'The key id in the path is too long.')
  if (slug === undefined) return
  if (slugs) requireSlug(caller, slugs, slug)
  if (!SLUG.test(slug)) {
    throw new Problem(
      'slug.invalid',
      'A slug has letters, digits, hyphens and underscores, begins with a letter or digit, and has at most 128 characters.',
    )
  }
}
