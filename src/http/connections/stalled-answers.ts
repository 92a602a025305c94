// Disconnects clients that do not read their responses: a response that cannot be written holds memory as long as the
// connection lasts, which by default has no limit.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const STALLED_AFTER_MS = 30_000

// Node counts a socket as idle while the operating system takes none of its bytes, even if some are waiting.
export function cutStalledAnswers(server: Server, afterMs = STALLED_AFTER_MS): void {
  const newestAnswer = new WeakMap<Socket, ServerResponse>()
  server.on('request', (request, answer) => newestAnswer.set(request.socket, answer))
  server.setTimeout(afterMs)
  // A listener replaces Node's default, which would disconnect every idle socket. Held requests and quiet event streams
  // have nothing to write and stay open.
  server.on('timeout', (socket) => {
    const answer = newestAnswer.get(socket)
    const isHeld = answer !== undefined && !answer.writableFinished && socket.writableLength === 0
    if (!isHeld) socket.destroy()
  })
}
