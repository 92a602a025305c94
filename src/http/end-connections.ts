// Lets go of connections when the service stops. By itself Node waits for each to end: a kept one that is answered only
// now for its whole idle time, and one that never asked anything for ever.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

// For requests that are on their way when we stop.
const GRACE_MS = 1000

export function endConnectionsOnClose(app: FastifyInstance): void {
  // Each with the newest answer on it.
  const open = new Map<Socket, ServerResponse | undefined>()

  app.server.on('connection', (socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  app.server.on('request', (request, answer) => open.set(request.socket, answer))
  // Whoever asks from here on is told by Fastify that this connection ends.
  app.addHook('preClose', async () => {
    for (const answer of open.values()) if (answer && !answer.headersSent) answer.setHeader('connection', 'close')
    setTimeout(() => {
      for (const [socket, answer] of open) if (!answer || answer.writableFinished) socket.destroy()
    }, GRACE_MS).unref()
  })
}
