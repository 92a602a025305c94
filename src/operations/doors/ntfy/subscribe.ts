// Subscriptions of ntfy's apps: the messages that they missed, from the events of the last day, and those that come.

import type { ActivityId } from '../../../domain/activities/activity.ts'
import { isAnswerable } from '../../../domain/answers/answer.ts'
import { makeApprovalTicket, makeTicket } from '../../../domain/answers/answer-ticket.ts'
import type { AppCaller, UserId } from '../../../domain/caller.ts'
import { notificationIdOf, type Place, placeOf } from '../../../domain/doors/ntfy/message-id.ts'
import { type NtfyEvent, ntfyEventsOf, type Recipient } from '../../../domain/doors/ntfy/outgoing.ts'
import {
  ACTIVITIES_TOPIC,
  isInboxTopic,
  type NtfySubscription,
  topicsWith,
} from '../../../domain/doors/ntfy/subscription.ts'
import type { Instant } from '../../../domain/instant.ts'
import { listNewsEvents, listNewsSources, type Subject } from '../../../store/apps/events.ts'
import { findFeedBounds } from '../../../store/events/feeds.ts'
import { type AppFollower, followNews, noteAppSeen } from '../../apps/follow.ts'
import { readNews } from '../../apps/news.ts'
import type { Context } from '../../context.ts'
import { scheduledEvents } from './scheduled.ts'
import { endpointWatch } from './unified-push.ts'

// `publicUrl`: where apps reach this server. `showsAllEvents`: the app takes every line of a poll for a message.
export type Subscriber = {
  caller: AppCaller
  subscription: NtfySubscription
  publicUrl: string
  showsAllEvents: boolean
  // Of UnifiedPush, by their ids.
  endpoints: ReadonlyMap<string, string>
  // Whether the inbox has live activities, too.
  showsActivities: boolean
}

// The events of the stream instead of the news that they are made of.
export type NtfyFollower = Omit<AppFollower, 'write'> & {
  write(events: NtfyEvent[], flushed: () => void): boolean
}

export async function subscribe(ctx: Context, subscriber: Subscriber, follower: NtfyFollower): Promise<void> {
  const { caller, subscription } = subscriber
  const recipient = recipientOf(ctx, subscriber)
  // Messages whose place depends on later ones, and those that are not sent yet, come before the rest.
  const isLatest = subscription.since.kind === 'latest'
  const start = isLatest ? await endOf(ctx, caller) : await startOf(ctx, subscriber)
  const first = isLatest ? await latestEvents(ctx, subscriber, recipient) : []
  const scheduled = await scheduledEvents(ctx, recipient, subscription)
  const noteConnected = endpointWatch(ctx, [...subscriber.endpoints.keys()])
  await followNews(ctx, caller, start.after, {
    ...follower,
    begin() {
      follower.begin()
      follower.write([...first, ...scheduled], () => {})
    },
    write(news, flushed) {
      noteConnected()
      return follower.write(eventsAfter(start, ntfyEventsOf(recipient, news)), flushed)
    },
    keepAlive() {
      noteConnected()
      follower.keepAlive()
    },
  })
}

// Yields the events page by page, and ends with the last one that there is. Of a message that is asked for by the id that its
// sender got, only the newest repeat: the app for iPhones reads one document.
export async function* poll(ctx: Context, subscriber: Subscriber): AsyncGenerator<NtfyEvent[]> {
  const { caller, subscription, showsAllEvents } = subscriber
  const { since, filters } = subscription
  await noteAppSeen(ctx, caller)
  const recipient = recipientOf(ctx, subscriber)
  const notificationId = filters.id === undefined ? undefined : notificationIdOf(filters.id)
  if (since.kind === 'latest' || notificationId !== undefined) {
    yield await latestEvents(ctx, subscriber, recipient, notificationId && { notificationId })
  } else {
    const start = await startOf(ctx, subscriber)
    for await (const events of eventsFrom(ctx, caller, recipient, start)) {
      yield showsAllEvents ? events.filter(({ event }) => event === 'message') : events
    }
  }
  yield await scheduledEvents(ctx, recipient, subscription)
}

