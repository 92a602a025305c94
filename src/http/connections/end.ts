// Ends connections when the service stops, without losing requests that clients have just sent. HTTP/1.1 announces the
// end of a kept-alive connection only by `Connection: close` in a response, so every connection gets a moment in which
// its next request is answered with that. Only connections without a request by then are closed.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { parseAddressRanges } from '../../domain/address-rules.ts'
import { isTrustedProxy } from './client-address.ts'
import { untilQuietTurn } from './quiet-turn.ts'

export type Grace = { directMs: number; proxyMs: number }

// Longer than the time between sending a request and learning of the stop. A proxy sends requests of others, which it may
// not be able to repeat, so it has the time to close its idle connections itself: deploy/proxy makes nginx do so after one
// second.
const GRACE: Grace = { directMs: 500, proxyMs: 2000 }

export function endConnectionsOnClose(app: FastifyInstance, trustProxy: string[], grace: Grace = GRACE): void {
  const trusted = parseAddressRanges(trustProxy)
  // Each connection with its newest response.
  const open = new Map<Socket, ServerResponse | undefined>()

  async function closeIdle(mayClose: (socket: Socket) => boolean): Promise<void> {
    await untilQuietTurn(app.server, 'request')
    for (const [socket, answer] of open) {
      if ((!answer || answer.writableFinished) && mayClose(socket)) socket.destroy()
    }
  }

  app.server.on('connection', (socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  app.server.on('request', (request, answer) => open.set(request.socket, answer))
  // Node's server.close() calls it, and would reset connections on which a request is about to arrive.
  app.server.closeIdleConnections = () => {}
  // From here on, Fastify answers with `Connection: close`.
  app.addHook('preClose', async () => {
    for (const answer of open.values()) if (answer && !answer.headersSent) answer.setHeader('connection', 'close')
    const isDirect = ({ remoteAddress }: Socket) => !isTrustedProxy(remoteAddress, trusted)
    setTimeout(() => closeIdle(isDirect), grace.directMs).unref()
    setTimeout(() => closeIdle(() => true), grace.proxyMs).unref()
  })
}
