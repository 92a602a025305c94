// One HTTP/2 session to APNs: how many pushes it may carry, whether it is still alive, and what became of each.
//
//   connecting -> ready -> leaving (finishes what it carries) -> closed
//
// A ready connection carries one push until APNs has believed our token once, then as many as APNs allows.
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Clock } from '../../../runtime/clock.ts'

export type Answer = { status: number; body: string; retryAfter?: string }
// Besides an answer: given up for now, or turned away before it was sent.
export type Fate = Answer | { undelivered: string; afterSeconds?: number } | { turnedAway: string }

// One push on its way, over as many connections as it takes.
export type Parcel = {
  readonly headers: OutgoingHttpHeaders
  readonly payload: string
  // On the clock's monotonic scale.
  readonly deadlineAtMs: number
  readonly settle: (fate: Fate) => void
  carrier: Connection | undefined
  refusals: number
  wasLost: boolean
  isSettled: boolean
}

export type ConnectionEvents = {
  // There may be room for more, or this connection takes no more.
  changed(): void
  // APNs has certainly not acted on it: sending it again is safe.
  notProcessed(parcel: Parcel, connection: Connection): void
  // Nobody knows whether APNs acted on it.
  lost(parcel: Parcel): void
  closed(connection: Connection): void
}

type ConnectionOptions = { url: string; secureContext: SecureContext; clock: Clock; events: ConnectionEvents }

// Two connections of 200 carry 4,000 pushes a second at 100 ms each; more streams are only more to send again at a GOAWAY.
const MOST_STREAMS = 200
const CONNECT_MS = 10_000
// Silence and the wait for the PING's answer together stay below 15 s.
const SILENCE_MS = 5_000
const PING_ANSWER_MS = 5_000
// Apple: PING after an hour without a push.
const IDLE_MS = 3_600_000

const ACCEPTED: Answer = { status: 200, body: '' }
export const TIMED_OUT: Fate = { undelivered: 'timeout' }

export class Connection {
  // Has it become ready, has it brought any answer, and why did it end?
  wasReady = false
  hasAnswered = false
  ending = 'closed by us'

  readonly #session: ClientHttp2Session
  readonly #clock: Clock
  readonly #events: ConnectionEvents
  readonly #carried = new Map<Parcel, ClientHttp2Stream>()
  #state: 'connecting' | 'ready' | 'leaving' | 'closed' = 'connecting'
  #isBelieved = false
  #streamLimit = 0
  #lastStreamId = Number.POSITIVE_INFINITY
  #socket: Socket | undefined
  #heardAtMs: number
  #pingedAtMs: number | undefined

