// Reports the end of each request: one log line with ids, duration and outcome, never tokens, bodies or query strings;
// and the metrics.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../operations/context.ts'
import type { RequestEnd, ScreenForm } from '../runtime/metrics/metrics.ts'

// The first half of an id is unique over nodes and restarts, the second over requests. A random UUID costs 1 µs, 3 % of the
// fastest request.
export function createRequestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let requests = 0
  return () => `${process}-${(++requests).toString(36)}`
}

// On `close` and not in an onResponse hook, which does not run when the client disconnects first.
export function reportRequests(app: FastifyInstance, { log, clock, metrics }: Context): void {
  app.addHook('onRequest', (request, reply, done) => {
    const startedMs = clock.monotonicMs()
    reply.raw.on('close', () => {
      const ms = clock.monotonicMs() - startedMs
      // A getter that builds a new object each time.
      const route = request.routeOptions
      log.info(lineOf(request, reply, route.url, ms), 'request')
      if (metrics.isOn) metrics.requestEnded(endOf(request, reply, route, ms))
    })
    done()
  })
}

function lineOf(request: FastifyRequest, reply: FastifyReply, route: string | undefined, ms: number): object {
  const { caller, problem } = request
  return {
    request: request.id,
    method: request.method,
    route: route === undefined ? null : FILE_ROUTES.includes(route) ? filePath(request.url) : route,
    status: reply.raw.statusCode,
    ms: Math.round(ms * 10) / 10,
    code: problem?.code,
    user: caller?.userId,
    key: caller?.kind === 'key' ? caller.keyId : undefined,
    aborted: reply.raw.writableFinished ? undefined : true,
  }
}

// Files of the console and the documentation are logged by their path. Other paths may hold a secret.
const FILE_ROUTES = ['/app/*', '/docs/*', '/workers/*']
const MOST_PATH_CHARS = 200

const filePath = (url: string): string => url.replace(/[?#].*$/s, '').slice(0, MOST_PATH_CHARS)

function endOf(
  { method, problem, query }: FastifyRequest,
  { raw }: FastifyReply,
  { url, config }: FastifyRequest['routeOptions'],
  ms: number,
): RequestEnd {
  const { wait, follow } = query as { wait?: unknown; follow?: unknown }
  const isHeld = config.eventStream === true || follow === '1' || Number(wait ?? 0) > 0
  return {
    method,
    route: url,
    status: raw.headersSent ? raw.statusCode : 'aborted',
    ms,
    isHeld,
    problem: problem?.code,
    screenForm: screenFormOf(url),
  }
}

// By the pattern of the route: a path may hold the token of a link.
function screenFormOf(route = ''): ScreenForm | undefined {
  if (route.startsWith('/trmnl/')) return 'trmnl'
  const [, ending, page] =
    /^(?:\/s\/:token)?\/(?:widgets|activities|wall)\b.*\.(png|svg|bmp|txt|json)$|^\/s\/:token\/(events|iphone|scriptable)/.exec(
      route,
    ) ?? []
  const form = ending ?? (page === 'scriptable' ? 'iphone' : page)
  return form as ScreenForm | undefined
}
