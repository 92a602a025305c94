// Follows the events of an account from a given one on, without a gap, for as long as the token stands.
import type { Activity } from '../domain/activity.ts'
import type { Caller } from '../domain/caller.ts'
import type { AccountEvent } from '../domain/event.ts'
import type { Notification, NotificationId } from '../domain/notification.ts'
import { requireUser } from '../domain/permissions.ts'
import { findActivity } from '../store/activities.ts'
import { feedTopic, findFeedBounds, listEventsAfter } from '../store/feeds.ts'
import { findNotification } from '../store/notifications.ts'
import { revocationTopic } from '../store/tokens.ts'
import { requireStillValid } from './authenticate.ts'
import type { Context } from './context.ts'

// `reset`: events between the given one and the first to come are gone; fetch everything anew.
export type FeedItem =
  | { kind: 'event'; event: AccountEvent; notification?: Notification; activity?: Activity }
  | { kind: 'reset'; number: number }

export type Follower = {
  // Once it is known from where on: whatever happens after this is delivered.
  begin(): void
  // Resolves when there is room for more, or all is over: whoever does not read is read nothing for, and misses nothing
  // later.
  deliver(items: FeedItem[], over: AbortSignal): Promise<void>
  gone: AbortSignal
}

const PAGE = 100
const POLL_MS = 1000

// Returns when the follower hangs up, the server stops or the token is revoked.
export async function followEvents(
  ctx: Context,
  caller: Caller,
  after: number | undefined,
  follower: Follower,
): Promise<void> {
  requireUser(caller)
  const over = AbortSignal.any([follower.gone, ctx.stopping])
  let ring = () => {}
  const unsubscribes = [feedTopic(caller.userId), revocationTopic(caller.userId)].map((topic) =>
    ctx.db.signals.subscribe(topic, () => ring()),
  )
  over.addEventListener('abort', () => ring())
  try {
    let position = await startingPoint(ctx, caller, after, follower, over)
    while (!over.aborted) {
      const rung = new Promise<void>((resolve) => (ring = resolve))
      const items = await nextItems(ctx, caller, position)
      if (items.length > 0) {
        // Checked before anything is handed over: what is revoked stops at once.
        await requireStillValid(ctx, caller)
        await follower.deliver(items, over)
        position = items.at(-1)?.event.number ?? position
        continue
      }
      const cancelPoll = ctx.clock.wakeAfter(POLL_MS, () => ring())
      await rung
      cancelPoll()
      await requireStillValid(ctx, caller)
    }
  } finally {
    for (const unsubscribe of unsubscribes) unsubscribe()
  }
}

// Without a position: from now on. With one that is no longer kept, or never was: a reset, then from now on.
async function startingPoint(
  ctx: Context,
  caller: Caller,
  after: number | undefined,
  follower: Follower,
  over: AbortSignal,
): Promise<number> {
  const { newest, oldest } = await findFeedBounds(ctx.db.read, caller.userId)
  follower.begin()
  if (after === undefined) return newest
  if (after >= oldest - 1 && after <= newest) return after
  await follower.deliver([{ kind: 'reset', number: newest }], over)
  return newest
}

async function nextItems(ctx: Context, caller: Caller, after: number) {
  const events = await listEventsAfter(ctx.db.read, caller.userId, after, PAGE)
  return Promise.all(events.map((event) => toItem(ctx, caller, event)))
}

// A new notification comes whole, so that a device without a push channel can show it; so does an activity that changed.
async function toItem(ctx: Context, caller: Caller, event: AccountEvent) {
  const { id, slug = '' } = event.data as { id: NotificationId; slug?: string }
  const isNew = event.type === 'notification.created'
  const notification = isNew ? await findNotification(ctx.db.read, caller.userId, id) : undefined
  const activity = event.type.startsWith('activity.') ? await findActivity(ctx.db.read, caller.userId, slug) : undefined
  return { kind: 'event' as const, event, notification, activity }
}
