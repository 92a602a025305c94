// WebSockets of apps of other services. A socket is dropped, never closed politely: the Android apps of ntfy and Gotify take
// no notice of a close frame and would stay silent for minutes, while they connect again seconds after a drop.
import type { IncomingMessage } from 'node:http'
import websocket, { type WebSocket } from '@fastify/websocket'
import type { DeviceId } from '../../domain/devices.ts'
import type { AppFollower } from '../../operations/apps/follow.ts'
import type { Context } from '../../operations/context.ts'
import type { HttpServer } from '../fastify-types.ts'

// ntfy pings as often. Proxies and phone networks close connections that are silent for a minute.
const PING_MS = 45_000
// Apps send pings and pongs and nothing else.
const MOST_BYTES_FROM_APP = 64

export function registerAppSockets(scope: HttpServer): void {
  // A listener for upgrades that could not decline would leave clients without an answer that offer h2c.
  if (!canDeclineUpgrades(process.versions.node)) return
  scope.register(websocket, {
    options: { maxPayload: MOST_BYTES_FROM_APP, perMessageDeflate: false },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose(done) {
      for (const socket of scope.websocketServer.clients) socket.terminate()
      scope.websocketServer.close()
      done()
    },
  })
}

// shouldUpgradeCallback came with Node.js 22.21 and 24.9. With an older one, apps use /json.
export function canDeclineUpgrades(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === 22 ? minor >= 21 : major === 24 ? minor >= 9 : major > 24
}

// Other requests that ask for another protocol, such as h2c of Java's client, are answered in this one. `path`: with the
// prefix of the door.
export const isAppSocketRequest = ({ headers }: IncomingMessage, path: string): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && /^\/(ntfy|gotify)\/[^?]*(ws|stream)(\?|$)/.test(path)

// How a socket follows: text frames instead of news.
export type SocketFollower = Omit<AppFollower, 'begin' | 'write'> & {
  write(frames: string[], flushed: () => void): boolean
}

// Drops the connection if `follow` fails. For log lines: `deviceId`.
export async function followBySocket(
  ctx: Context,
  deviceId: DeviceId,
  socket: WebSocket,
  follow: (follower: SocketFollower) => Promise<void>,
): Promise<void> {
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  try {
    await follow({
      write: (frames, flushed) => sendAll(socket, frames, flushed),
      keepAlive() {
        if (!isAlive) return socket.terminate()
        isAlive = false
        socket.ping()
      },
      keepAliveMs: PING_MS,
      onGone: (listener) => void (socket.readyState === socket.OPEN ? socket.on('close', listener) : listener()),
      drop: () => socket.terminate(),
    })
  } catch (error) {
    ctx.log.warn({ err: error, device: deviceId }, 'an app cannot be connected')
    socket.terminate()
  }
}

function sendAll(socket: WebSocket, frames: string[], flushed: () => void): boolean {
  const last = frames.length - 1
  if (last === -1) flushed()
  for (const [index, frame] of frames.entries()) socket.send(frame, index === last ? () => flushed() : undefined)
  return last !== -1
}
