// Liveness and readiness.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../../contract/problems.ts'
import type { Context } from '../../operations/context.ts'
import type { RunCheckup } from '../../operations/doctor/finding.ts'
import { ARRIVAL_HEADER, type Arrival, isProbe, PROBE_HEADER } from '../../operations/doctor/public-url.ts'
import type { CheckReadiness } from '../../operations/readiness.ts'
import type { HttpServer } from '../fastify-types.ts'

export type Health = { checkReadiness: CheckReadiness; checkup: RunCheckup }

const Status = Type.Object({ status: Type.String() }, { title: 'Status' })
const Readiness = Type.Object(
  {
    status: Type.String(),
    fan_out_lateness_seconds: Type.Optional(
      Type.Integer({
        description:
          'How long ago a change was accepted that has not reached every member of its organization yet. Only present if that is a minute or more.',
      }),
    ),
  },
  { title: 'Readiness' },
)

export function healthRoutes(app: HttpServer, ctx: Context, health: Health): void {
  app.get(
    '/health',
    {
      schema: {
        tags: ['System'],
        operationId: 'getHealth',
        summary: 'Check that the process serves requests',
        response: { 200: Status },
      },
      config: { access: 'public' },
    },
    async (request, reply) => {
      if (isProbe(ctx.signingKey, request.headers[PROBE_HEADER], ctx.clock.now())) {
        reply.header(ARRIVAL_HEADER, JSON.stringify(arrivalOf(request)))
      }
      return { status: 'ok' }
    },
  )

  app.get(
    '/ready',
    {
      schema: {
        tags: ['System'],
        operationId: 'getReadiness',
        summary: 'Check that the database and the background jobs keep up',
        response: { 200: Readiness },
      },
      config: { access: 'public' },
    },
    async () => {
      const readiness = await health.checkReadiness()
      if (!readiness.isReady) throw new Problem('service.unavailable', readiness.reason)
      return { status: 'ready', fan_out_lateness_seconds: readiness.fanOutLatenessSeconds }
    },
  )
}

const arrivalOf = ({ socket, ip, ips, headers }: FastifyRequest): Arrival => ({
  peer: withoutMapping(socket.remoteAddress ?? ''),
  client: withoutMapping(ip),
  isForwarded: headers['x-forwarded-for'] !== undefined,
  // The first is the peer; Fastify adds those that trusted proxies name.
  isBelieved: (ips?.length ?? 0) > 1,
})

// A socket for both families shows IPv4 addresses as ::ffff:127.0.0.1.
const withoutMapping = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/, '')
