// One APNs environment: sends a push, reads the answer, and does what the table of reasons says.
import { instant } from '../../../domain/instant.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Outcome } from '../channel.ts'
import { type Alarm, createAlarm } from './alarms.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import type { Answer, Fate, Parcel } from './connection.ts'
import type { Pool } from './pool.ts'
import type { ProviderToken } from './provider-token.ts'
import { type Ruling, rulingFor } from './reasons.ts'
import { type ApnsPush, requestHeaders, type Topics } from './request.ts'

type GatewayOptions = { pool: Pool; providerToken: ProviderToken; topics: Topics; clock: Clock; log: Log }

type Sending = Parcel & { readonly resolve: (outcome: Outcome) => void; authorization: string; isSecondTry: boolean }
type Refusal = { status: number; reason: string; timestamp?: number; retryAfterSeconds?: number }

const DEFAULT_DEADLINE_MS = 30_000
const RECONNECT_PAUSE_SECONDS = 60
const ACCEPTED: Outcome = { result: 'accepted' }

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

  push(push: ApnsPush): Promise<Outcome> {
    const objection = this.#breaker.objection()
    if (objection !== undefined) return Promise.resolve(rejected(objection))
    const authorization = this.#providerToken.current()
    return new Promise((resolve) => {
      const sending: Sending = {
        headers: requestHeaders(push, this.#topics, authorization),
        payload: push.payload,
        deadlineAtMs: this.#clock.monotonicMs() + (push.deadlineMs ?? DEFAULT_DEADLINE_MS),
        settle: (fate) => this.#settle(sending, fate),
        resolve,
        authorization,
        carrier: undefined,
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

  // Without an outcome it is on its way again.
  #settle(sending: Sending, fate: Fate): void {
    const outcome = this.#outcomeOf(sending, fate)
    if (outcome) sending.resolve(outcome)
  }

  #outcomeOf(sending: Sending, fate: Fate): Outcome | undefined {
    if ('undelivered' in fate) return tryLater(fate.undelivered, fate.afterSeconds)
    if ('turnedAway' in fate) return rejected(fate.turnedAway)
    if (fate.status === 200) {
      this.#noteBelieved()
      return ACCEPTED
    }
    const refusal = readRefusal(fate)
    return this.#obey(rulingFor(refusal.status, refusal.reason), refusal, sending)
  }

  #obey(ruling: Ruling, refusal: Refusal, sending: Sending): Outcome | undefined {
    const { reason } = refusal
    switch (ruling.effect) {
      case 'forget_device':
        this.#noteBelieved()
        return deviceGone(refusal)
      case 'reject':
        this.#alarm(reason, ALARMS[ruling.blame])
        return rejected(reason)
      case 'reconnect':
        sending.carrier?.retire(reason)
        if (!sending.isSecondTry) return this.#tryAgain(sending)
        return ruling.otherwise === 'break' ? this.#break(reason) : tryLater(reason, RECONNECT_PAUSE_SECONDS)
      case 'renew_token':
        if (sending.isSecondTry || !this.#providerToken.renew(sending.authorization)) return this.#break(reason)
        return this.#tryAgain(sending)
      case 'break':
        return this.#break(reason)
      case 'wait':
        if (ruling.also === 'reconnect') sending.carrier?.retire(reason)
        if (ruling.also === 'keep_former_token') this.#providerToken.keepFormer(sending.authorization)
        return tryLater(reason, refusal.retryAfterSeconds ?? ruling.seconds)
    }
  }

  #tryAgain(sending: Sending): undefined {
    sending.isSecondTry = true
    sending.authorization = this.#providerToken.current()
    sending.headers.authorization = sending.authorization
    this.#pool.send(sending)
  }

  // Those that still wait would only hear the same.
  #break(reason: string): Outcome {
    if (this.#breaker.open(reason)) {
      this.#log.error({ reason }, 'APNs refuses all our pushes; check the key, its id, the team and the topic')
    }
    this.#pool.settleWaiting({ turnedAway: reason })
    return rejected(reason)
  }

  #noteBelieved(): void {
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
    // Something between us and APNs answered; the status has to do.
  }
  return refusal
}

// Only a 410 knows since when: a BadDeviceToken never was one.
function deviceGone({ status, reason, timestamp }: Refusal): Outcome {
  if (status !== 410 || timestamp === undefined) return { result: 'device_gone', reason }
  return { result: 'device_gone', reason, goneAt: instant(timestamp) }
}

function rejected(reason: string): Outcome {
  return { result: 'rejected', reason }
}

function tryLater(reason: string, afterSeconds: number | undefined): Outcome {
  return afterSeconds === undefined ? { result: 'try_later', reason } : { result: 'try_later', reason, afterSeconds }
}
