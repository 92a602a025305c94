// GET /events: the changes of an account as server-sent events. `Last-Event-ID` resumes where a connection broke.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../contract/problems.ts'
import { toRfc3339 } from '../domain/instant.ts'
import type { Context } from '../operations/context.ts'
import { type FeedItem, followEvents } from '../operations/events.ts'
import { callerOf } from './door.ts'
import type { HttpServer } from './fastify-types.ts'
import { activityView } from './routes/activity-view.ts'
import { notificationView } from './routes/notification-view.ts'

// Proxies close connections that are silent for a minute.
const HEARTBEAT_MS = 20_000

export function eventStreamRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/events',
    {
      schema: {
        tags: ['Events'],
        summary: 'Every change of the account, as it happens',
        description:
          'A `text/event-stream` of `{id, type, at, data}`. Send `Last-Event-ID` to go on after that event; events are kept for 24 hours, and an older id gets one `reset` event first.',
        response: {
          200: { description: 'The stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
        },
      },
      config: { access: 'user' },
    },
    async (request, reply) => stream(ctx, request, reply),
  )
}

async function stream(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.method === 'HEAD') {
    writeHead(reply)
    reply.raw.end()
    return
  }
  const { raw } = reply
  const gone = new AbortController()
  request.raw.on('close', () => gone.abort())
  raw.on('close', () => gone.abort())
  let cancelHeartbeat = () => {}
  try {
    await followEvents(ctx, callerOf(request), lastEventId(request), {
      begin() {
        writeHead(reply)
        raw.write(': connected\n\n')
        cancelHeartbeat = heartbeat(ctx, () => raw.writableNeedDrain || raw.write(':\n\n'))
      },
      deliver: (items, over) => write(raw, items.map(toText).join(''), over),
      gone: gone.signal,
    })
  } catch (error) {
    if (!raw.headersSent) throw error
    // The answer has begun, so a revoked token can only be told by ending it.
    if (!(error instanceof Problem)) ctx.log.error({ request: request.id, err: error }, 'event stream failed')
  } finally {
    cancelHeartbeat()
    if (raw.headersSent) raw.end()
  }
}

function writeHead(reply: FastifyReply): void {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // When it ends, we stop or the token is revoked: either way there is nothing more to ask here.
    connection: 'close',
  })
}

async function write(raw: ServerResponse, text: string, over: AbortSignal): Promise<void> {
  if (raw.write(text)) return
  // It rejects when there is nobody to write to any more, which the follower sees for itself.
  await once(raw, 'drain', { signal: over }).catch(() => {})
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const text = headers['last-event-id']
  if (text === undefined) return undefined
  // Whatever we did not give out is older than everything we keep.
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : -1
}

function heartbeat(ctx: Context, beat: () => void): () => void {
  let cancel = () => {}
  const next = () => {
    cancel = ctx.clock.wakeAfter(HEARTBEAT_MS, () => {
      beat()
      next()
    })
  }
  next()
  return () => cancel()
}

function toText(item: FeedItem): string {
  if (item.kind === 'reset') return `id: ${item.number}\nevent: reset\ndata: {}\n\n`
  const { number, type, at } = item.event
  const view = { id: number, type, at: toRfc3339(at), data: dataOf(item) }
  return `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify(view)}\n\n`
}

function dataOf({ event, notification, activity }: FeedItem & { kind: 'event' }): unknown {
  if (notification) return notificationView(notification)
  return activity ? activityView(activity) : event.data
}
