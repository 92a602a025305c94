// Delivers news to the app of another service, from a given event on and without a gap or a repeat, until its password is
// revoked. News of one event at a time are read and written, and the next only after the connection has taken them
// (backpressure): an app that does not read costs the memory of one event, and is disconnected after a while.
import { Problem } from '../../contract/problems.ts'
import type { AppNews } from '../../domain/apps/news.ts'
import type { AppCaller } from '../../domain/caller.ts'
import type { AppEvent } from '../../domain/events.ts'
import { DAY_SECONDS, plusSeconds } from '../../domain/instant.ts'
import { listNewsEvents } from '../../store/apps/events.ts'
import { excuseAbsence } from '../../store/apps/push-endpoints.ts'
import { findDevice, updateLastSeen } from '../../store/devices/devices.ts'
import { appendEvent, findFeedBounds } from '../../store/events/feeds.ts'
import type { ConnectedApp, Context, OpenStream } from '../context.ts'
import { readNews } from './news.ts'

export type AppFollower = {
  // Called when the position is known; all later news are written.
  begin(): void
  // Serializes and writes the news of one event, and returns whether any bytes go out. Calls `flushed` when the operating
  // system has taken all of them, or the connection has failed.
  write(news: AppNews[], flushed: () => void): boolean | Promise<boolean>
  // Called when no bytes went out for so long. Clients and proxies close a connection that is silent for longer.
  keepAlive(): void
  keepAliveMs: number
  // Calls the listener when the app has disconnected; at once if it has by now.
  onGone(listener: () => void): void
  // Drops the connection. Called once, last.
  drop(): void
}

// An app that takes nothing for so long is disconnected; it resumes when it connects again.
const STALLED_MS = 30_000

// `after`: the number of the last event that the app has; without it, the news begin with the next event. Resolves when the
// app is connected. It is dropped when it has disconnected or stalled, its password was revoked, or the server stops.
export async function followNews(
  ctx: Context,
  caller: AppCaller,
  after: number | undefined,
  follower: AppFollower,
): Promise<void> {
  await noteAppSeen(ctx, caller)
  const position = after ?? (await findFeedBounds(ctx.db.read, caller.userId)).newest
  const stream = await openStream(ctx, caller, position)
  new FollowingApp(ctx, caller, follower, stream, position).begin()
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

// Between two events an app holds one timer, and no promise or frame of an asynchronous function, which would take 4 KB more:
// of thousands that are connected, almost all are quiet.
class FollowingApp implements ConnectedApp {
  readonly caller: AppCaller
  position: number
  private readonly ctx: Context
  private readonly follower: AppFollower
  private readonly stream: OpenStream
  private isEnded = false
  private isWriting = false
  // Since the last look for events.
  private isWoken = false
  private quietSinceMs = 0
  private resume = ignore
  private cancelTimer = ignore
  private leave = ignore
  private atEnd = ignore

  constructor(ctx: Context, caller: AppCaller, follower: AppFollower, stream: OpenStream, position: number) {
    this.ctx = ctx
    this.caller = caller
    this.follower = follower
    this.stream = stream
    this.position = position
  }

  begin(): void {
    this.leave = this.ctx.appRoom.enter(this)
    this.follower.begin()
    this.quietSinceMs = this.ctx.clock.monotonicMs()
    this.follower.onGone(() => void this.end())
    this.wake()
  }

  wake(): void {
    this.isWoken = true
    this.cancelTimer()
    if (this.isWriting) this.resume()
    else void this.writeAndWait()
  }

  end(): Promise<void> {
    const others = this.atEnd
    const ended = new Promise<void>((resolve) => {
      this.atEnd = () => {
        others()
        resolve()
      }
    })
    this.isEnded = true
    this.wake()
    return ended
  }

  private isOver(): boolean {
    return this.isEnded || this.ctx.stopping.aborted
  }

  private async writeAndWait(): Promise<void> {
    this.isWriting = true
    try {
      while (this.isWoken && !this.isOver()) await this.writeNews()
    } catch (error) {
      this.ctx.log.warn({ err: error, device: this.caller.deviceId }, 'the connection of an app failed')
      this.isEnded = true
    }
    if (this.isOver()) return this.close()
    this.isWriting = false
    const leftMs = this.quietSinceMs + this.follower.keepAliveMs - this.ctx.clock.monotonicMs()
    this.cancelTimer = this.ctx.clock.wakeAfter(leftMs, () => this.wake())
  }

  private async writeNews(): Promise<void> {
    this.isWoken = false
    const { ctx, caller, follower, stream } = this
    const { events, upTo } = await listNewsEvents(ctx.db.read, caller.userId, this.position)
    for (const event of events) {
      if (!(await this.writeEvent(event))) {
        this.isEnded = true
        return
      }
      this.position = event.number
    }
    // There may be more than one page.
    if (upTo !== this.position || events.length > 0) this.isWoken = true
    this.position = upTo
    if (events.length > 0) await stream.noteWritten(upTo)
    if (this.isOver() || ctx.clock.monotonicMs() - this.quietSinceMs < follower.keepAliveMs) return
    follower.keepAlive()
    this.quietSinceMs = ctx.clock.monotonicMs()
  }

  // Returns false if the connection is of no more use.
  private async writeEvent(event: AppEvent): Promise<boolean> {
    const { ctx, caller, follower } = this
    let isFlushed = true
    let hasWritten = false
    await ctx.slices(caller.userId, async () => {
      const [news = []] = await readNews(ctx.db.read, caller, [event], ctx.clock.now())
      if (news.length === 0 || this.isOver()) return
      isFlushed = false
      hasWritten = await follower.write(news, () => {
        isFlushed = true
        this.resume()
      })
    })
    const startMs = ctx.clock.monotonicMs()
    while (!isFlushed && !this.isOver()) {
      const leftMs = startMs + STALLED_MS - ctx.clock.monotonicMs()
      if (leftMs <= 0) return false
      await this.resumed(leftMs)
    }
    // An event that this app does not get leaves its connection as silent as before.
    if (hasWritten) this.quietSinceMs = ctx.clock.monotonicMs()
    return isFlushed && !this.isOver()
  }

  private async resumed(withinMs: number): Promise<void> {
    const resumed = new Promise<void>((resolve) => (this.resume = resolve))
    const cancelTimer = this.ctx.clock.wakeAfter(withinMs, () => this.resume())
    await resumed
    cancelTimer()
    this.resume = ignore
  }

  private async close(): Promise<void> {
    this.leave()
    await this.stream.close()
    this.follower.drop()
    this.atEnd()
  }
}

const ignore = () => {}

const SEEN_PRECISION_SECONDS = 60

// Notes when the app was last here. The console waits for its first visit.
export async function noteAppSeen(ctx: Context, { userId, deviceId }: AppCaller): Promise<void> {
  const now = ctx.clock.now()
  const device = await findDevice(ctx.db.read, userId, deviceId)
  if (!device) return
  const { lastSeenAt } = device
  const isFirst = lastSeenAt === device.createdAt
  if (!isFirst && lastSeenAt > plusSeconds(now, -SEEN_PRECISION_SECONDS)) return
  await ctx.db.transact(async (tx) => {
    const isSeen = await updateLastSeen(tx, userId, deviceId, now)
    if (plusSeconds(lastSeenAt, DAY_SECONDS) < now) await excuseAbsence(tx, { userId, deviceId }, lastSeenAt, now)
    if (isSeen) await appendEvent(tx, userId, { type: 'device.updated', at: now, data: { id: deviceId } })
  })
}
