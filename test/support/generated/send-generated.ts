// Sends generated requests unchanged: unlike fetch, node:http rewrites neither paths nor methods.
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { GeneratedRequest } from './request-arbitrary.ts'

export type GeneratedAnswer = { status: number; type: string; body: string }

export const createAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 16 })

export async function sendGenerated(
  url: string,
  agent: Agent,
  { method, path, headers, body }: GeneratedRequest,
  token: string | undefined,
): Promise<GeneratedAnswer> {
  const { hostname, port } = new URL(url)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const length = { 'content-length': String(body?.length ?? 0) }
    const all = { ...headers, ...authorization, ...length }
    const outgoing = request({ agent, hostname, port, method, path, headers: all, timeout: 600_000 })
    outgoing.on('response', resolve)
    // Only makes the error name the request that was never answered.
    outgoing.on('timeout', () => outgoing.destroy(new Error('timed out')))
    outgoing.on('error', (cause) => reject(new Error(`${method} ${path} got no answer`, { cause })))
    outgoing.end(body)
  })
  const type = answer.headers['content-type'] ?? ''
  if (type.startsWith('text/event-stream')) {
    answer.destroy()
    return { status: answer.statusCode ?? 0, type, body: '' }
  }
  return { status: answer.statusCode ?? 0, type, body: await text(answer) }
}
