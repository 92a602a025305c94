// Lets go of connections when the service stops. By itself Node waits for each to end: a kept one that is answered only
// now for its whole idle time, and one that never asked anything for ever.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

// For requests that are on their way when we stop.
const GRACE_MS = 1000

export function endConnectionsOnClose(app: FastifyInstance): void {
  const open = new Set<Socket>()
  const answering = new Set<ServerResponse>()
  let closing = false

  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.server.on('request', (_request, response) => {
    answering.add(response)
    response.once('close', () => {
      answering.delete(response)
      // An event stream cannot announce it: its headers are long gone.
      if (closing) response.req.socket.end()
    })
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    closing = true
    setTimeout(() => {
      const busy = new Set([...answering].map((response) => response.req.socket))
      for (const socket of open) if (!busy.has(socket)) socket.destroy()
    }, GRACE_MS).unref()
  })
}
