// Local HTTP servers and TCP listeners, closed when the test ends, and an outbound client for them.
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  type Outbound,
  type OutboundOptions,
  type OutboundRequest,
  openOutbound,
} from '../../../src/push/outbound-http.ts'
import { createLog } from '../../../src/runtime/log.ts'
import type { SelfSigned } from './self-signed.ts'

export type ServerOptions = { host?: string; port?: number; tls?: SelfSigned }

export async function startServer(listener: RequestListener, options: ServerOptions = {}) {
  const server = options.tls ? createHttpsServer(options.tls, listener) : createHttpServer(listener)
  const port = await listen(server, options)
  onTestFinished(() => server.closeAllConnections())
  return { port, url: `http://127.0.0.1:${port}/`, breakConnections: () => server.closeAllConnections() }
}

// Accepts connections and calls `greet` with each; by default it only counts them.
export async function startListener(host: string, greet: (socket: Socket) => void = () => {}) {
  const sockets: Socket[] = []
  const server = createTcpServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    greet(socket)
  })
  const port = await listen(server, { host })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { port, connections: () => sockets.length }
}

export function openTestOutbound(options: Omit<OutboundOptions, 'log'>): Outbound {
  const outbound = openOutbound({ ...options, log: createLog('silent', 'json') })
  onTestFinished(() => outbound.close())
  return outbound
}

export function requestTo(url: string, members: Partial<OutboundRequest> = {}): OutboundRequest {
  return { url, headers: {}, body: '', deadlineMs: 10_000, maxResponseBytes: 65_536, requireHttps: false, ...members }
}

async function listen(server: Server, options: ServerOptions): Promise<number> {
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}
