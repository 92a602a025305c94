// Delivers news to the app of another service, from a given event on and without a gap or a repeat, until its password is
// revoked. News of one event at a time are read and written, and the next only after the connection has taken them
// (backpressure): an app that does not read costs the memory of one event, and is disconnected after a while.
import { Problem } from '../../contract/problems.ts'
import type { AppNews } from '../../domain/apps/news.ts'
import type { AppCaller } from '../../domain/caller.ts'
import type { AccountEvent } from '../../domain/event.ts'
import { findFeedBounds } from '../../store/feeds.ts'
import type { Context } from '../context.ts'
import type { OpenStream } from '../events/open-streams.ts'
import { createWakeup, type Wakeup } from '../events/wakeup.ts'
import { listNewsEvents, newsOf } from './news.ts'
import { noteAppSeen } from './seen.ts'

export type AppFollower = {
  // Called when the position is known; all later news are written.
  begin(): void
  // Serializes and writes the news of one event. Calls `flushed` when the operating system has taken all bytes, or the
  // connection has failed.
  write(news: AppNews[], flushed: () => void): void | Promise<void>
  // Called when nothing was written for so long.
  keepAlive(): void
  keepAliveMs: number
  gone: AbortSignal
}

// An app that takes nothing for so long is disconnected; it resumes when it connects again.
const STALLED_MS = 30_000

// `after`: the number of the last event that the app has; without it, the news begin with the next event. Returns when the
// app has disconnected or stalled, the password was revoked, or the server stops: the connection is to be dropped.
export async function followNews(
  ctx: Context,
  caller: AppCaller,
  after: number | undefined,
  follower: AppFollower,
): Promise<void> {
  await noteAppSeen(ctx, caller)
  const position = after ?? (await findFeedBounds(ctx.db.read, caller.userId)).newest
  const stream = await openStream(ctx, caller, position)
  const wakeup = createWakeup(ctx, [], follower.gone)
  const following: Following = { ctx, caller, follower, wakeup, position, isEnded: false, quietSinceMs: 0 }
  let resolveEnded = () => {}
  const ended = new Promise<void>((resolve) => (resolveEnded = resolve))
  const leave = ctx.appRoom.enter({
    caller,
    position: () => following.position,
    wake: wakeup.wake,
    end() {
      following.isEnded = true
      wakeup.wake()
    },
    ended,
  })
  try {
    follower.begin()
    following.quietSinceMs = ctx.clock.monotonicMs()
    await writeNews(following, stream)
  } finally {
    leave()
    wakeup.end()
    await stream.close()
    resolveEnded()
  }
}

type Following = {
  ctx: Context
  caller: AppCaller
  follower: AppFollower
  wakeup: Wakeup
  position: number
  isEnded: boolean
  quietSinceMs: number
}

// A phone that changes networks leaves connections behind that look open for minutes. They must not keep it out.
async function openStream(ctx: Context, caller: AppCaller, position: number): Promise<OpenStream> {
  for (;;) {
    try {
      return await ctx.openStreams.open(caller, caller.deviceId, position)
    } catch (error) {
      const isLimit = error instanceof Problem && error.problem === 'event_stream.limit_exceeded'
      if (!isLimit || !(await ctx.appRoom.endOldest(caller))) throw error
    }
  }
}

const isOver = ({ ctx, follower, isEnded }: Following) => isEnded || follower.gone.aborted || ctx.stopping.aborted

async function writeNews(following: Following, stream: OpenStream): Promise<void> {
  const { ctx, caller } = following
  while (!isOver(following)) {
    const { events, upTo } = await listNewsEvents(ctx.db.read, caller.userId, following.position)
    for (const event of events) {
      if (!(await writeEvent(following, event))) return
      following.position = event.number
    }
    const isCaughtUp = upTo === following.position && events.length === 0
    following.position = upTo
    if (events.length > 0) await stream.noteWritten(upTo)
    if (isCaughtUp) await untilWokenOrQuiet(following)
  }
}

// Returns false if the connection is of no more use.
async function writeEvent(following: Following, event: AccountEvent): Promise<boolean> {
  const { ctx, caller, follower, wakeup } = following
  let isFlushed = true
  await ctx.slices(caller.userId, async () => {
    const news = await newsOf(ctx.db.read, caller.userId, event, ctx.clock.now())
    if (news.length === 0 || isOver(following)) return
    isFlushed = false
    await follower.write(news, () => {
      isFlushed = true
      wakeup.wake()
    })
  })
  const startMs = ctx.clock.monotonicMs()
  while (!isFlushed && !isOver(following)) {
    const leftMs = startMs + STALLED_MS - ctx.clock.monotonicMs()
    if (leftMs <= 0) return false
    await wakeup.woken(leftMs)
  }
  following.quietSinceMs = ctx.clock.monotonicMs()
  return isFlushed && !isOver(following)
}

async function untilWokenOrQuiet(following: Following): Promise<void> {
  const { ctx, follower, wakeup } = following
  const leftMs = following.quietSinceMs + follower.keepAliveMs - ctx.clock.monotonicMs()
  if (leftMs > 0) return wakeup.woken(leftMs)
  follower.keepAlive()
  following.quietSinceMs = ctx.clock.monotonicMs()
}
