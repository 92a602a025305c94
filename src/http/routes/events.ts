// GET /events: the changes of an account as server-sent events. `Last-Event-ID` resumes where a connection broke.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { EventMessage } from '../../contract/events/event.ts'
import { DeviceId } from '../../contract/fields.ts'
import type { Glance } from '../../contract/screens/texts.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import type { Context } from '../../operations/context.ts'
import { type FeedItem, type Follower, followEvents } from '../../operations/events/events.ts'
import { activityView } from '../../views/activities.ts'
import { shownNotificationView } from '../../views/notifications.ts'
import { glanceView } from '../../views/screens.ts'
import { type HeldAnswer, holdAnswer } from '../connections/held-answer.ts'
import { route, table } from '../route.ts'

// Proxies close connections that are silent for a minute.
const HEARTBEAT_MS = 20_000

const StreamQuery = Type.Object({
  device_id: Type.Optional({
    ...DeviceId,
    description:
      'The device that reads this stream, registered with neither `apns` nor `web_push`: while it is connected it counts toward `delivery`. Default: the device that the token was issued to, if any.',
  }),
})

export const StreamHeaders = Type.Object({
  'Last-Event-ID': Type.Optional(Type.String({ description: 'The id of the last event that the client has.' })),
})

export const eventRoutes = (ctx: Context) =>
  table({ tag: 'Events' }, [
    route('GET /events', {
      id: 'streamEvents',
      summary: 'Stream the changes of the account',
      description: `Server-sent events. The \`data\` of each message is an \`Event\`. Send \`Last-Event-ID\` to resume after that event. Events are kept for 24 hours; after an older id the stream begins with a \`reset\` message whose \`data\` is \`{}\`, and the client must read everything again. A new notification is complete in \`data\`. An activity is complete and in its newest state; if several of its events are delivered together, only the last one has it, and the others have its \`slug\`. How many streams an account may have open is in \`caps\` of \`GET /auth/me\`. The server disconnects a client that reads nothing for 30 seconds while data waits.`,
      access: 'user',
      organization: true,
      query: StreamQuery,
      headers: StreamHeaders,
      eventStream: true,
      problems: ['event_stream.limit_exceeded', 'device.not_found'],
      handle: ({ caller, query, request, reply }) => {
        const following = { after: lastEventId(request), device: query.device_id }
        return streamEvents(ctx, request, reply, (follower) => followEvents(ctx, caller, following, follower))
      },
    }),
  ])

export async function streamEvents(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  follow: (follower: Follower) => Promise<void>,
): Promise<void> {
  let cancelHeartbeat = () => {}
  const withHeartbeat = ({ begin, write, isStalled, gone }: HeldAnswer) =>
    follow({
      begin() {
        begin()
        write(': connected\n\n')
        cancelHeartbeat = heartbeat(ctx, () => isStalled() || write(':\n\n'))
      },
      write: (item, flushed) => write(toText(item), flushed),
      gone,
    })
  try {
    await holdAnswer(ctx, request, reply, { type: 'text/event-stream; charset=utf-8', follow: withHeartbeat })
  } finally {
    cancelHeartbeat()
  }
}

export function lastEventId({ headers }: FastifyRequest): number | undefined {
  const text = headers['last-event-id']
  if (text === undefined) return undefined
  // An id that is not one of ours counts as too old, so the client gets a reset.
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
  const message = eventMessage(item)
  return `id: ${message.id}\nevent: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`
}

// `data` of a link is what is seen, not what the event has.
type LinkMessage = Pick<EventMessage, 'id' | 'at' | 'type'> & { data: Glance | { slug: string } }

function eventMessage(item: Exclude<FeedItem, { kind: 'reset' }>): EventMessage | LinkMessage {
  const { number, at, ...event } = item.event
  const head = { id: number, at: toRfc3339(at) }
  switch (item.kind) {
    case 'event':
      return { ...head, ...event }
    case 'notification':
      return { ...head, type: item.event.type, data: shownNotificationView(item.shown) }
    case 'glance':
      return { ...head, type: item.event.type, data: glanceView(item.glance) }
    case 'gone':
      return { ...head, type: item.event.type, data: { slug: item.slug } }
    case 'activity':
      return { ...head, type: item.event.type, data: activityView(item.seen) }
  }
}
