// One HTTP/2 session to APNs: its stream limit, its health checks, and the answer to each push.
//
//   connecting -> ready -> leaving (finishes its open streams) -> closed
//
// A ready connection has one open stream until APNs has accepted our provider token, then as many as APNs allows.
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
// Besides an answer: not delivered for now, or blocked by the circuit breaker before it was sent.
export type SendResult = Answer | { undelivered: string; afterSeconds?: number } | { blocked: string }

// One push from its first send to its result, over one connection or several.
export type InFlight = {
  readonly headers: OutgoingHttpHeaders
  readonly payload: string
  // On the clock's monotonic scale.
  readonly deadlineAtMs: number
  readonly settle: (result: SendResult) => void
  connection: Connection | undefined
  refusals: number
  wasLost: boolean
  isSettled: boolean
}

export type ConnectionEvents = {
  // The room has changed, or this connection takes no more pushes.
  changed(): void
  // APNs has not processed the push: sending it again is safe.
  notProcessed(push: InFlight, connection: Connection): void
  // It is unknown whether APNs has processed the push.
  lost(push: InFlight): void
  closed(connection: Connection): void
}

type ConnectionOptions = { url: string; secureContext: SecureContext; clock: Clock; events: ConnectionEvents }

// Two connections with 200 streams carry 4,000 pushes a second at 100 ms each. More streams would only mean more pushes to
// send again after a GOAWAY.
const MOST_STREAMS = 200
const CONNECT_MS = 10_000
// A dead connection is noticed after SILENCE_MS and PING_ANSWER_MS, within 15 s.
const SILENCE_MS = 5_000
const PING_ANSWER_MS = 5_000
// Apple recommends a PING after an hour without a push.
const IDLE_MS = 3_600_000

const ACCEPTED: Answer = { status: 200, body: '' }
export const TIMED_OUT: SendResult = { undelivered: 'timeout' }

export class Connection {
  // For the pool, which decides by them whether to pause before it connects again.
  wasReady = false
  hasAnswered = false
  ending = 'closed by us'

  readonly #session: ClientHttp2Session
  readonly #clock: Clock
  readonly #events: ConnectionEvents
  readonly #streams = new Map<InFlight, ClientHttp2Stream>()
  #state: 'connecting' | 'ready' | 'leaving' | 'closed' = 'connecting'
  #isAuthenticated = false
  #streamLimit = 0
  #lastStreamId = Number.POSITIVE_INFINITY
  #socket: Socket | undefined
  #heardAtMs: number
  #pingedAtMs: number | undefined

