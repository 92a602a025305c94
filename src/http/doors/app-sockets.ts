// WebSockets of apps of other services. A socket is dropped, never closed politely: the Android apps of ntfy and Gotify take
// no notice of a close frame and would stay silent for minutes, while they connect again seconds after a drop.
import type { IncomingMessage } from 'node:http'
import websocket, { type WebSocket } from '@fastify/websocket'
import type { AppNews } from '../../domain/apps/news.ts'
import type { AppCaller } from '../../domain/caller.ts'
import { followNews } from '../../operations/apps/follow.ts'
import type { Context } from '../../operations/context.ts'
import type { HttpServer } from '../fastify-types.ts'

// ntfy pings as often. Proxies and phone networks close connections that are silent for a minute.
const PING_MS = 45_000
// Apps send pings and pongs and nothing else.
const MOST_BYTES_FROM_APP = 64

export async function registerAppSockets(scope: HttpServer): Promise<void> {
  await scope.register(websocket, {
    options: { maxPayload: MOST_BYTES_FROM_APP, perMessageDeflate: false },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose(done) {
      for (const socket of scope.websocketServer.clients) socket.terminate()
      scope.websocketServer.close()
      done()
    },
  })
}

// Other requests that ask for another protocol, such as h2c of Java's client, are answered in this one. `path`: with the
// prefix of the door.
export const isAppSocketRequest = ({ headers }: IncomingMessage, path: string): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && /^\/(ntfy|gotify)\/.*\/?(ws|stream)\/?(\?|$)/.test(path)

export type SocketFollowing = {
  after: number | undefined
  // Sent first.
  greeting?: string
  // The text frames of news; none if they are not for this app.
  framesOf(news: AppNews[]): string[] | Promise<string[]>
}

// Returns when the connection has ended.
export async function followBySocket(
  ctx: Context,
  caller: AppCaller,
  socket: WebSocket,
  { after, greeting, framesOf }: SocketFollowing,
): Promise<void> {
  const gone = new AbortController()
  const fail = (error: unknown) => {
    ctx.log.warn({ err: error, device: caller.deviceId }, 'the connection of an app failed')
    gone.abort()
  }
  let isAlive = true
  socket.on('close', () => gone.abort())
  socket.on('pong', () => (isAlive = true))
  try {
    await followNews(ctx, caller, after, {
      begin: () => greeting && socket.send(greeting),
      write: (news, flushed) => void sendAll(socket, framesOf(news), flushed).catch(fail),
      keepAlive() {
        if (!isAlive) gone.abort()
        isAlive = false
        socket.ping()
      },
      keepAliveMs: PING_MS,
      gone: gone.signal,
    })
  } catch (error) {
    fail(error)
  } finally {
    socket.terminate()
  }
}

async function sendAll(socket: WebSocket, made: string[] | Promise<string[]>, flushed: () => void): Promise<void> {
  const frames = await made
  const last = frames.length - 1
  if (last === -1) flushed()
  for (const [index, frame] of frames.entries()) socket.send(frame, index === last ? () => flushed() : undefined)
}
