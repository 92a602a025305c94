// The door for displays with the firmware of TRMNL: it speaks to the address that was typed into its portal, keeps its key, and sleeps
// between two pictures. A `status` of 500 or `reset_firmware` would wipe its Wi-Fi and key, and one of 202 empty its battery: no answer
// has them.
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problems.ts'
import { type DisplayLook, displayLook, displaySize, readReport } from '../../domain/screens/display.ts'
import type { Context } from '../../operations/context.ts'
import { keepLog, nextPicture, pictureFile, register } from '../../operations/screens/displays.ts'
import type { HttpServer } from '../fastify-types.ts'
import { publicUrlFor } from '../public-url.ts'
import { bodyOf } from '../request-body.ts'
import { DOOR_ROUTE, openDoor } from './door.ts'
import { queryOf } from './reading.ts'

const PREFIX = '/trmnl'
// The firmware reads no compressed answer, and needs Content-Length.
const ROUTE = { ...DOOR_ROUTE, decompress: false, compress: false, exposeHeadRoute: false } as const
const DISPLAY = '/p-:code'

export function trmnlDoor(app: HttpServer, ctx: Context): void {
  openDoor(app, ctx, {
    prefix: PREFIX,
    errorOf,
    unknownToken: 'screen.not_found',
    routes(scope) {
      scope.get(`${DISPLAY}/api/setup`, ROUTE, async (request) => {
        const look = displayLook(request.headers)
        const { key, friendlyId, filename } = await register(ctx, { ...calledBy(request), look })
        return {
          status: 200,
          api_key: key,
          friendly_id: friendlyId,
          image_url: imageUrl(ctx, request, filename, look),
          filename,
          message: 'Registered with Heliograph',
        }
      })

      scope.get(`${DISPLAY}/api/display`, ROUTE, async (request) => {
        const asked = { look: displayLook(request.headers), report: readReport(request.headers, ctx.clock.now()) }
        const { filename, look, refreshSeconds } = await nextPicture(ctx, { ...calledBy(request), ...asked })
        return {
          status: 0,
          image_url: imageUrl(ctx, request, filename, look),
          filename,
          refresh_rate: refreshSeconds,
          update_firmware: false,
          firmware_url: null,
          reset_firmware: false,
          special_function: 'none',
        }
      })

      scope.post(`${DISPLAY}/api/log`, { ...ROUTE, bodyLimit: LIMITS.display.maxLogBytes }, async (request, reply) => {
        await keepLog(ctx, calledBy(request), (await bodyOf(request)).toString())
        return reply.code(204).send()
      })

      scope.get(`${DISPLAY}/i/:filename`, ROUTE, (request, reply) => sendPicture(ctx, request, reply))
    },
  })
}

async function sendPicture(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { code, filename } = request.params as { code: string; filename: string }
  const query = queryOf(request)
  const [, width, height] = /^(\d+)x(\d+)$/.exec(query.get('size') ?? '') ?? []
  const look = {
    size: displaySize(width, height),
    colors: query.get('colors') === '4' ? '4' : '2',
    format: filename.endsWith('.bmp') ? 'bmp' : 'png',
  } as const
  const picture = await pictureFile(ctx, { code, filename, look })
  return reply
    .headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
    .type(`image/${look.format}`)
    .send(picture)
}

function calledBy({ params, headers }: FastifyRequest): { code: string; mac: string; key: string } {
  const { code } = params as { code: string }
  return { code, mac: String(headers.id ?? ''), key: String(headers['access-token'] ?? '') }
}

const imageUrl = (ctx: Context, request: FastifyRequest, filename: string, { size, colors }: DisplayLook): string =>
  `${publicUrlFor(ctx, request)}${PREFIX}/p-${calledBy(request).code}/i/${filename}?size=${size}&colors=${colors}`

function errorOf({ status, code, detail }: Problem): { status: number; body: object } {
  const shown = status >= 500 ? 503 : status
  return { status: shown, body: { type: 'about:blank', title: STATUS_CODES[shown], status: shown, detail, code } }
}