  constructor({ url, secureContext, clock, events }: ConnectionOptions) {
    this.#clock = clock
    this.#events = events
    this.#heardAtMs = clock.monotonicMs()
    // Apple asks to resolve the host name for each connection; Node does not cache the result.
    this.#session = connect(url, { secureContext, settings: { enablePush: false } })
    this.#session.on('connect', (_session, socket) => {
      this.#socket = socket
    })
    this.#session.on('remoteSettings', (settings) => this.#onSettings(settings.maxConcurrentStreams))
    this.#session.on('goaway', (code, lastStreamId, data) => this.#onGoaway(code, lastStreamId, data))
    // The reason of a GOAWAY says more than the error that follows it.
    this.#session.on('error', (error) => {
      if (this.isOpen) this.ending = error.message
    })
    this.#session.on('close', () => this.#onClose())
  }

  get isOpen(): boolean {
    return this.#state === 'connecting' || this.#state === 'ready'
  }

  get isBusy(): boolean {
    return this.#state !== 'ready' || this.#streams.size > 0 || this.#pingedAtMs !== undefined
  }

  // Has as many streams as APNs allows: more pushes need another connection.
  get isFull(): boolean {
    return this.#state === 'ready' && this.#isAuthenticated && this.room <= 0
  }

  get room(): number {
    if (this.#state !== 'ready') return 0
    return (this.#isAuthenticated ? this.#streamLimit : Math.min(this.#streamLimit, 1)) - this.#streams.size
  }

  send(push: InFlight): void {
    const stream = this.#request(push)
    if (!stream) return
    this.#streams.set(push, stream)
    push.connection = this
    let answer: Answer | undefined
    stream.on('response', (headers) => {
      answer = readAnswer(stream, headers)
    })
    // 'close' follows and settles the push.
    stream.on('error', () => {})
    stream.on('close', () => this.#onStreamClose(push, stream, answer))
    stream.end(push.payload)
  }

  // Takes no more pushes, and closes when its streams have ended.
  retire(ending: string): void {
    if (!this.isOpen) return
    this.#leave(ending)
    this.#closeIfDone()
  }

  // Destroys the socket too: a session after close() would wait for the other side without a limit.
  destroy(ending: string): void {
    if (this.isOpen || this.#streams.size > 0) this.#leave(ending)
    this.#session.destroy()
    this.#socket?.destroy()
  }

  // Called regularly: times out overdue pushes, and checks whether the other side still answers.
  sweep(nowMs: number): void {
    this.#cancelOverdue(nowMs)
    const quietMs = nowMs - this.#heardAtMs
    if (this.#state === 'connecting') {
      if (quietMs >= CONNECT_MS) this.destroy('connecting took too long')
    } else if (this.#state === 'leaving' && this.#streams.size === 0) {
      if (quietMs >= SILENCE_MS) this.destroy(this.ending)
    } else if (this.#pingedAtMs !== undefined) {
      if (nowMs - this.#pingedAtMs >= PING_ANSWER_MS) this.destroy('no answer to a PING')
    } else if (quietMs >= (this.#streams.size > 0 ? SILENCE_MS : IDLE_MS)) {
      this.#ping(nowMs)
    }
  }

  // Node ends a session some time before it emits 'close', and refuses requests from then on: 22 by throwing, 24 by a
  // stream that fails later (nodejs/node#63412). With this check the push counts as not processed on both.
  #request(push: InFlight): ClientHttp2Stream | undefined {
    if (!this.#session.closed && !this.#session.destroyed) return this.#session.request(push.headers)
    this.retire('the session has ended')
    this.#events.notProcessed(push, this)
    return undefined
  }

  #onStreamClose(push: InFlight, stream: ClientHttp2Stream, answer: Answer | undefined): void {
    this.#streams.delete(push)
    // An error answer that was cut off has no usable reason.
    const isWhole = answer === ACCEPTED || (stream.readableEnded && stream.rstCode === constants.NGHTTP2_NO_ERROR)
    if (answer && isWhole) {
      this.#onAnswer(answer)
      if (!push.isSettled) push.settle(answer)
    } else if (!push.isSettled) {
      const isUnprocessed = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || (stream.id ?? 0) > this.#lastStreamId
      if (isUnprocessed) this.#events.notProcessed(push, this)
      else this.#events.lost(push)
    }
    this.#closeIfDone()
    this.#events.changed()
  }

  #onAnswer(answer: Answer): void {
    this.#onSignOfLife()
    this.hasAnswered = true
    // APNs answers 200 and 410 only to a sender whose provider token it has accepted.
    if (answer.status === 200 || answer.status === 410) this.#isAuthenticated = true
  }

  #onSettings(maxConcurrentStreams = MOST_STREAMS): void {
    this.#onSignOfLife()
    this.#streamLimit = Math.min(maxConcurrentStreams, MOST_STREAMS)
    if (this.#state === 'connecting') this.#state = 'ready'
    this.wasReady = true
    this.#events.changed()
  }

  // Node closes the session itself: it refuses streams above the last id and lets the others finish.
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

  // Only when no stream is open: closing a session sends a GOAWAY, which would cancel requests made in the same turn.
  #closeIfDone(): void {
    if (this.#state !== 'leaving' || this.#streams.size > 0) return
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
    for (const [push, stream] of this.#streams) {
      if (push.isSettled || push.deadlineAtMs > nowMs) continue
      push.isSettled = true
      push.settle(TIMED_OUT)
      stream.close(constants.NGHTTP2_CANCEL)
    }
  }
}

// Only an error answer has a body, and it is short.
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
