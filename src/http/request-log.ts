// One line per request, with ids, duration and outcome; never tokens, bodies or query strings.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../operations/context.ts'

// The first half is unique among processes, the second among requests.
const PROCESS_ID = randomBytes(6).toString('hex')
let requests = 0

export const nextRequestId = (): string => `${PROCESS_ID}-${(++requests).toString(36)}`

// Written when the response has been sent or the client has disconnected; Fastify's `onResponse` costs more and misses
// the latter.
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
