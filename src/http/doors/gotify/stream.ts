// The stream of Gotify's apps: a WebSocket with one text frame per message. Nothing is sent when it opens.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import { requireApp } from '../../../domain/permissions.ts'
import type { Context } from '../../../operations/context.ts'
import { type GotifyStream, newestEvent, streamMessages } from '../../../operations/doors/gotify/stream.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'
import { followBySocket } from '../app-sockets.ts'
import { DOOR_ROUTE } from '../door.ts'
import { findCaller } from './request.ts'
import { messageView } from './views.ts'

export function streamRoute(scope: HttpServer, ctx: Context): void {
  const accepted = new WeakMap<FastifyRequest, GotifyStream>()
  scope.route({
    ...DOOR_ROUTE,
    method: 'GET',
    url: '/stream',
    // A refused token is answered with a status, before the protocol changes.
    async preHandler(request) {
      const caller = await findCaller(ctx, request)
      requireApp(caller, 'gotify')
      // Read before the app sees that the stream is open, so that it gets everything that is sent from then on.
      const after = await newestEvent(ctx, caller)
      accepted.set(request, { caller, after, publicUrl: publicUrlFor(ctx, request) })
    },
    handler: refuse,
    async wsHandler(socket, request) {
      const stream = accepted.get(request)
      if (!stream) return
      await followBySocket(ctx, stream.caller.deviceId, socket, (follower) =>
        streamMessages(ctx, stream, {
          ...follower,
          write: (messages, flushed) =>
            follower.write(
              messages.map((message) => JSON.stringify(messageView(message))),
              flushed,
            ),
        }),
      )
    },
  })
}

function refuse(_request: FastifyRequest): never {
  throw new Problem(
    'request.header_invalid',
    "websocket: the client is not using the websocket protocol: 'upgrade' token not found in 'Connection' header",
  )
}
