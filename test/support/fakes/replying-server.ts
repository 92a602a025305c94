// A server for client commands: it gives the replies it was told and records what it was asked.
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { startServer } from './local-servers.ts'

export const TOKEN = `hla_${'x'.repeat(32)}`
// Nothing listens there.
export const NOBODY = 'http://127.0.0.1:2'

export type Reply = { status: number; headers?: Record<string, string>; body?: object | string }
// `json` is undefined without a body.
type Received = { method?: string; url?: string; headers: IncomingHttpHeaders; json?: unknown }

// The replies in their order; the last one is repeated.
export async function serverThatReplies(...replies: [Reply, ...Reply[]]) {
  const received: Received[] = []
  const { url } = await startServer(async (request, response) => {
    const { status, headers, body = '' } = replies[Math.min(received.length, replies.length - 1)] as Reply
    const sent = await text(request)
    received.push({
      method: request.method,
      url: request.url,
      headers: request.headers,
      json: sent ? JSON.parse(sent) : undefined,
    })
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return { received, environment: { HELIOGRAPH_URL: url, HELIOGRAPH_TOKEN: TOKEN } }
}
