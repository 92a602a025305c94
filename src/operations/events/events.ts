// Delivers the events of an account to a stream, from a given event on and without a gap, until the token is revoked.
// One event at a time is read, serialized and written, and the next one only after the connection has taken it
// (backpressure): a client that does not read costs the memory of one event.
import { type ActivityEventType, isActivityEventType } from '../../contract/events/event.ts'
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import { type DeviceId, deviceId } from '../../domain/devices.ts'
import { type AccountEvent, isPublic } from '../../domain/events.ts'
import { openForServer } from '../../domain/organizations/limit.ts'
import { reachesSlug, requireLevel, requireUser } from '../../domain/permissions.ts'
import type { ScreenGlance } from '../../domain/screens/glance.ts'
import { owned, type SeenActivity } from '../../domain/shares/standing.ts'
import { revocationTopic } from '../../store/accounts/tokens.ts'
import { findActivity, findActivityById } from '../../store/activities/activities.ts'
import type { Reader } from '../../store/engine/database.ts'
import { feedTopic, findFeedBounds, listEventsAfter } from '../../store/events/feeds.ts'
import { findNotification } from '../../store/notifications/notifications.ts'
import { findStanding } from '../../store/shares/shared-activities.ts'
import { listGivenShares } from '../../store/shares/shares.ts'
import type { ShownNotification } from '../../views/notifications.ts'
import { countRecipients } from '../activities/seen.ts'
import { requireStillValid } from '../authenticate.ts'
import type { Context } from '../context.ts'
import { requireDeviceSeen } from '../devices.ts'
import { withStates } from '../notifications/states.ts'
import { createWakeup, POLL_MS, type Wakeup } from '../wakeup.ts'

type NotificationCreated = Extract<AccountEvent, { type: 'notification.created' }>
type ActivityEvent = Extract<AccountEvent, { type: ActivityEventType }>

// `reset`: events after the given one have been deleted, so the client must fetch everything again.
export type FeedItem =
  | { kind: 'event'; event: AccountEvent }
  | { kind: 'notification'; event: NotificationCreated; shown: ShownNotification }
  | { kind: 'activity'; event: ActivityEvent; seen: SeenActivity }
  // What a screen link shows of it; `gone`: nothing any more.
  | { kind: 'glance'; event: AccountEvent; glance: ScreenGlance }
  | { kind: 'gone'; event: AccountEvent; slug: string }
  | { kind: 'reset'; number: number }

export type Follower = {
  // Called when the position is known; every later event is written.
  begin(): void
  // Serializes and writes. Calls `flushed` when the operating system has taken all bytes, or the connection has failed.
  write(item: FeedItem, flushed: () => void): void
  gone: AbortSignal
}

// `after`: the number of the last event that the client has. `device`: the device that reads, unless the token names
// it.
export type Following = { after?: number; device?: DeviceId }

// An event row has at most about 5 KB, so a page has at most 256 KB.
const PAGE = 50
// Returns when the follower disconnects or the server stops; throws when the token is revoked.
export async function followEvents(
  ctx: Context,
  caller: Caller,
  { after, device }: Following,
  follower: Follower,
): Promise<void> {
  requireUser(caller)
  if (device) await requireDeviceSeen(ctx, caller, device)
  const reader = device ?? (caller.deviceId === undefined ? undefined : deviceId(caller.deviceId))
  await follow(ctx, { caller, require: requireUser, isWanted: () => true }, { after, device: reader }, follower)
}

// The changes of widgets and of their order. A key with a list of slugs gets those of its widgets alone.
export async function followWallEvents(
  ctx: Context,
  caller: Caller,
  after: number | undefined,
  follower: Follower,
): Promise<void> {
  const mayRead = (current: Caller) => requireLevel(current, 'widgets', 'read')
  mayRead(caller)
  const isWanted = ({ type, data }: AccountEvent, current: Caller) => {
    if (!type.startsWith('widget.')) return type === 'wall.updated'
    return reachesSlug(current, 'widgets', (data as { slug: string }).slug)
  }
  await follow(ctx, { caller, require: mayRead, isWanted }, { after }, follower)
}

// `require`: what the caller needs for as long as it follows. `isWanted`: the events that it gets, by what it may see now.
export type Audience = {
  caller: Caller
  require: (caller: Caller) => void
  isWanted: (event: AccountEvent, current: Caller) => boolean
  // What it gets of an event, if that is not the event with its document.
  itemOf?: (event: AccountEvent, current: Caller) => Promise<FeedItem>
}

export async function follow(
  ctx: Context,
  audience: Audience,
  { after, device }: Following,
  follower: Follower,
): Promise<void> {
  const { caller } = audience
  const wakeup = createWakeup(ctx, [feedTopic(caller.userId), revocationTopic(caller.userId)], follower.gone)
  const token = watchToken(ctx, audience)
  try {
    const start = await startingPoint(ctx, caller, after)
    const stream = await ctx.openStreams.open(caller, device, start.position)
    try {
      follower.begin()
      const writing: Writing = { ctx, audience, follower, wakeup, token }
      if (start.isReset) await writeItem(writing, { kind: 'reset', number: start.position })
      await writeEvents(writing, start.position, stream.noteWritten)
    } finally {
      await stream.close()
    }
  } finally {
    token.end()
    wakeup.end()
  }
}

type Writing = { ctx: Context; audience: Audience; follower: Follower; wakeup: Wakeup; token: TokenWatch }

