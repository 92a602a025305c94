// The door for pings: the public form of healthchecks.io, so that its clients work with another host. No token in a
// header, answers as text, no quota.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import { keptBody, readAction, readPingToken, readRunId } from '../../domain/heartbeats/ping.ts'
import type { Context } from '../../operations/context.ts'
import { receivePing, unknownAddress } from '../../operations/heartbeats/ping.ts'
import type { HttpServer } from '../fastify-types.ts'
import { bodyOf, DOOR_ROUTE, openDoor } from './door.ts'
import { queryOf } from './reading.ts'

const ROUTE = { ...DOOR_ROUTE, exposeHeadRoute: false, bodyLimit: LIMITS.heartbeat.maxBodyBytes } as const

export function pingDoor(app: HttpServer, ctx: Context): void {
  openDoor(app, ctx, {
    prefix: '/ping',
    errorOf: pingErrorOf,
    routes(scope) {
      for (const url of ['/:token', '/:token/', '/:token/:action', '/:token/:action/']) {
        scope.route({
          ...ROUTE,
          method: ['GET', 'HEAD', 'POST'],
          url,
          handler: (request, reply) => receive(ctx, request, reply),
        })
      }
    },
  })
}

async function receive(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { token: text, action: name } = request.params as { token: string; action?: string }
  const [token, action] = [readPingToken(text), readAction(name)]
  if (!token || !action) throw unknownAddress()
  const rid = readRunId(queryOf(request).get('rid'))
  if (rid === undefined) throw new Problem('request.validation_failed', 'rid must be a UUID')
  await receivePing(ctx, token, { ...action, rid, body: keptBody(bodyOf(request)), from: addressOf(request) })
  return reply.type('text/plain; charset=utf-8').send('OK')
}

// A disconnected client has no address.
const addressOf = ({ ip }: FastifyRequest): string => ip ?? 'unknown'

function pingErrorOf({ status, detail }: Problem): { status: number; body: string } {
  if (status === 404) return { status, body: 'not found' }
  if (status === 429) return { status, body: 'rate limit exceeded' }
  if (status === 413) return { status, body: `the body has more than ${LIMITS.heartbeat.maxBodyBytes} bytes` }
  if (status === 422) return { status: 400, body: detail }
  return { status, body: detail }
}
