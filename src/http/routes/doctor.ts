// The state of the server over HTTP: liveness, readiness, version, and the findings of the doctor for its operators.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { CheckupView, ServerAddresses, VersionView } from '../../contract/doctor.ts'
import { Problem } from '../../contract/problems.ts'
import type { Context } from '../../operations/context.ts'
import { findAddresses } from '../../operations/doctor/addresses.ts'
import { checkUp, type RunCheckup } from '../../operations/doctor/finding.ts'
import { ARRIVAL_HEADER, type Arrival, isProbe, PROBE_HEADER } from '../../operations/doctor/public-url.ts'
import type { CheckReadiness } from '../../operations/readiness.ts'
import { VERSION } from '../../runtime/version.ts'
import { addressesView, checkupView } from '../../views/doctor.ts'
import { route, table } from '../route.ts'

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

export const doctorRoutes = (ctx: Context, health: Health) =>
  table({ tag: 'System' }, [
    route('GET /health', {
      id: 'getHealth',
      summary: 'Check that the process serves requests',
      access: 'public',
      ok: Status,
      handle: async ({ request, reply }) => {
        if (isProbe(ctx.signingKey, request.headers[PROBE_HEADER], ctx.clock.now())) {
          reply.header(ARRIVAL_HEADER, JSON.stringify(arrivalOf(request)))
        }
        return { status: 'ok' }
      },
    }),

    route('GET /ready', {
      id: 'getReadiness',
      summary: 'Check that the database and the background jobs keep up',
      access: 'public',
      ok: Readiness,
      handle: async () => {
        const readiness = await health.checkReadiness()
        if (!readiness.isReady) throw new Problem('service.unavailable', readiness.reason)
        return { status: 'ready', fan_out_lateness_seconds: readiness.fanOutLatenessSeconds }
      },
    }),

    route('GET /system/addresses', {
      id: 'getServerAddresses',
      summary: 'Read where devices in the same network can reach the server',
      description: 'For operators.',
      access: 'user',
      ok: ServerAddresses,
      problems: ['user.operator_required'],
      handle: async ({ caller, request }) => {
        const found = await findAddresses(ctx, caller, request.socket.localPort ?? ctx.config.port)
        return addressesView(found)
      },
    }),

    route('GET /system/version', {
      id: 'getVersion',
      summary: 'Read the version of the server',
      access: 'user',
      ok: VersionView,
      handle: async () => ({ version: VERSION }),
    }),

    route('GET /system/checks', {
      id: 'checkServer',
      summary: 'Check everything the server needs, as "heliograph doctor" does',
      description: 'For operators of this server. The result is at most 30 seconds old.',
      access: 'user',
      ok: CheckupView,
      problems: ['user.operator_required'],
      handle: async ({ caller }) => checkupView(await checkUp(ctx, caller, health.checkup)),
    }),
  ])

const arrivalOf = ({ socket, ip, ips, headers }: FastifyRequest): Arrival => ({
  peer: withoutMapping(socket.remoteAddress ?? ''),
  client: withoutMapping(ip),
  isForwarded: headers['x-forwarded-for'] !== undefined,
  // The first is the peer; Fastify adds those that trusted proxies name.
  isBelieved: (ips?.length ?? 0) > 1,
})

// A socket for both families shows IPv4 addresses as ::ffff:127.0.0.1.
const withoutMapping = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/, '')
