// The HTTP door of the house: Fastify with our limits, parsers and checks, and the list of all routes.
import compress from '@fastify/compress'
import fastify, { type FastifyInstance } from 'fastify'
import { LIMITS } from '../contract/limits.ts'
import { compileCheck, type Part, validationProblem } from '../contract/validation.ts'
import type { Context } from '../operations/context.ts'
import type { RateLimiter } from '../operations/rate-limit.ts'
import { answerClientError, answerExpectation } from './connections/client-error.ts'
import { endConnectionsOnClose } from './connections/end.ts'
import { limitConnections } from './connections/limits.ts'
import { cutStalledAnswers } from './connections/stalled-answers.ts'
import type { HttpServer } from './fastify-types.ts'
import { registerBodyParsers } from './json-body.ts'
import { replyWithProblem } from './problem-reply.ts'
import { guardTheDoor, registerErrorReplies, setCommonHeaders } from './request-checks.ts'
import { logRequests, nextRequestId } from './request-log.ts'
import type { Health } from './routes/system.ts'
import { registerRoutes } from './routes.ts'
import { watchRoutes } from './unknown-routes.ts'

export async function createServer(ctx: Context, limiter: RateLimiter, health: Health): Promise<HttpServer> {
  const app: HttpServer = fastify({
    trustProxy: ctx.config.trustProxy.length > 0 ? ctx.config.trustProxy : false,
    bodyLimit: LIMITS.requestBodyBytes,
    genReqId: nextRequestId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 2048 },
    // A request that arrives on a kept connection while we stop is still answered, and told to close (end-connections).
    return503OnClosing: false,
    forceCloseConnections: false,
    // Node's own defaults (60 s, 300 s, no cap) invite slow clients to hold the server.
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // A missing Host is refused at our door, with a problem.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000, requireHostHeader: false },
    rewriteUrl: ({ url }) => withoutOrigin(url ?? '/'),
    clientErrorHandler: answerClientError,
    // What Fastify refuses before it has a route, and so before any hook.
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply)
      replyWithProblem(ctx.log, error, request, reply)
    },
  })
  limitConnections(app.server, ctx)
  app.server.on('checkExpectation', answerExpectation)
  endConnectionsOnClose(app)
  cutStalledAnswers(app.server)

  app.setValidatorCompiler(({ schema, httpPart }) => {
    const check = compileCheck(schema as object, PARTS[httpPart ?? 'body'] ?? 'body')
    return (value: unknown) => {
      const violations = check(value)
      // Fastify writes a code and a status of its own on the error it gets here, so ours travels inside of one.
      return violations.length === 0 ? true : { error: new Error('invalid', { cause: validationProblem(violations) }) }
    }
  })
  registerBodyParsers(app, ctx)
  registerErrorReplies(app, ctx)
  if (ctx.config.corsOrigins.length > 0) {
    await app.register(import('@fastify/cors'), { origin: ctx.config.corsOrigins, ...CORS })
  }
  compressOnlyReading(app)
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], requestEncodings: [...REQUEST_ENCODINGS] })
  // Before the door: what it refuses is logged too.
  logRequests(app, ctx)
  guardTheDoor(app, ctx, limiter, watchRoutes(app))
  requireAccessOnEveryRoute(app)
  writeEitherShapePlainly(app)

  registerRoutes(app, ctx, health)
  await app.ready()
  return app
}

// By default browsers may neither send the methods nor read the headers that our clients need.
const CORS = {
  maxAge: 600,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: ['X-Request-Id', 'X-Resource-Action', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
}

// The same on every version of Node; newer ones would also take zstd.
const REQUEST_ENCODINGS = ['br', 'gzip', 'deflate', 'identity'] as const

const PARTS: Record<string, Part> = { body: 'body', querystring: 'query', params: 'path' }

// The answer to a change is about as long as the change.
function compressOnlyReading(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET' && route.method !== 'HEAD') route.compress = false
  })
}

// `GET http://host/path`, as a client behind a misconfigured proxy sends it, is `GET /path`.
function withoutOrigin(url: string): string {
  if (url.startsWith('/')) return url
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}

// To tell two shapes apart, Fastify's serializer validates the answer against each of them, which takes longer than all
// the rest of it.
function writeEitherShapePlainly(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const responses = Object.values(route.schema?.response ?? {})
    if (responses.some((schema) => 'anyOf' in schema)) route.serializerCompiler = () => JSON.stringify
  })
}

// A route that forgets to say who may call it does not start.
function requireAccessOnEveryRoute(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) throw new Error(`${method} ${url} does not say who may call it`)
  })
}
