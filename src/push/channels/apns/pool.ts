// The connections to one APNs host, and the queue of pushes that wait for a free stream.
// A push that APNs has not processed is sent again; one whose result is unknown is sent again once, with the same apns-id.
import type { SecureContext } from 'node:tls'
import type { Clock } from '../../../runtime/clock.ts'
import type { Log } from '../../../runtime/log.ts'
import { Connection, type ConnectionEvents, type InFlight, type SendResult, TIMED_OUT } from './connection.ts'

type PoolOptions = { url: string; secureContext: SecureContext; clock: Clock; log: Log }

const MOST_CONNECTIONS = 2
// REFUSED_STREAM is safe to retry; the limit stops the loop with a server that refuses every stream.
const MOST_REFUSALS = 8
// After this many connections in a row without an answer the host counts as unreachable.
const MOST_UNANSWERED = 3
const MOST_PAUSE_MS = 60_000
const BUSY_SWEEP_MS = 250
const IDLE_SWEEP_MS = 60_000
const CLOSE_MS = 2_000

const CLOSING: SendResult = { undelivered: 'closing' }
const REFUSED: SendResult = { undelivered: 'refused' }
const LOST: SendResult = { undelivered: 'connection_lost' }

export class Pool implements ConnectionEvents {
  readonly #options: PoolOptions
  readonly #connections = new Set<Connection>()
  #retries: InFlight[] = []
  #waiting: InFlight[] = []
  #unanswered = 0
  #failures = 0
  #pausedUntilMs = Number.NEGATIVE_INFINITY
  #isWatching = false
  #cancelSweep = () => {}
  #onEmpty: (() => void) | undefined
  #closing: Promise<void> | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  send(push: InFlight): void {
    if (this.#onEmpty) {
      push.settle(CLOSING)
      return
    }
    this.#waiting.push(push)
    this.#dispatch()
    if (!this.#isWatching) this.#sweepAfter(BUSY_SWEEP_MS)
  }

  // Settles every push that has not been sent.
  settleWaiting(result: SendResult): void {
    for (const push of [...this.#retries.splice(0), ...this.#waiting.splice(0)]) push.settle(result)
  }

  // Lets open streams finish for up to CLOSE_MS; pushes in the queue are retried later by their jobs.
  close(): Promise<void> {
    this.#closing ??= this.#shutDown()
    return this.#closing
  }

  async #shutDown(): Promise<void> {
    const emptied = new Promise<void>((resolve) => {
      this.#onEmpty = resolve
    })
    this.settleWaiting(CLOSING)
    for (const connection of this.#connections) connection.retire('closed by us')
    this.#reportIfEmpty()
    const cancelEnd = this.#options.clock.wakeAfter(CLOSE_MS, () => {
      for (const connection of this.#connections) connection.destroy('closed by us')
    })
    await emptied
    cancelEnd()
    this.#cancelSweep()
  }

  changed(): void {
    this.#dispatch()
  }

  notProcessed(push: InFlight, connection: Connection): void {
    if (connection.isOpen) push.refusals += 1
    if (push.refusals > MOST_REFUSALS) push.settle(REFUSED)
    else this.#sendAgain(push)
  }

  lost(push: InFlight): void {
    if (push.wasLost) {
      push.settle(LOST)
      return
    }
    push.wasLost = true
    this.#sendAgain(push)
  }

  closed(connection: Connection): void {
    this.#connections.delete(connection)
    this.#options.log.info({ ending: connection.ending }, 'APNs connection closed')
    if (this.#onEmpty) this.#reportIfEmpty()
    else this.#noteEnd(connection)
    this.#dispatch()
  }

  #noteEnd(connection: Connection): void {
    this.#unanswered = connection.hasAnswered ? 0 : this.#unanswered + 1
    if (connection.hasAnswered) this.#failures = 0
    if (!connection.wasReady || this.#unanswered >= MOST_UNANSWERED) this.#pause(connection.ending)
  }

  #sendAgain(push: InFlight): void {
    if (this.#onEmpty) push.settle(CLOSING)
    else this.#retries.push(push)
  }

  #dispatch(): void {
    let open = 0
    let full = 0
    for (const connection of this.#connections) {
      while (connection.room > 0) {
        const push = this.#retries.shift() ?? this.#waiting.shift()
        if (!push) return
        connection.send(push)
      }
      if (connection.isOpen) open += 1
      if (connection.isFull) full += 1
    }
    if (this.#isQueueEmpty()) return
    if (open === 0 || (open === full && open < MOST_CONNECTIONS)) this.#connect(open === 0)
  }

  #connect(isNeeded: boolean): void {
    const pauseMs = this.#pausedUntilMs - this.#options.clock.monotonicMs()
    if (pauseMs <= 0) this.#connections.add(new Connection({ ...this.#options, events: this }))
    else if (isNeeded) this.settleWaiting(unreachable(pauseMs))
  }

  // Exponential backoff: without it every push to a host that is down would open a connection.
  #pause(cause: string): void {
    const pauseMs = Math.min(1000 * 2 ** this.#failures, MOST_PAUSE_MS)
    this.#failures += 1
    this.#pausedUntilMs = this.#options.clock.monotonicMs() + pauseMs
    this.#options.log.warn({ cause, pauseMs }, 'APNs cannot be reached')
  }

  // One timer for all deadlines and health checks: frequent while pushes are open, rare otherwise.
  #sweepAfter(delayMs: number): void {
    this.#cancelSweep()
    this.#isWatching = delayMs === BUSY_SWEEP_MS
    this.#cancelSweep = this.#options.clock.wakeAfter(delayMs, () => this.#sweep())
  }

  #sweep(): void {
    const nowMs = this.#options.clock.monotonicMs()
    for (const connection of this.#connections) connection.sweep(nowMs)
    this.#retries = withoutOverdue(this.#retries, nowMs)
    this.#waiting = withoutOverdue(this.#waiting, nowMs)
    if (this.#isBusy()) this.#sweepAfter(BUSY_SWEEP_MS)
    else if (this.#connections.size > 0) this.#sweepAfter(IDLE_SWEEP_MS)
    else this.#isWatching = false
  }

  #isBusy(): boolean {
    return !this.#isQueueEmpty() || [...this.#connections].some((connection) => connection.isBusy)
  }

  #isQueueEmpty(): boolean {
    return this.#retries.length + this.#waiting.length === 0
  }

  #reportIfEmpty(): void {
    if (this.#connections.size === 0) this.#onEmpty?.()
  }
}

function withoutOverdue(queue: InFlight[], nowMs: number): InFlight[] {
  const inTime = queue.filter((push) => push.deadlineAtMs > nowMs)
  if (inTime.length === queue.length) return queue
  for (const push of queue) if (push.deadlineAtMs <= nowMs) push.settle(TIMED_OUT)
  return inTime
}

function unreachable(pauseMs: number): SendResult {
  return { undelivered: 'unreachable', afterSeconds: Math.ceil(pauseMs / 1000) }
}
