// Disconnects clients that do not read their answers: an answer that waits to be written holds memory for as long as the
// connection lasts, and by default that has no end.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const STALLED_AFTER_MS = 30_000

// Node counts a socket as idle while the operating system takes none of its bytes, also if some wait to be written.
export function cutStalledAnswers(server: Server, afterMs = STALLED_AFTER_MS): void {
  const newestAnswer = new WeakMap<Socket, ServerResponse>()
  server.on('request', (request, answer) => newestAnswer.set(request.socket, answer))
  server.setTimeout(afterMs)
  // A listener takes over from Node, which would disconnect every idle socket: held requests and quiet event streams have
  // nothing to write and stay.
  server.on('timeout', (socket) => {
    const answer = newestAnswer.get(socket)
    const isHeld = answer !== undefined && !answer.writableFinished && socket.writableLength === 0
    if (!isHeld) socket.destroy()
  })
}
