// The door for senders and apps of Gotify, answered as Gotify answers.
import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import { DEFAULT_PRIORITY, titleOf } from '../../../domain/doors/gotify/message.ts'
import { toRfc3339 } from '../../../domain/instant.ts'
import type { Context } from '../../../operations/context.ts'
import { sendFromGotify } from '../../../operations/doors/gotify/send.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { DOOR_ROUTE, openDoor } from '../door.ts'
import { infoRoutes } from './info.ts'
import { receivingRoutes } from './receiving.ts'
import { findCaller, readGotifyRequest } from './request.ts'
import { streamRoute } from './stream.ts'

export function gotifyDoor(app: HttpServer, ctx: Context): void {
  openDoor(app, ctx, {
    prefix: '/gotify',
    errorOf,
    unknownToken: 'token.invalid',
    routes(scope) {
      sendingRoutes(scope, ctx)
      infoRoutes(scope, ctx)
      receivingRoutes(scope, ctx)
      streamRoute(scope, ctx)
      refuseManagement(scope, ctx)
    },
  })
}

function sendingRoutes(scope: HttpServer, ctx: Context): void {
  scope.post('/message', DOOR_ROUTE, async (request) => {
    const caller = await findCaller(ctx, request)
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
  })
}

// Keys, accounts and plugins are managed in our own API and console. Gotify 3 refuses an app these requests too.
function refuseManagement(scope: HttpServer, ctx: Context): void {
  const refuse = async (request: FastifyRequest) => {
    await findCaller(ctx, request)
    throw new Problem('device.app_not_permitted', 'This is done in the console.')
  }
  scope.post('/application', DOOR_ROUTE, refuse)
  scope.put('/application/:id', DOOR_ROUTE, refuse)
  scope.delete('/application/:id', DOOR_ROUTE, refuse)
  scope.post('/application/:id/image', DOOR_ROUTE, refuse)
  scope.delete('/application/:id/image', DOOR_ROUTE, refuse)
  scope.post('/current/user/password', DOOR_ROUTE, refuse)
  for (const path of ['/user', '/user/:id', '/plugin', '/plugin/*']) scope.all(path, DOOR_ROUTE, refuse)
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
const statusOf = ({ status }: Problem): number =>
  [401, 403, 404, 413, 429].includes(status) || status >= 500 ? status : 400

function descriptionOf(status: number, { problem, detail }: Problem): string {
  if (status === 401) return NO_TOKEN
  if (status === 403) return 'you are not allowed to access this api'
  return problem === 'route.not_found' ? 'page not found' : detail
}
