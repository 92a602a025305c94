// One APNs environment: sends a push, reads the answer, and applies the policy for its reason (reasons.ts).
import { instant } from '../../../domain/instant.ts'
import type { PushResult } from '../../../domain/push.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Log } from '../../../runtime/log.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import type { Answer, InFlight, SendResult } from './connection.ts'
import type { Pool } from './pool.ts'
import type { ProviderToken } from './provider-token.ts'
import { type Policy, policyFor } from './reasons.ts'
import { type ApnsPush, requestHeaders, type Topics } from './request.ts'

type GatewayOptions = { pool: Pool; providerToken: ProviderToken; topics: Topics; clock: Clock; log: Log }

type Sending = InFlight & {
  readonly resolve: (result: PushResult) => void
  authorization: string
  isSecondTry: boolean
}
type Refusal = { status: number; reason: string; timestamp?: number; retryAfterSeconds?: number }

const DEFAULT_DEADLINE_MS = 30_000
const RECONNECT_PAUSE_SECONDS = 60
const ACCEPTED: PushResult = { result: 'accepted' }

export class Gateway {
  readonly #pool: Pool
  readonly #providerToken: ProviderToken
  readonly #topics: Topics
  readonly #clock: Clock
  readonly #log: Log
  readonly #breaker: Breaker
  readonly #alarm: Alarm

  constructor({ pool, providerToken, topics, clock, log }: GatewayOptions) {
    this.#pool = pool
    this.#providerToken = providerToken
    this.#topics = topics
    this.#clock = clock
    this.#log = log
    this.#breaker = createBreaker(clock)
    this.#alarm = createAlarm(clock, log)
  }

  push(push: ApnsPush): Promise<PushResult> {
    const blockedReason = this.#breaker.blockedReason()
    if (blockedReason !== undefined) return Promise.resolve(rejected(blockedReason))
    const authorization = this.#providerToken.current()
    return new Promise((resolve) => {
      const sending: Sending = {
        headers: requestHeaders(push, this.#topics, authorization),
        payload: push.payload,
        deadlineAtMs: this.#clock.monotonicMs() + (push.deadlineMs ?? DEFAULT_DEADLINE_MS),
        settle: (result) => this.#settle(sending, result),
        resolve,
        authorization,
        connection: undefined,
        refusals: 0,
        wasLost: false,
        isSettled: false,
        isSecondTry: false,
      }
      this.#pool.send(sending)
    })
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  // Without a push result, the push has been sent again.
  #settle(sending: Sending, result: SendResult): void {
    const pushed = this.#pushResultOf(sending, result)
    if (pushed) sending.resolve(pushed)
  }

  #pushResultOf(sending: Sending, result: SendResult): PushResult | undefined {
    if ('undelivered' in result) return tryLater(result.undelivered, result.afterSeconds)
    if ('blocked' in result) return rejected(result.blocked)
    if (result.status === 200) {
      this.#noteAuthenticated()
      return ACCEPTED
    }
    const refusal = readRefusal(result)
    return this.#apply(policyFor(refusal.status, refusal.reason), refusal, sending)
  }

  #apply(policy: Policy, refusal: Refusal, sending: Sending): PushResult | undefined {
    const { reason } = refusal
    switch (policy.effect) {
      case 'delete_token':
        this.#noteAuthenticated()
        return deviceGone(refusal)
      case 'reject':
        this.#alarm(reason, ALARMS[policy.blame])
        return rejected(reason)
      case 'reconnect':
        sending.connection?.retire(reason)
        if (!sending.isSecondTry) return this.#tryAgain(sending)
        return policy.otherwise === 'break' ? this.#break(reason) : tryLater(reason, RECONNECT_PAUSE_SECONDS)
      case 'renew_token':
        if (sending.isSecondTry || !this.#providerToken.renew(sending.authorization)) return this.#break(reason)
        return this.#tryAgain(sending)
      case 'break':
        return this.#break(reason)
      case 'wait':
        if (policy.also === 'reconnect') sending.connection?.retire(reason)
        if (policy.also === 'keep_former_token') this.#providerToken.keepFormer(sending.authorization)
        return tryLater(reason, refusal.retryAfterSeconds ?? policy.seconds)
    }
  }

  #tryAgain(sending: Sending): undefined {
    sending.isSecondTry = true
    sending.authorization = this.#providerToken.current()
    sending.headers.authorization = sending.authorization
    this.#pool.send(sending)
  }

  // Pushes in the queue would get the same answer.
  #break(reason: string): PushResult {
    if (this.#breaker.open(reason)) {
      this.#log.error({ reason }, 'APNs refuses all our pushes; check the key, its id, the team and the topic')
    }
    this.#pool.settleWaiting({ blocked: reason })
    return rejected(reason)
  }

  #noteAuthenticated(): void {
    if (this.#breaker.close()) this.#log.info('APNs takes our pushes again')
  }
}

const ALARMS = {
  settings: 'APNs refuses pushes for this topic; check the bundle id and the key; device tokens are kept',
  heliograph: 'APNs says a push was malformed; this is a mistake in Heliograph',
}

function readRefusal({ status, body, retryAfter }: Answer): Refusal {
  const refusal: Refusal = { status, reason: `status_${status}` }
  if (retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter)) refusal.retryAfterSeconds = Number(retryAfter)
  try {
    const { reason, timestamp } = JSON.parse(body)
    if (typeof reason === 'string') refusal.reason = reason
    if (typeof timestamp === 'number') refusal.timestamp = timestamp
  } catch {
    // Something between us and APNs has answered: only the status is known.
  }
  return refusal
}

// Only a 410 has a time: a BadDeviceToken was never valid.
function deviceGone({ status, reason, timestamp }: Refusal): PushResult {
  if (status !== 410 || timestamp === undefined) return { result: 'device_gone', reason }
  return { result: 'device_gone', reason, goneAt: instant(timestamp) }
}

function rejected(reason: string): PushResult {
  return { result: 'rejected', reason }
}

function tryLater(reason: string, afterSeconds: number | undefined): PushResult {
  return afterSeconds === undefined ? { result: 'try_later', reason } : { result: 'try_later', reason, afterSeconds }
}

const QUIET_MS = 15 * 60_000

type Alarm = (reason: string, message: string) => void

// Rate-limited log lines for operators: the first of a reason at once, then one every 15 minutes with the count.
function createAlarm(clock: Clock, log: Log): Alarm {
  const raised = new Map<string, { atMs: number; unreported: number }>()
  return (reason, message) => {
    const nowMs = clock.monotonicMs()
    const last = raised.get(reason)
    if (last && nowMs - last.atMs < QUIET_MS) {
      last.unreported += 1
      return
    }
    log.error({ reason, times: 1 + (last?.unreported ?? 0) }, message)
    raised.set(reason, { atMs: nowMs, unreported: 0 })
  }
}
