// HTTP as bytes on a socket, for requests that client libraries refuse to send.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type RawAnswer = { status: number; headers: Map<string, string>; body: string }

// `localAddress`: one of 127.0.0.0/8, to be another client than the others of a test.
export async function openSocket(url: string, localAddress?: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, localAddress })
  await once(socket, 'connect')
  // The server may reset a connection whose request it refused; its answer before that counts.
  socket.on('error', () => {})
  return socket
}

// Sends the bytes and reads every answer until the server closes; the last request must ask for that.
export async function sendBytes(url: string, bytes: string | Buffer): Promise<RawAnswer[]> {
  const socket = await openSocket(url)
  const received = readAll(socket)
  socket.write(bytes)
  return parseAnswers(await received)
}

// Sends one request with these header lines and returns its only answer.
export async function sendLines(url: string, lines: string[], body = ''): Promise<RawAnswer> {
  const [answer, ...more] = await sendBytes(url, `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
  if (!answer || more.length > 0) throw new Error(`${more.length + (answer ? 1 : 0)} answers where one was expected`)
  return answer
}

export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

// Requires a Content-Length, which all answers to these requests have.
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`an answer without an end of its headers: ${rest}`)
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = new Map(lines.map((line) => line.split(/:\s*/, 2) as [string, string]).map(inLowerCase))
    const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0)
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, body: rest.slice(end + 4, bodyEnd) })
    rest = rest.slice(bodyEnd)
  }
  return answers
}

const inLowerCase = ([name, value]: [string, string]): [string, string] => [name.toLowerCase(), value]
