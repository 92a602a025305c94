// What the Bark app asks of its server: whether it is there, and to be registered. The app shows `message` only if the status is
// 200, so every refusal of a phone has that status and another `code`.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import { isKeyOfCode, isKnownCode, registerBarkPhone } from '../../../operations/apps/bark/register.ts'
import type { Context } from '../../../operations/context.ts'
import { clientAddress } from '../../connections/client-address.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { DOOR_ROUTE } from '../door.ts'
import { queryOf } from '../reading.ts'
import { answer, type BarkAnswer, success } from './answers.ts'

// A compressed body could be larger than it says.
export const ROUTE = { ...DOOR_ROUTE, decompress: false, exposeHeadRoute: false } as const

const UNKNOWN = 'This address is not in use any more. Get a new one in Heliograph: Devices, Add a phone, Bark.'
const TOO_MANY = 'Too many attempts. Wait a minute, then try again.'

// `code`: without the `p-` before it.
const PHONE = '/p-:code'

export function phoneRoutes(scope: HttpServer, ctx: Context): void {
  scope.get(`${PHONE}/ping`, ROUTE, async (request) => {
    if (await isKnownCode(ctx, codeOf(request))) return success(ctx.clock.now(), undefined, 'pong')
    return refused(ctx, request, 404, UNKNOWN)
  })

  scope.get(`${PHONE}/register`, ROUTE, async (request) => {
    const query = queryOf(request)
    const registered = await registerBarkPhone(ctx, {
      code: codeOf(request),
      token: query.get('devicetoken') ?? '',
      key: query.get('key') ?? '',
      from: clientAddress(request),
    })
    if (registered.result === 'registered') {
      const { key, token } = registered
      return success(ctx.clock.now(), { key, device_key: key, device_token: token })
    }
    const { code, message, isGuess } = registered
    return isGuess ? refused(ctx, request, code, message) : answer(code, message, ctx.clock.now())
  })

  scope.get(`${PHONE}/register/:key`, ROUTE, async (request) => {
    const { key } = request.params as { key: string }
    if (await isKeyOfCode(ctx, codeOf(request), key)) return success(ctx.clock.now())
    throw new Problem('token.invalid', 'the phone is not registered')
  })

  // The address that the app shows for senders. A phone's key sends nothing.
  for (const url of [PHONE, `${PHONE}/*`]) {
    scope.route({
      ...ROUTE,
      method: ['GET', 'POST'],
      url,
      handler: async () => {
        throw new Problem(
          'token.invalid',
          'this is the address of a phone (Devices of the console), which cannot send; make a key under Keys of the console',
        )
      },
    })
  }

  scope.get('/register', ROUTE, async () => answer(403, UNKNOWN, ctx.clock.now()))
}

const codeOf = ({ params }: FastifyRequest): string => (params as { code: string }).code

function refused(ctx: Context, request: FastifyRequest, code: number, message: string): BarkAnswer {
  const tooMany = request.server.countRefusedToken(request)
  return tooMany ? answer(429, TOO_MANY, ctx.clock.now()) : answer(code, message, ctx.clock.now())
}
