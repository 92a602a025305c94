// The door for senders of Gotify: POST /message, answered as Gotify answers.
import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Problem } from '../../../contract/problems.ts'
import { DEFAULT_PRIORITY, titleOf } from '../../../domain/doors/gotify.ts'
import { toRfc3339 } from '../../../domain/instant.ts'
import type { Context } from '../../../operations/context.ts'
import { authenticateAtDoor } from '../../../operations/doors/authenticate.ts'
import { sendFromGotify } from '../../../operations/doors/gotify.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { DOOR_ROUTE, openDoor } from '../door.ts'
import { gotifyToken, readGotifyRequest } from './request.ts'

export function gotifyDoor(app: HttpServer, ctx: Context): void {
  openDoor(app, ctx, {
    prefix: '/gotify',
    errorOf,
    routes(scope) {
      const send = async (request: FastifyRequest) => {
        const caller = await authenticateAtDoor(ctx, 'gotify', gotifyToken(request))
        const { message, appid } = await readGotifyRequest(request)
        const { notification, application } = await sendFromGotify(ctx, caller, message, appid)
        return {
          id: notification.id,
          appid: application.number,
          message: message.message,
          title: titleOf(message, application),
          priority: message.priority ?? DEFAULT_PRIORITY,
          extras: message.extras,
          date: toRfc3339(notification.createdAt),
        }
      }
      scope.post('/message', DOOR_ROUTE, send)
      // A sender that does not trim the slash of its address.
      scope.post('//message', DOOR_ROUTE, send)
    },
  })
}

const NO_TOKEN = 'you need to provide a valid access token or user credentials to access this api'

function errorOf(problem: Problem) {
  const status = statusOf(problem)
  return {
    status,
    body: { error: STATUS_CODES[status], errorCode: status, errorDescription: descriptionOf(status, problem) },
  }
}

// Gotify has one status for everything that is wrong with a request.
function statusOf({ problem, status }: Problem): number {
  if (problem === 'integration_key.not_found') return 400
  return [401, 403, 404, 413, 429].includes(status) || status >= 500 ? status : 400
}

function descriptionOf(status: number, { problem, detail }: Problem): string {
  if (status === 401) return NO_TOKEN
  if (status === 403) return 'you are not allowed to access this api'
  if (problem === 'integration_key.not_found') return 'appid not found'
  return problem === 'route.not_found' ? 'page not found' : detail
}
