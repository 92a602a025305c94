// The stream of Gotify's apps: a WebSocket with one text frame per message. Nothing is sent when it opens, and nothing says
// that a message was deleted: Gotify has no such frame.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import type { AppNews } from '../../../domain/apps/news.ts'
import { requireApp } from '../../../domain/permissions.ts'
import type { Context } from '../../../operations/context.ts'
import { authenticateAtGotify } from '../../../operations/doors/gotify/authenticate.ts'
import { newestEvent, streamedMessages } from '../../../operations/doors/gotify/messages.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'
import { followBySocket } from '../app-sockets.ts'
import { DOOR_ROUTE } from '../door.ts'
import { gotifyToken } from './request.ts'
import { messageView } from './views.ts'

export function streamRoute(scope: HttpServer, ctx: Context): void {
  const positions = new WeakMap<FastifyRequest, number>()
  scope.route({
    ...DOOR_ROUTE,
    method: 'GET',
    url: '/stream',
    // A refused token is answered with a status, before the protocol changes.
    async preHandler(request) {
      const caller = await authenticateAtGotify(ctx, gotifyToken(request))
      requireApp(caller, 'gotify')
      request.caller = caller
      // Read before the app sees that the stream is open, so that it gets everything that is sent from then on.
      positions.set(request, await newestEvent(ctx, caller))
    },
    handler: refuse,
    async wsHandler(socket, request) {
      const caller = callerOf(request)
      requireApp(caller, 'gotify')
      const show = streamedMessages(ctx, caller, publicUrlFor(ctx, request))
      await followBySocket(ctx, caller, socket, {
        after: positions.get(request),
        framesOf: (news) => framesOf(news, show),
      })
    },
  })
}

async function framesOf(news: AppNews[], show: ReturnType<typeof streamedMessages>): Promise<string[]> {
  const frames: string[] = []
  for (const one of news) if (one.kind === 'message') frames.push(JSON.stringify(messageView(await show(one))))
  return frames
}

function refuse(_request: FastifyRequest): never {
  throw new Problem(
    'request.header_invalid',
    "websocket: the client is not using the websocket protocol: 'upgrade' token not found in 'Connection' header",
  )
}
