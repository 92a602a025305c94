// Requests that Node's HTTP parser refuses never reach Fastify; they get a problem like everyone else.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../contract/problems.ts'
import { PROBLEM_TYPE, problemBody } from './problem-reply.ts'
import { nextRequestId } from './request-log.ts'

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const id = nextRequestId()
  const problem = toProblem(error.code)
  const body = JSON.stringify(problemBody(problem, id))
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function toProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('request.headers_too_large', 'The request line and headers have at most 16 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request.timeout', 'The request did not arrive in time.')
    default:
      return new Problem('request.header_invalid', 'This is not a well-formed HTTP/1.1 request.')
  }
}
