// The connections to one APNs host, and the pushes that wait for room on them.
// A push that APNs has not seen is sent again; one whose fate is unknown is sent again once, with the same apns-id.
import type { SecureContext } from 'node:tls'
import type { Clock } from '../../../runtime/clock.ts'
import type { Log } from '../../../runtime/log.ts'
import { Connection, type ConnectionEvents, type Fate, type Parcel, TIMED_OUT } from './connection.ts'

type PoolOptions = { url: string; secureContext: SecureContext; clock: Clock; log: Log }

const MOST_CONNECTIONS = 2
// Being refused costs nothing but time; this ends a quarrel with a server that stays but refuses everything.
const MOST_REFUSALS = 8
// So many connections in a row that brought no answer count as a host that cannot be reached.
const FRUITLESS_CONNECTIONS = 3
const LONGEST_PAUSE_MS = 60_000
const BUSY_SWEEP_MS = 250
const IDLE_SWEEP_MS = 60_000
const CLOSE_MS = 2_000

const CLOSING: Fate = { undelivered: 'closing' }
const REFUSED: Fate = { undelivered: 'refused' }
const LOST: Fate = { undelivered: 'connection_lost' }

export class Pool implements ConnectionEvents {
  readonly #options: PoolOptions
  readonly #connections = new Set<Connection>()
  #again: Parcel[] = []
  #waiting: Parcel[] = []
  #fruitless = 0
  #failures = 0
  #pausedUntilMs = Number.NEGATIVE_INFINITY
  #isWatching = false
  #cancelSweep = () => {}
  #onEmpty: (() => void) | undefined
  #closing: Promise<void> | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  send(parcel: Parcel): void {
    if (this.#onEmpty) {
      parcel.settle(CLOSING)
      return
    }
    this.#waiting.push(parcel)
    this.#dispatch()
    if (!this.#isWatching) this.#sweepAfter(BUSY_SWEEP_MS)
  }

  // Ends the wait of all that have not been sent.
  settleWaiting(fate: Fate): void {
    for (const parcel of [...this.#again.splice(0), ...this.#waiting.splice(0)]) parcel.settle(fate)
  }

  // Finishes what is on its way, within reason; what still waits is for another time.
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

  notProcessed(parcel: Parcel, connection: Connection): void {
    if (connection.isOpen) parcel.refusals += 1
    if (parcel.refusals > MOST_REFUSALS) parcel.settle(REFUSED)
    else this.#sendAgain(parcel)
  }

  lost(parcel: Parcel): void {
    if (parcel.wasLost) {
      parcel.settle(LOST)
      return
    }
    parcel.wasLost = true
    this.#sendAgain(parcel)
  }

  closed(connection: Connection): void {
    this.#connections.delete(connection)
    this.#options.log.info({ ending: connection.ending }, 'APNs connection closed')
    if (this.#onEmpty) this.#reportIfEmpty()
    else this.#learnFrom(connection)
    this.#dispatch()
  }

  #learnFrom(connection: Connection): void {
    this.#fruitless = connection.hasAnswered ? 0 : this.#fruitless + 1
    if (connection.hasAnswered) this.#failures = 0
    if (!connection.wasReady || this.#fruitless >= FRUITLESS_CONNECTIONS) this.#pause(connection.ending)
  }

  #sendAgain(parcel: Parcel): void {
    if (this.#onEmpty) parcel.settle(CLOSING)
    else this.#again.push(parcel)
  }

  #dispatch(): void {
    let open = 0
    let full = 0
    for (const connection of this.#connections) {
      while (connection.room > 0) {
        const parcel = this.#again.shift() ?? this.#waiting.shift()
        if (!parcel) return
        connection.send(parcel)
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

  // Without a pause every push to a host that is down would try to connect.
  #pause(cause: string): void {
    const pauseMs = Math.min(1000 * 2 ** this.#failures, LONGEST_PAUSE_MS)
    this.#failures += 1
    this.#pausedUntilMs = this.#options.clock.monotonicMs() + pauseMs
    this.#options.log.warn({ cause, pauseMs }, 'APNs cannot be reached')
  }

  // One timer for all deadlines and all connections: often while something is under way, seldom otherwise.
  #sweepAfter(delayMs: number): void {
    this.#cancelSweep()
    this.#isWatching = delayMs === BUSY_SWEEP_MS
    this.#cancelSweep = this.#options.clock.wakeAfter(delayMs, () => this.#sweep())
  }

  #sweep(): void {
    const nowMs = this.#options.clock.monotonicMs()
    for (const connection of this.#connections) connection.sweep(nowMs)
    this.#again = withoutOverdue(this.#again, nowMs)
    this.#waiting = withoutOverdue(this.#waiting, nowMs)
    if (this.#isBusy()) this.#sweepAfter(BUSY_SWEEP_MS)
    else if (this.#connections.size > 0) this.#sweepAfter(IDLE_SWEEP_MS)
    else this.#isWatching = false
  }

  #isBusy(): boolean {
    return !this.#isQueueEmpty() || [...this.#connections].some((connection) => connection.isBusy)
  }

  #isQueueEmpty(): boolean {
    return this.#again.length + this.#waiting.length === 0
  }

  #reportIfEmpty(): void {
    if (this.#connections.size === 0) this.#onEmpty?.()
  }
}

function withoutOverdue(queue: Parcel[], nowMs: number): Parcel[] {
  const inTime = queue.filter((parcel) => parcel.deadlineAtMs > nowMs)
  if (inTime.length === queue.length) return queue
  for (const parcel of queue) if (parcel.deadlineAtMs <= nowMs) parcel.settle(TIMED_OUT)
  return inTime
}

function unreachable(pauseMs: number): Fate {
  return { undelivered: 'unreachable', afterSeconds: Math.ceil(pauseMs / 1000) }
}
