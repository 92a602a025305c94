// One line per request, with ids, duration and outcome; never tokens, bodies or query strings.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../operations/context.ts'

// Unique over restarts and nodes by its first half, over requests by its second.
const PROCESS_ID = randomBytes(6).toString('hex')
let requests = 0

export const nextRequestId = (): string => `${PROCESS_ID}-${(++requests).toString(36)}`

export function logRequests(app: FastifyInstance, { log }: Context): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { caller, problem } = request
    log.info(
      {
        request: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        code: problem?.code,
        user: caller?.userId,
        key: caller?.kind === 'key' ? caller.keyId : undefined,
      },
      'request',
    )
    done()
  })
}