function recipientOf(
  ctx: Context,
  { caller, subscription, publicUrl, endpoints, showsActivities }: Subscriber,
): Recipient {
  const { userId, deviceId } = caller
  const { filters } = subscription
  const names = [...endpoints.values()]
  return {
    userId,
    deviceId,
    endpoints,
    showsActivities,
    approvalUrl: (activityId, round, isShared) => {
      const question = { activityId: activityId as ActivityId, round, recipientId: isShared ? userId : undefined }
      return `${publicUrl}/answers/${makeApprovalTicket(ctx.signingKey, question)}`
    },
    activityUrl: (activityId) => `${publicUrl}/app/activities/${activityId}`,
    // The name of an endpoint is never that of a source.
    topics: subscription.topics.filter((topic) => !names.includes(topic)),
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
  const last = since.kind === 'id' ? await findPlace(ctx, caller.userId, since.id, oldest) : undefined
  // An id that is unknown, or older than the events that are kept, means everything.
  const isKept = last && last.event >= oldest && last.event <= newest
  return isKept ? { after: last.event - 1, last } : { after: oldest - 1 }
}

// Apps name the place of a message, senders its notification, which was the first message of its event.
async function findPlace({ db }: Context, userId: UserId, id: string, oldest: number): Promise<Place | undefined> {
  const notificationId = notificationIdOf(id)
  if (notificationId === undefined) return placeOf(userId, id)
  for (let after = oldest - 1; ; ) {
    const { events, upTo } = await listNewsEvents(db.read, userId, after, { notificationId })
    const [first] = events
    if (first) return { event: first.number, index: 0 }
    if (upTo === after) return undefined
    after = upTo
  }
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

// `subject`: only events about it; else those about the topics of the recipient.
async function* eventsFrom(
  ctx: Context,
  caller: AppCaller,
  recipient: Recipient,
  start: Start,
  subject?: Subject,
): AsyncGenerator<NtfyEvent[]> {
  const { userId } = caller
  const now = ctx.clock.now()
  const about = subject ?? (await subjectOf(ctx, recipient, start))
  if (about && 'sources' in about && about.sources.length === 0 && !hasOthers(recipient)) return
  for (let after = start.after; ; ) {
    const { events, upTo } = await listNewsEvents(ctx.db.read, userId, after, about)
    const wanted = start.upTo === undefined ? events : events.filter(({ number }) => number <= (start.upTo as number))
    const news = await ctx.slices(userId, () => readNews(ctx.db.read, caller, wanted, now))
    yield news.flatMap((one) => eventsAfter(start, ntfyEventsOf(recipient, one)))
    if (upTo === after || (start.upTo !== undefined && upTo >= start.upTo)) return
    after = upTo
  }
}

// Messages that are not of a source.
const hasOthers = ({ endpoints, topics }: Recipient) => endpoints.size > 0 || topics.includes(ACTIVITIES_TOPIC)

// Undefined for everything.
async function subjectOf(
  { db }: Context,
  { userId, topics }: Recipient,
  { after }: Start,
): Promise<Subject | undefined> {
  if (topics.some(isInboxTopic)) return undefined
  const sources = await listNewsSources(db.read, userId, after)
  return { sources: sources.filter((source) => topicsWith(source, topics).length > 0) }
}

// The newest message of each topic, oldest first.
async function latestEvents(
  ctx: Context,
  { caller }: Subscriber,
  recipient: Recipient,
  subject?: Subject,
): Promise<NtfyEvent[]> {
  const latest = new Map<string, NtfyEvent>()
  const { oldest } = await findFeedBounds(ctx.db.read, caller.userId)
  for await (const events of eventsFrom(ctx, caller, recipient, { after: oldest - 1 }, subject)) {
    for (const event of events) {
      if (event.event !== 'message') continue
      latest.delete(event.topic)
      latest.set(event.topic, event)
    }
  }
  return [...latest.values()]
}