  constructor({ url, secureContext, clock, events }: ConnectionOptions) {
    this.#clock = clock
    this.#events = events
    this.#heardAtMs = clock.monotonicMs()
    // The name is looked up afresh for each connection, as Apple asks; Node keeps no answers.
    this.#session = connect(url, { secureContext, settings: { enablePush: false } })
    this.#session.on('connect', (_session, socket) => {
      this.#socket = socket
    })
    this.#session.on('remoteSettings', (settings) => this.#onSettings(settings.maxConcurrentStreams))
    this.#session.on('goaway', (code, lastStreamId, data) => this.#onGoaway(code, lastStreamId, data))
    // After a GOAWAY, its reason says more than the error that follows.
    this.#session.on('error', (error) => {
      if (this.isOpen) this.ending = error.message
    })
    this.#session.on('close', () => this.#onClose())
  }

  get isOpen(): boolean {
    return this.#state === 'connecting' || this.#state === 'ready'
  }

  get isBusy(): boolean {
    return this.#state !== 'ready' || this.#carried.size > 0 || this.#pingedAtMs !== undefined
  }

  // Carries as much as it ever may, so that only another connection brings more.
  get isFull(): boolean {
    return this.#state === 'ready' && this.#isBelieved && this.room <= 0
  }

  get room(): number {
    if (this.#state !== 'ready') return 0
    return (this.#isBelieved ? this.#streamLimit : Math.min(this.#streamLimit, 1)) - this.#carried.size
  }

  send(parcel: Parcel): void {
    const stream = this.#request(parcel)
    if (!stream) return
    this.#carried.set(parcel, stream)
    parcel.carrier = this
    let answer: Answer | undefined
    stream.on('response', (headers) => {
      answer = readAnswer(stream, headers)
    })
    // 'close' follows and decides.
    stream.on('error', () => {})
    stream.on('close', () => this.#onStreamClose(parcel, stream, answer))
    stream.end(parcel.payload)
  }

  // Takes no more, and closes when what it carries is done.
  retire(ending: string): void {
    if (!this.isOpen) return
    this.#leave(ending)
    this.#closeIfDone()
  }

  // A session that was closed in peace would wait for the other side for ever, hence the socket.
  destroy(ending: string): void {
    if (this.isOpen || this.#carried.size > 0) this.#leave(ending)
    this.#session.destroy()
    this.#socket?.destroy()
  }

  // Called regularly: gives up on what is overdue, and looks whether the other side is still there.
  sweep(nowMs: number): void {
    this.#cancelOverdue(nowMs)
    const quietMs = nowMs - this.#heardAtMs
    if (this.#state === 'connecting') {
      if (quietMs >= CONNECT_MS) this.destroy('connecting took too long')
    } else if (this.#state === 'leaving' && this.#carried.size === 0) {
      if (quietMs >= SILENCE_MS) this.destroy(this.ending)
    } else if (this.#pingedAtMs !== undefined) {
      if (nowMs - this.#pingedAtMs >= PING_ANSWER_MS) this.destroy('no answer to a PING')
    } else if (quietMs >= (this.#carried.size > 0 ? SILENCE_MS : IDLE_MS)) {
      this.#ping(nowMs)
    }
  }

  // Node ends a session some time before it emits 'close', and refuses requests from then on: 22 by throwing, 24 by a
  // stream that fails later (nodejs/node#63412). The check makes sure that the push counts as not processed on both.
  #request(parcel: Parcel): ClientHttp2Stream | undefined {
    if (!this.#session.closed && !this.#session.destroyed) return this.#session.request(parcel.headers)
    this.retire('the session has ended')
    this.#events.notProcessed(parcel, this)
    return undefined
  }

  #onStreamClose(parcel: Parcel, stream: ClientHttp2Stream, answer: Answer | undefined): void {
    this.#carried.delete(parcel)
    // A refusal cut off before its reason says nothing.
    const isWhole = answer === ACCEPTED || (stream.readableEnded && stream.rstCode === constants.NGHTTP2_NO_ERROR)
    if (answer && isWhole) {
      this.#onAnswer(answer)
      if (!parcel.isSettled) parcel.settle(answer)
    } else if (!parcel.isSettled) {
      const isUntouched = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || (stream.id ?? 0) > this.#lastStreamId
      if (isUntouched) this.#events.notProcessed(parcel, this)
      else this.#events.lost(parcel)
    }
    this.#closeIfDone()
    this.#events.changed()
  }

  #onAnswer(answer: Answer): void {
    this.#onSignOfLife()
    this.hasAnswered = true
    // Like a 200, a 410 is only given to a sender whose token was believed.
    if (answer.status === 200 || answer.status === 410) this.#isBelieved = true
  }

  #onSettings(maxConcurrentStreams = MOST_STREAMS): void {
    this.#onSignOfLife()
    this.#streamLimit = Math.min(maxConcurrentStreams, MOST_STREAMS)
    if (this.#state === 'connecting') this.#state = 'ready'
    this.wasReady = true
    this.#events.changed()
  }

  // Node closes the session itself; it refuses the streams above the last id, and lets the others finish.
  #onGoaway(code: number, lastStreamId: number, data: Buffer | undefined): void {
    this.#onSignOfLife()
    this.#lastStreamId = Math.min(this.#lastStreamId, lastStreamId)
    if (!this.isOpen) return
    this.#leave(`GOAWAY ${code} ${data?.toString('utf8', 0, 200) ?? ''}`.trim())
    this.#events.changed()
  }

  #leave(ending: string): void {
    this.ending = ending
    this.#state = 'leaving'
  }

  // Closing a session sends a GOAWAY of ours, which would end requests made in the same turn.
  #closeIfDone(): void {
    if (this.#state !== 'leaving' || this.#carried.size > 0) return
    if (this.wasReady) this.#session.close()
    else this.#session.destroy()
  }

  #onClose(): void {
    this.#state = 'closed'
    this.#pingedAtMs = undefined
    this.#events.closed(this)
  }

  #ping(nowMs: number): void {
    if (this.#session.destroyed) return
    this.#pingedAtMs = nowMs
    this.#session.ping((error) => {
      if (!error) this.#onSignOfLife()
    })
  }

  #onSignOfLife(): void {
    this.#heardAtMs = this.#clock.monotonicMs()
    this.#pingedAtMs = undefined
  }

  #cancelOverdue(nowMs: number): void {
    for (const [parcel, stream] of this.#carried) {
      if (parcel.isSettled || parcel.deadlineAtMs > nowMs) continue
      parcel.isSettled = true
      parcel.settle(TIMED_OUT)
      stream.close(constants.NGHTTP2_CANCEL)
    }
  }
}

// Only a refusal has a body worth reading, and never a long one.
function readAnswer(stream: ClientHttp2Stream, headers: IncomingHttpHeaders & IncomingHttpStatusHeader): Answer {
  const status = headers[':status'] ?? 0
  if (status === 200) {
    stream.resume()
    return ACCEPTED
  }
  const answer: Answer = { status, body: '' }
  if (headers['retry-after'] !== undefined) answer.retryAfter = headers['retry-after']
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    if (answer.body.length < 4096) answer.body += chunk
  })
  return answer
}
