// Subscribing at the door for ntfy: as JSON lines, server-sent events, raw text or over a WebSocket; or by polling.
import { Readable } from 'node:stream'
import type { WebSocket } from '@fastify/websocket'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppCaller } from '../../../domain/caller.ts'
import { newMessageId } from '../../../domain/doors/ntfy/message-id.ts'
import type { NtfyEvent } from '../../../domain/doors/ntfy/outgoing.ts'
import { NtfyRefusal } from '../../../domain/doors/ntfy/refusal.ts'
import { readSubscription } from '../../../domain/doors/ntfy/subscription.ts'
import { toUnixSeconds } from '../../../domain/instant.ts'
import { mayShowActivities } from '../../../operations/apps/options.ts'
import type { Context } from '../../../operations/context.ts'
import { poll, type Subscriber, subscribe } from '../../../operations/doors/ntfy/subscribe.ts'
import { claimEndpoints } from '../../../operations/doors/ntfy/unified-push.ts'
import { noteTopics } from '../../../operations/doors/ntfy/upstream.ts'
import { randomText } from '../../../runtime/ids.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'
import { followBySocket } from '../app-sockets.ts'
import { addressOf, parameterReader } from './request.ts'

// As ntfy writes it; its app reads nothing for 77 s before it connects again.
const KEEP_ALIVE_MS = 45_000

// The app for iPhones (1.8.0) stores every line of a poll as a message, without a look at its event.
const IPHONE = /^ntfy\/.*\biOS\b/

type Format = { type: string; toText(event: NtfyEvent): string }

const toLine = (event: NtfyEvent) => `${JSON.stringify(event)}\n`
// The app of Android takes every line of /json for a document, so it has no blank one.
const FORMATS: Record<'json' | 'sse' | 'raw', Format> = {
  json: { type: 'application/x-ndjson; charset=utf-8', toText: toLine },
  sse: {
    type: 'text/event-stream; charset=utf-8',
    toText(event) {
      const isNamed = event.event === 'open' || event.event === 'keepalive'
      return `${isNamed ? `event: ${event.event}\n` : ''}data: ${JSON.stringify(event)}\n\n`
    },
  },
  raw: {
    type: 'text/plain; charset=utf-8',
    toText: ({ message = '' }) => `${message.replace(/\r?\n/g, ' ')}\n`,
  },
}

// `requireApp`: finds the caller of a request, who must be an app of ntfy.
export function subscribeRoutes(
  scope: HttpServer,
  ctx: Context,
  route: object,
  requireApp: (request: FastifyRequest) => Promise<AppCaller>,
): void {
  const subscriberOf = async (request: FastifyRequest): Promise<Subscriber> => {
    const { topics } = request.params as { topics: string }
    const caller = await requireApp(request)
    const subscription = readSubscription(topics, parameterReader(request), ctx.clock.now())
    if (subscription.isPoll) await noteTopics(ctx, caller, subscription.topics, addressOf(ctx, request))
    const showsAllEvents = IPHONE.test(request.headers['user-agent'] ?? '')
    const endpoints = await claimEndpoints(ctx, caller, subscription.topics)
    const showsActivities = await mayShowActivities(ctx, caller)
    const publicUrl = publicUrlFor(ctx, request)
    return { caller, subscription, publicUrl, showsAllEvents, endpoints, showsActivities }
  }
  for (const [name, format] of Object.entries(FORMATS)) {
    scope.get(`/:topics/${name}`, { ...route, compress: false }, async (request, reply) => {
      const subscriber = await subscriberOf(request)
      if (subscriber.subscription.isPoll) return sendPoll(ctx, subscriber, format, reply)
      return stream(ctx, subscriber, format, reply)
    })
  }
  const subscribers = new WeakMap<FastifyRequest, Subscriber>()
  scope.route({
    ...route,
    method: 'GET',
    url: '/:topics/ws',
    // Before the connection is upgraded, so that a refusal has a status.
    preHandler: async (request: FastifyRequest) => {
      if (!request.ws) throw new NtfyRefusal(40016)
      subscribers.set(request, await subscriberOf(request))
    },
    handler: async () => undefined,
    wsHandler: (socket: WebSocket, request: FastifyRequest) =>
      overSocket(ctx, subscribers.get(request) as Subscriber, socket),
  })
}

function sendPoll(ctx: Context, subscriber: Subscriber, { type, toText }: Format, reply: FastifyReply): FastifyReply {
  async function* texts() {
    for await (const events of poll(ctx, subscriber)) for (const event of events) yield toText(event)
  }
  return reply.type(type).send(Readable.from(texts()))
}

async function stream(ctx: Context, subscriber: Subscriber, format: Format, reply: FastifyReply): Promise<void> {
  const { raw } = reply
  const { type, toText } = format
  const topic = subscriber.subscription.topics.join(',')
  const sign = (event: 'open' | 'keepalive') => raw.write(toText(signal(ctx, event, topic)))
  await subscribe(ctx, subscriber, {
    begin() {
      writeHead(reply, type)
      sign('open')
    },
    write: (events, flushed) => {
      if (events.length === 0) flushed()
      else raw.write(events.map(toText).join(''), () => flushed())
      return events.length > 0
    },
    keepAlive: () => raw.writableNeedDrain || sign('keepalive'),
    keepAliveMs: KEEP_ALIVE_MS,
    onGone: (listener) => void (raw.destroyed ? listener() : raw.on('close', listener)),
    // An orderly end would wait for a client that does not read.
    drop: () => void (raw.writableLength > 0 ? raw.destroy() : raw.end()),
  })
}

function writeHead(reply: FastifyReply, type: string): void {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': type,
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // The stream ends when the server stops or the password is revoked; the connection is of no use after either.
    connection: 'close',
  })
  // Alone, not before the first event: Node would keep every piece of which it has put the head together.
  reply.raw.flushHeaders()
}

const overSocket = (ctx: Context, subscriber: Subscriber, socket: WebSocket): Promise<void> =>
  followBySocket(ctx, subscriber.caller.deviceId, socket, (follower) =>
    subscribe(ctx, subscriber, {
      ...follower,
      begin: () => socket.send(JSON.stringify(signal(ctx, 'open', subscriber.subscription.topics.join(',')))),
      write: (events, flushed) =>
        follower.write(
          events.map((event) => JSON.stringify(event)),
          flushed,
        ),
    }),
  )

const signal = (ctx: Context, event: 'open' | 'keepalive', topic: string): NtfyEvent => ({
  id: newMessageId(randomText),
  time: toUnixSeconds(ctx.clock.now()),
  event,
  topic,
})