const isOver = ({ ctx, follower }: Writing) => follower.gone.aborted || ctx.stopping.aborted

async function writeEvents(
  writing: Writing,
  after: number,
  noteWritten: (event: number) => Promise<void>,
): Promise<void> {
  const { ctx, audience, wakeup, token } = writing
  let position = after
  while (!isOver(writing)) {
    const page = await listEventsAfter(ctx.db.read, audience.caller.userId, position, PAGE)
    if (page.length > 0) await token.check()
    const visible = page.filter(isPublic)
    for (const event of visible) {
      if (token.isCheckDue()) await token.check()
      if (audience.isWanted(event, token.caller())) await writeEvent(writing, event, visible)
      if (isOver(writing)) return
    }
    position = page.at(-1)?.number ?? position
    if (page.length > 0) {
      await noteWritten(position)
    } else {
      await wakeup.woken(POLL_MS)
      await token.check()
    }
  }
}

// Documents of up to 200 KB are read and serialized in slices, because one change wakes all streams of the account in
// the same turn of the event loop.
async function writeEvent(writing: Writing, event: AccountEvent, page: AccountEvent[]): Promise<void> {
  const { ctx, audience } = writing
  const { caller, itemOf } = audience
  if (itemOf) return writeItem(writing, await itemOf(event, writing.token.caller()))
  if (!hasDocument(event, page)) return writeItem(writing, { kind: 'event', event })
  const untilFlushed = await ctx.slices(caller.userId, async () =>
    startWriting(writing, await withDocument(ctx, caller, event)),
  )
  await untilFlushed()
}

// A new notification is sent in full, so that a device without a push channel can show it. An activity is sent in full, in
// its newest state, with the last of its events in the page; its earlier events carry only the reference.
function hasDocument(event: AccountEvent, page: AccountEvent[]): event is NotificationCreated | ActivityEvent {
  if (event.type === 'notification.created') return true
  if (!isActivityEvent(event)) return false
  const subject = subjectOf(event)
  return page.findLast((other) => isActivityEvent(other) && subjectOf(other) === subject) === event
}

// An account may own an activity with the slug of one that is shared with it.
const subjectOf = ({ data }: ActivityEvent): string => ('id' in data ? `shared ${data.id}` : data.slug)

const isActivityEvent = (event: AccountEvent): event is ActivityEvent => isActivityEventType(event.type)

// A document that was deleted since leaves the event as it is.
async function withDocument(
  { db }: Context,
  caller: Caller,
  event: NotificationCreated | ActivityEvent,
): Promise<FeedItem> {
  if (event.type === 'notification.created') {
    const notification = await findNotification(db.read, caller.userId, event.data.id)
    const [shown] = notification ? await withStates(db.read, caller, [notification]) : []
    return shown ? { kind: 'notification', event, shown } : { kind: 'event', event }
  }
  const seen = await findActivityOfEvent(db.read, caller.userId, event)
  return seen ? { kind: 'activity', event, seen } : { kind: 'event', event }
}

async function findActivityOfEvent(
  db: Reader,
  userId: UserId,
  { data }: ActivityEvent,
): Promise<SeenActivity | undefined> {
  if (!('id' in data)) {
    // Keys have no feed.
    const activity = openForServer(await findActivity(db, userId, data.slug))
    return activity && owned(activity, countRecipients(await listGivenShares(db, userId), activity))
  }
  const id = data.id as ActivityId
  const standing = await findStanding(db, userId, id)
  const activity = standing && (await findActivityById(db, id))
  return activity && { activity, standing }
}

const writeItem = (writing: Writing, item: FeedItem): Promise<void> => startWriting(writing, item)()

// Returns a function that waits until the connection has taken the item. A client that does not read may keep it
// waiting for long, so it checks the token once a second.
function startWriting(writing: Writing, item: FeedItem): () => Promise<void> {
  const { follower, wakeup, token } = writing
  let isFlushed = false
  follower.write(item, () => {
    isFlushed = true
    wakeup.wake()
  })
  return async () => {
    while (!isFlushed && !isOver(writing)) {
      await wakeup.woken(POLL_MS)
      if (!isFlushed) await token.check()
    }
  }
}

// `caller`: as of the last check.
type TokenWatch = { isCheckDue(): boolean; check(): Promise<void>; caller(): Caller; end(): void }

// The token is checked once per page, and again after a revocation signal or a second.
function watchToken(ctx: Context, { caller, require }: Audience): TokenWatch {
  let current = caller
  let isSignaled = false
  let checkedAtMs = Number.NEGATIVE_INFINITY
  const end = ctx.db.signals.subscribe(revocationTopic(caller.userId), () => (isSignaled = true))
  return {
    end,
    isCheckDue: () => isSignaled || ctx.clock.monotonicMs() - checkedAtMs >= POLL_MS,
    async check() {
      isSignaled = false
      checkedAtMs = ctx.clock.monotonicMs()
      current = await requireStillValid(ctx, caller)
      require(current)
    },
    caller: () => current,
  }
}

// Without a position, the stream starts with the next event. If the position is unknown or no longer stored, a reset
// comes first.
async function startingPoint(
  ctx: Context,
  caller: Caller,
  after: number | undefined,
): Promise<{ position: number; isReset: boolean }> {
  const { newest, oldest } = await findFeedBounds(ctx.db.read, caller.userId)
  if (after === undefined) return { position: newest, isReset: false }
  const isKept = after >= oldest - 1 && after <= newest
  return { position: isKept ? after : newest, isReset: !isKept }
}
