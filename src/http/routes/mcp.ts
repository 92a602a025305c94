// POST /mcp: the Model Context Protocol over Streamable HTTP, without sessions: every request is complete in itself.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../../contract/problems.ts'
import { createEndpoint, type Message } from '../../mcp/endpoint.ts'
import type { Context } from '../../operations/context.ts'
import { newUuid } from '../../runtime/ids.ts'
import { requireOwnAddress } from '../checks/own-address.ts'
import { callerOf } from '../checks/token.ts'
import type { HttpServer } from '../fastify-types.ts'
import { disconnectSignal } from '../route.ts'

export function mcpRoutes(app: HttpServer, ctx: Context): void {
  const endpoint = createEndpoint(ctx)
  app.addHook('onClose', () => endpoint.close())
  app.post(
    '/mcp',
    {
      schema: { body: Type.Unknown() },
      config: { access: 'any', bearerOnly: true, eventStream: true },
      onRequest: async (request) => requireOwnAddress(request, ctx.config),
    },
    async (request, reply) => {
      const message = messageOf(request)
      const { head, chunk, end } = responseTo(reply, message)
      const { headers } = request
      await endpoint.answer(
        {
          caller: callerOf(request),
          headers: protocolHeaders(headers),
          message,
          session: headers[SESSION] as string | undefined,
          gone: disconnectSignal(reply),
        },
        { head, chunk },
      )
      return end()
    },
  )
}

const SESSION = 'mcp-session-id'
// The headers that the protocol defines; the SDK checks them.
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

const protocolHeaders = (headers: FastifyRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    PROTOCOL_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )

// A batch would carry out a hundred calls for one request of the rate limit.
function messageOf({ body }: FastifyRequest): Message {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new Problem('request.body_invalid', 'Send one JSON-RPC message, an object; batches are not supported.')
}

function responseTo(reply: FastifyReply, { method }: Message) {
  const { raw } = reply
  const chunks: Uint8Array[] = []
  return {
    head(status: number, headers: Record<string, string>) {
      reply.code(status).headers(headers)
      // With this id a client names its calls when it cancels one. Nothing is stored under it.
      if (method === 'initialize' && status === 200) reply.header(SESSION, newUuid())
      if (!headers['content-type']?.startsWith('text/event-stream')) return
      reply.hijack()
      raw.writeHead(status, { ...(reply.getHeaders() as Record<string, string>), 'x-accel-buffering': 'no' })
      raw.flushHeaders()
    },
    chunk(bytes: Uint8Array) {
      if (raw.headersSent) raw.write(bytes)
      else chunks.push(bytes)
    },
    end() {
      if (raw.headersSent) return void raw.end()
      if (raw.destroyed) return reply.hijack()
      if (reply.getHeader('content-type') === undefined && chunks.length === 0 && reply.statusCode === 200) {
        throw new Error('the thread for MCP has ended')
      }
      return reply.send(Buffer.concat(chunks))
    },
  }
}
