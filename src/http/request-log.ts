// Logs one line per request, with ids, duration and outcome; never tokens, bodies or query strings.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../operations/context.ts'

// The first half of an id is unique over nodes and restarts, the second over requests. A random UUID costs 1 µs, 3 % of the
// fastest request.
export function createRequestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let requests = 0
  return () => `${process}-${(++requests).toString(36)}`
}

// On `close` and not in an onResponse hook, which does not run when the client disconnects first.
export function logRequests(app: FastifyInstance, { log, clock }: Context): void {
  app.addHook('onRequest', (request, reply, done) => {
    const startedMs = clock.monotonicMs()
    reply.raw.on('close', () => log.info(lineOf(request, reply, clock.monotonicMs() - startedMs), 'request'))
    done()
  })
}

function lineOf(request: FastifyRequest, reply: FastifyReply, ms: number): object {
  const { caller, problem } = request
  return {
    request: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.raw.statusCode,
    ms: Math.round(ms * 10) / 10,
    code: problem?.code,
    user: caller?.userId,
    key: caller?.kind === 'key' ? caller.keyId : undefined,
    aborted: reply.raw.writableFinished ? undefined : true,
  }
}
