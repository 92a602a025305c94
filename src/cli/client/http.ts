// HTTP requests of client commands. On node:http, because to load fetch takes longer than the rest of a command. An import
// of node:http would load fetch as well: it reads every export, and WebSocket is one of them.
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'

export type HttpRequest = {
  method: string
  headers: Record<string, string>
  body?: string | Buffer
  timeoutMs: number
}

export type HttpResponse = { status: number; headers: IncomingHttpHeaders; text: string }

// Far more than the largest page of an inbox.
const MAX_RESPONSE_CHARS = 32 * 1024 * 1024

export class TimeoutError extends Error {}

export async function request(url: string, options: HttpRequest): Promise<HttpResponse> {
  const response = await open(url, options)
  return { status: response.statusCode ?? 0, headers: response.headers, text: await readText(response) }
}

export async function readText(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8')
  let text = ''
  for await (const chunk of response) {
    text += chunk
    if (text.length > MAX_RESPONSE_CHARS) throw new Error('the response is too long')
  }
  return text
}

// Resolves when the head of the response has arrived. The connection fails with a TimeoutError if it is silent for timeoutMs.
export async function open(url: string, { method, headers, body, timeoutMs }: HttpRequest): Promise<IncomingMessage> {
  const { request: start } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http')
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  // A connection that stays open would keep the process running.
  const options = { method, headers: { ...headers, ...length }, agent: false as const, timeout: timeoutMs }
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = start(url, options, resolve)
    sent.on('timeout', () => sent.destroy(new TimeoutError())).on('error', reject)
    sent.end(body)
  })
}
