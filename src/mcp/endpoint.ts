// A request at /mcp: hands its message to the thread that speaks the protocol, runs the tool that the message calls, and
// ends the call when the client disconnects or cancels it.
import type { Caller } from '../domain/caller.ts'
import { type CallName, cancelCall, onCancel } from '../operations/call-cancellation.ts'
import type { Context } from '../operations/context.ts'
import { createProtocolThread, type ToExchange } from './thread/thread.ts'
import { callTool } from './tools/call.ts'
import type { Progress, Tool } from './tools/tool.ts'
import { findTool, isAllowed, TOOLS } from './tools/tools.ts'

export type McpRequest = {
  caller: Caller
  headers: Record<string, string>
  // One JSON-RPC message; the SDK checks its shape.
  message: Message
  // The id that the client got with its handshake. The server keeps nothing under it.
  session: string | undefined
  // Aborted when the client disconnects.
  gone: AbortSignal
}

export type Message = {
  method?: unknown
  id?: unknown
  params?: { name?: unknown; requestId?: unknown } | null
}

export type McpResponse = {
  head(status: number, headers: Record<string, string>): void
  chunk(bytes: Uint8Array): void
}

export type Endpoint = {
  // Resolves when the response is complete. No head has come if the thread has failed.
  answer(request: McpRequest, response: McpResponse): Promise<void>
  close(): Promise<void>
}

export function createEndpoint(ctx: Context): Endpoint {
  const thread = createProtocolThread(
    ctx.log,
    TOOLS.map(({ description }) => description),
  )
  return {
    async answer(request, response) {
      const { caller, headers, message, gone } = request
      await passOnCancellation(ctx, request)
      const cancel = new AbortController()
      const ended = AbortSignal.any([gone, cancel.signal])
      const stopListening = onCancellation(ctx, request, () => cancel.abort())
      async function runTool(name: string, args: unknown, send: (message: ToExchange) => void) {
        const reportProgress = (progress: Progress) => send({ progress })
        const tool = findTool(name) as Tool
        send({ result: await callTool(ctx, caller, { tool, args }, { ended, reportProgress }) })
      }
      const exchange = {
        headers,
        message,
        toolNames: TOOLS.filter((tool) => isAllowed(caller, tool)).map(({ description }) => description.name),
        isLong: calledTool(message)?.waits === true,
      }
      await thread.run('', exchange, {
        signal: gone,
        onMessage(part, send) {
          if ('head' in part) response.head(part.head.status, part.head.headers)
          else if ('chunk' in part) response.chunk(part.chunk)
          else void runTool(part.call.tool, part.call.args, send)
        },
      })
      stopListening()
      // The thread may have failed while the tool still waits.
      cancel.abort()
    },
    close: thread.close,
  }
}

const calledTool = ({ method, params }: Message): Tool | undefined =>
  method === 'tools/call' && typeof params?.name === 'string' ? findTool(params.name) : undefined

// Clients of the revisions before 2026-07-28 cancel a call by a request of its own; later ones disconnect.
async function passOnCancellation(ctx: Context, { caller, message, session }: McpRequest): Promise<void> {
  if (message.method !== 'notifications/cancelled') return
  const call = callName(session, message.params?.requestId)
  if (call) await cancelCall(ctx, caller, call)
}

// Returns the function that ends the subscription.
function onCancellation(ctx: Context, { caller, message, session }: McpRequest, listener: () => void): () => void {
  const call = calledTool(message)?.waits ? callName(session, message.id) : undefined
  return call ? onCancel(ctx, caller, call, listener) : () => {}
}

const callName = (session: string | undefined, requestId: unknown): CallName | undefined =>
  session !== undefined && (typeof requestId === 'string' || typeof requestId === 'number')
    ? { session, requestId }
    : undefined
