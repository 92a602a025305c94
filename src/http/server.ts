// The HTTP server: Fastify with limits, parsers and checks, and the list of all routes.
import compress from '@fastify/compress'
import fastify, { type FastifyInstance } from 'fastify'
import { LIMITS } from '../contract/limits.ts'
import { compileCheck, type Part, validationProblem } from '../contract/validation.ts'
import type { Context } from '../operations/context.ts'
import type { RateLimiter } from '../operations/rate-limit.ts'
import { answerClientError, answerExpectation } from './client-error.ts'
import { BoundedRequest, boundBodies } from './connections/bounded-request.ts'
import { endConnectionsOnClose } from './connections/end.ts'
import { limitConnections } from './connections/limits.ts'
import { cutStalledAnswers } from './connections/stalled-answers.ts'
import { isAppSocketRequest } from './doors/app-sockets.ts'
import { doorPrefixes } from './doors/hosts.ts'
import type { HttpServer } from './fastify-types.ts'
import { registerBodyParsers } from './json-body.ts'
import { registerMultipartParser } from './multipart-body.ts'
import { replyWithProblem } from './problem-reply.ts'
import { registerErrorReplies, registerRequestChecks, setCommonHeaders } from './request-checks.ts'
import { createRequestIds, reportRequests } from './request-log.ts'
import { traceRequests } from './request-spans.ts'
import type { Health } from './routes/doctor.ts'
import { registerRoutes } from './routes.ts'
import { compileSerializersLazily, serializeUnionsAsTheyAre } from './serializers.ts'
import { watchRoutes } from './unknown-routes.ts'

export async function createServer(ctx: Context, limiter: RateLimiter, health: Health): Promise<HttpServer> {
  const withDoor = doorPrefixes(ctx.config)
  const app: HttpServer = fastify({
    trustProxy: ctx.config.trustProxy.length > 0 ? ctx.config.trustProxy : false,
    bodyLimit: LIMITS.request.maxBodyBytes,
    genReqId: createRequestIds(),
    requestIdHeader: false,
    routerOptions: { maxParamLength: 2048 },
    // A request that arrives on a kept-alive connection while the server stops is still answered (connections/end.ts).
    return503OnClosing: false,
    forceCloseConnections: false,
    // Node's defaults (60 s, 300 s, no cap) let slow clients occupy connections.
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // The request checks refuse a missing Host with a problem.
    http: {
      IncomingMessage: BoundedRequest,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 5000,
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => isAppSocketRequest(request, withDoor(request, request.url ?? '/')),
    },
    rewriteUrl: (request) => withDoor(request, withoutOrigin(request.url ?? '/')),
    clientErrorHandler: answerClientError,
    // For requests that Fastify refuses before it has a route, and so before any hook.
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(ctx, request, reply)
      replyWithProblem(ctx.log, error, request, reply)
    },
  })
  boundBodies(app.server)
  limitConnections(app.server, ctx)
  app.server.on('checkExpectation', answerExpectation)
  endConnectionsOnClose(app, ctx.config.trustProxy)
  cutStalledAnswers(app.server)

  app.setValidatorCompiler(({ schema, httpPart }) => {
    const check = compileCheck(schema as object, PARTS[httpPart ?? 'body'] ?? 'body')
    return (value: unknown) => {
      const violations = check(value)
      // Fastify overwrites code and status of the error that it gets here, so the problem is its cause.
      return violations.length === 0 ? true : { error: new Error('invalid', { cause: validationProblem(violations) }) }
    }
  })
  registerBodyParsers(app, ctx)
  registerMultipartParser(app, ctx)
  registerErrorReplies(app, ctx)
  if (ctx.config.corsOrigins.length > 0) {
    await app.register(import('@fastify/cors'), { origin: ctx.config.corsOrigins, ...CORS })
  }
  compressGetOnly(app)
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], requestEncodings: [...REQUEST_ENCODINGS] })
  // Before the request checks, so that refused requests are reported.
  reportRequests(app, ctx)
  traceRequests(app, ctx)
  registerRequestChecks(app, ctx, limiter, watchRoutes(app))
  requireAccessOnEveryRoute(app)
  compileSerializersLazily(app)
  serializeUnionsAsTheyAre(app)

  registerRoutes(app, ctx, health)
  await app.ready()
  return app
}

// By default browsers may neither send these methods nor read these headers.
const CORS = {
  maxAge: 600,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: ['X-Request-Id', 'X-Resource-Action', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
}

// Explicit, because newer versions of Node would also accept zstd.
const REQUEST_ENCODINGS = ['br', 'gzip', 'deflate', 'identity'] as const

const PARTS: Record<string, Part> = { body: 'body', querystring: 'query', params: 'path' }

// Responses to writes are not compressed: they are as small as the request.
function compressGetOnly(app: FastifyInstance): void {
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

// The server does not start with a route that does not declare who may call it.
function requireAccessOnEveryRoute(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) throw new Error(`${method} ${url} does not say who may call it`)
  })
}
