// The stream of Gotify's apps: a WebSocket with one text frame per message. Nothing is sent when it opens.
import type { AppNews } from '../../../domain/apps/news.ts'
import { requireApp } from '../../../domain/permissions.ts'
import type { Context } from '../../../operations/context.ts'
import { authenticateAtGotify } from '../../../operations/doors/gotify/authenticate.ts'
import { streamedMessages } from '../../../operations/doors/gotify/messages.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'
import { followBySocket } from '../app-sockets.ts'
import { DOOR_ROUTE } from '../door.ts'
import { gotifyToken } from './request.ts'
import { messageView } from './views.ts'

export function streamRoute(scope: HttpServer, ctx: Context): void {
}
