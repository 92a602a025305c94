// Subscriptions of ntfy's apps: the messages that they missed, from the events of the last day, and those that come.
import type { AppCaller } from '../../../domain/caller.ts'
import { notificationIdOf, type Place, placeOf } from '../../../domain/doors/ntfy/message-id.ts'
import { type NtfyEvent, ntfyEventsOf, type Recipient } from '../../../domain/doors/ntfy/outgoing.ts'
import type { NtfySubscription } from '../../../domain/doors/ntfy/subscription.ts'
import type { Instant } from '../../../domain/instant.ts'
import { isAnswerable } from '../../../domain/notifications/answer.ts'
import { makeTicket } from '../../../domain/notifications/answer-ticket.ts'
import { findFeedBounds } from '../../../store/feeds.ts'
import { type AppFollower, followNews } from '../../apps/follow.ts'
import { listNewsEvents, newsOf } from '../../apps/news.ts'
import { noteAppSeen } from '../../apps/seen.ts'
import type { Context } from '../../context.ts'
import { scheduledEvents } from './scheduled.ts'

// `publicUrl`: where apps reach this server.
export type Subscriber = { caller: AppCaller; subscription: NtfySubscription; publicUrl: string }

// The events of the stream instead of the news that they are made of.
export type NtfyFollower = Omit<AppFollower, 'write'> & { write(events: NtfyEvent[], flushed: () => void): void }

export async function subscribe(ctx: Context, subscriber: Subscriber, follower: NtfyFollower): Promise<void> {
  const { caller, subscription } = subscriber
  const recipient = recipientOf(ctx, subscriber)
  // Messages whose place depends on later ones, and those that are not sent yet, come before the rest.
  const isLatest = subscription.since.kind === 'latest'
  const start = isLatest ? await endOf(ctx, caller) : await startOf(ctx, subscriber)
  const first = isLatest ? await latestEvents(ctx, subscriber, recipient) : []
  const scheduled = await scheduledEvents(ctx, recipient, subscription)
  await followNews(ctx, caller, start.after, {
    ...follower,
    begin() {
      follower.begin()
      follower.write([...first, ...scheduled], () => {})
    },
    write: (news, flushed) => follower.write(eventsAfter(start, ntfyEventsOf(recipient, news)), flushed),
  })
}

// Yields the events page by page, and ends with the last one that there is. Of a message that is asked for by the id that its
// sender got, only the newest repeat: the app for iPhones reads one document.
export async function* poll(ctx: Context, subscriber: Subscriber): AsyncGenerator<NtfyEvent[]> {
  const { caller, subscription } = subscriber
  await noteAppSeen(ctx, caller)
  const recipient = recipientOf(ctx, subscriber)
  const ofSender = subscription.filters.id !== undefined && notificationIdOf(subscription.filters.id) !== undefined
  if (subscription.since.kind === 'latest' || ofSender) yield await latestEvents(ctx, subscriber, recipient)
  else yield* eventsFrom(ctx, caller, recipient, await startOf(ctx, subscriber))
  yield await scheduledEvents(ctx, recipient, subscription)
}

function recipientOf(ctx: Context, { caller, subscription, publicUrl }: Subscriber): Recipient {
  const { userId, deviceId } = caller
  const { topics, filters } = subscription
  return {
    userId,
    deviceId,
    topics,
    filters,
    answerUrl: ({ notification }) =>
      isAnswerable(notification) ? `${publicUrl}/answers/${makeTicket(ctx.signingKey, notification.id)}` : undefined,
  }
}

// Everything after the event `after`, but of the event `last` only what comes after it there, and nothing before `from`.
// `upTo`: the last event that is asked for.
type Start = { after: number; last?: Place; from?: Instant; upTo?: number }

async function startOf(ctx: Context, { caller, subscription }: Subscriber): Promise<Start> {
  const { since, filters, isPoll } = subscription
  const { newest, oldest } = await findFeedBounds(ctx.db.read, caller.userId)
  const wanted = filters.id === undefined ? undefined : placeOf(caller.userId, filters.id)
  if (wanted && isPoll) return { after: wanted.event - 1, upTo: wanted.event }
  if (since.kind === 'none') return { after: newest }
  if (since.kind === 'time') return { after: oldest - 1, from: since.from }
  const last = since.kind === 'id' ? placeOf(caller.userId, since.id) : undefined
  // An id that is unknown, or older than the events that are kept, means everything.
  const isKept = last && last.event >= oldest && last.event <= newest
  return isKept ? { after: last.event - 1, last } : { after: oldest - 1 }
}

const endOf = async (ctx: Context, { userId }: AppCaller): Promise<Start> => ({
  after: (await findFeedBounds(ctx.db.read, userId)).newest,
})

type PlacedEvent = ReturnType<typeof ntfyEventsOf>[number]

function eventsAfter({ last, from }: Start, events: PlacedEvent[]): NtfyEvent[] {
  const isWanted = ({ place, event }: PlacedEvent) =>
    (!last || place.event > last.event || place.index > last.index) && (from === undefined || event.time * 1000 >= from)
  return events.filter(isWanted).map(({ event }) => event)
}

async function* eventsFrom(
  ctx: Context,
  { userId }: AppCaller,
  recipient: Recipient,
  start: Start,
): AsyncGenerator<NtfyEvent[]> {
  const now = ctx.clock.now()
  for (let after = start.after; ; ) {
    const { events, upTo } = await listNewsEvents(ctx.db.read, userId, after)
    for (const event of events) {
      if (start.upTo !== undefined && event.number > start.upTo) return
      const news = await ctx.slices(userId, () => newsOf(ctx.db.read, userId, event, now))
      yield eventsAfter(start, ntfyEventsOf(recipient, news))
    }
    if (upTo === after || (start.upTo !== undefined && upTo >= start.upTo)) return
    after = upTo
  }
}

// The newest message of each topic, oldest first.
async function latestEvents(ctx: Context, { caller }: Subscriber, recipient: Recipient): Promise<NtfyEvent[]> {
  const latest = new Map<string, NtfyEvent>()
  const { oldest } = await findFeedBounds(ctx.db.read, caller.userId)
  for await (const events of eventsFrom(ctx, caller, recipient, { after: oldest - 1 })) {
    for (const event of events) {
      if (event.event !== 'message') continue
      latest.delete(event.topic)
      latest.set(event.topic, event)
    }
  }
  return [...latest.values()]
}
