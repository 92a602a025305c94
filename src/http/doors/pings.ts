// The door for pings: the public form of healthchecks.io, by the address of a heartbeat or by ping key and slug, so that its
// clients work with another host. No token in a header, answers as text, no quota.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import { keptBody, readPath, readRunId } from '../../domain/heartbeats/ping.ts'
import type { Context } from '../../operations/context.ts'
import { receivePing, unknownAddress } from '../../operations/heartbeats/ping.ts'
import type { HttpServer } from '../fastify-types.ts'
import { bodyOf } from '../request-body.ts'
import { DOOR_ROUTE, openDoor } from './door.ts'
import { queryOf } from './reading.ts'

const ROUTE = { ...DOOR_ROUTE, exposeHeadRoute: false, bodyLimit: LIMITS.heartbeat.maxBodyBytes } as const

// Web pages may ping. runitor sends no more than the end of its output that is kept.
const HEADERS = {
  'access-control-allow-origin': '*',
  'ping-body-limit': String(LIMITS.heartbeat.maxKeptBodyBytes),
}

export function pingDoor(app: HttpServer, ctx: Context): void {
  openDoor(app, ctx, {
    prefix: '/ping',
    errorOf: pingErrorOf,
    routes(scope) {
      scope.addHook('onRequest', (_request, reply, done) => {
        reply.headers(HEADERS)
        done()
      })
      // `/:token/:action` is also that of a ping key and a slug.
      const paths = ['/:token', '/:token/:action', '/:key/:slug/:action']
      for (const url of paths.flatMap((path) => [path, `${path}/`])) {
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
  const query = queryOf(request)
  const parts = Object.values(request.params as Record<string, string>)
  const read = readPath(parts, query.get('create') === '1')
  if (!read) throw unknownAddress()
  const rid = readRunId(query.get('rid'))
  if (rid === undefined) throw new Problem('request.validation_failed', 'rid must be a UUID')
  const ping = { ...read.action, rid, body: keptBody(await bodyOf(request)), from: addressOf(request) }
  const { isNew } = await receivePing(ctx, read.address, ping)
  return reply
    .code(isNew ? 201 : 200)
    .type('text/plain; charset=utf-8')
    .send('OK')
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
