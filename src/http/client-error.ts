// Requests that Node's HTTP server refuses do not reach Fastify. They get a problem as well.
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../contract/problems.ts'
import { PROBLEM_TYPE, problemBody } from './problem-reply.ts'

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunToAnswer(socket)) {
    socket.destroy()
    return
  }
  const { status, body, headers } = answerWith(clientErrorProblem(error.code))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

// For an Expect header other than 100-continue. The client may or may not send its body, so the rest of the connection
// cannot be parsed.
export function answerExpectation(_request: IncomingMessage, answer: ServerResponse): void {
  const problem = new Problem('request.expectation_failed', 'The only expectation that is met is 100-continue.')
  const { status, body, headers } = answerWith(problem)
  answer.writeHead(status, headers).end(body)
}

// Node's default handler checks the same; there is no public API for it.
function hasBegunToAnswer(socket: Socket): boolean {
  return (socket as { _httpMessage?: ServerResponse })._httpMessage?.headersSent ?? false
}

function answerWith(problem: Problem) {
  const id = randomUUID()
  const body = JSON.stringify(problemBody(problem, id))
  const headers = {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': id,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  }
  return { status: problem.status, body, headers }
}

function clientErrorProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('request.headers_too_large', 'The request line and headers have at most 16 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request.timeout', 'The request did not arrive in time.')
    default:
      return new Problem('request.header_invalid', 'This is not a well-formed HTTP/1.1 request.')
  }
}
