// Ends connections when the service stops, without losing requests that clients have just sent. HTTP/1.1 has no other way
// to announce the end of a kept connection than `Connection: close` in an answer, so every connection gets a moment in
// which its next request is answered with that. Only connections without a request by then are closed.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

// Longer than a request takes to arrive that was sent before its client could learn of the stop.
const GRACE_MS = 500

export function endConnectionsOnClose(app: FastifyInstance): void {
  // Each connection with its newest answer.
  const open = new Map<Socket, ServerResponse | undefined>()

  app.server.on('connection', (socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  app.server.on('request', (request, answer) => open.set(request.socket, answer))
  // Node's server.close() calls it, and so resets connections on which a request is about to arrive.
  app.server.closeIdleConnections = () => {}
  // Requests that arrive from here on are told by Fastify that their connection ends.
  app.addHook('preClose', async () => {
    for (const answer of open.values()) if (answer && !answer.headersSent) answer.setHeader('connection', 'close')
    setTimeout(() => {
      for (const [socket, answer] of open) if (!answer || answer.writableFinished) socket.destroy()
    }, GRACE_MS).unref()
  })
}
