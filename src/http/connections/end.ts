// Ends connections when the service stops, without losing requests that clients have just sent. HTTP/1.1 announces the
// end of a kept-alive connection only by `Connection: close` in a response, so every connection gets a moment in which
// its next request is answered with that. Only connections without a request by then are closed.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

// Longer than the time between sending a request and learning of the stop.
const GRACE_MS = 500

export function endConnectionsOnClose(app: FastifyInstance): void {
  // Each connection with its newest response.
  const open = new Map<Socket, ServerResponse | undefined>()

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
    setTimeout(() => {
      for (const [socket, answer] of open) if (!answer || answer.writableFinished) socket.destroy()
    }, GRACE_MS).unref()
  })
}
