// An answer that stays open and grows: event streams, and texts that are followed.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/problems.ts'
import type { Context } from '../../operations/context.ts'
import { disconnectSignal } from '../route.ts'

export type HeldAnswer = {
  // Called when the answer is certain to be 200: sends its head.
  begin(): void
  // Calls `flushed` when the operating system has taken all bytes, or the connection has failed.
  write(text: string, flushed?: () => void): void
  // The client does not read: what was written waits.
  isStalled(): boolean
  gone: AbortSignal
}

// `follow` returns when the client disconnects or the server stops, and throws when its token is revoked.
export async function holdAnswer(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { type, follow }: { type: string; follow: (answer: HeldAnswer) => Promise<void> },
): Promise<void> {
  const { raw } = reply
  if (request.method === 'HEAD') {
    writeHead(reply, type)
    raw.end()
    return
  }
  try {
    await follow({
      begin: () => writeHead(reply, type),
      write: (text, flushed) => raw.write(text, flushed),
      isStalled: () => raw.writableNeedDrain,
      gone: disconnectSignal(reply),
    })
  } catch (error) {
    if (!raw.headersSent) throw error
    // The response has begun, so a revoked token can only end it. Data that a stalled client has not read is discarded:
    // an orderly end would wait for it.
    if (raw.writableLength > 0) raw.destroy()
    if (!(error instanceof Problem)) ctx.log.error({ request: request.id, err: error }, 'held answer failed')
  } finally {
    if (raw.headersSent) raw.end()
  }
}

function writeHead(reply: FastifyReply, type: string): void {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': type,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // The answer ends when the server stops or the token is revoked; the connection is of no use after either.
    connection: 'close',
  })
}
