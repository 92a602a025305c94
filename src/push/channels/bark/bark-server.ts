// Pushes through a bark-server of somebody else, by its JSON interface. A server that fails again and again for an account is
// asked once a minute for it: the public one blocks addresses that send too many failing requests. Other accounts do not wait, or
// one could hold up all others by a phone whose pushes fail.
import type { Instant } from '../../../domain/instant.ts'
import type { PushResult } from '../../../domain/push.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { type Outbound, type OutboundReply, retryAfterSeconds } from '../../outbound-http.ts'

export type BarkServerPush = { account: string; base: string; authorization?: string; body: string; deadlineMs: number }

export type BarkServerChannel = {
  // Never rejects.
  push(push: BarkServerPush): Promise<PushResult>
}

const MOST_ANSWER_BYTES = 16 * 1024
const FAILURES_UNTIL_PAUSE = 5
const PROBE_EVERY_MS = 60_000
// Over this number the one that failed longest ago is forgotten, and so is asked again.
const MOST_STANDINGS = 10_000

type Standing = { failures: number; probeAtMs: number }

export function openBarkServers({ outbound, clock }: { outbound: Outbound; clock: Clock }): BarkServerChannel {
  // By account, host and port: two servers may share a machine.
  const standings = new Map<string, Standing>()

  // Returns how many seconds to wait; undefined if the push may go out.
  function pauseOf(name: string): number | undefined {
    const standing = standings.get(name)
    if (!standing || standing.failures < FAILURES_UNTIL_PAUSE) return undefined
    const leftMs = standing.probeAtMs - clock.monotonicMs()
    if (leftMs > 0) return Math.ceil(leftMs / 1000)
    // This push is the probe; others wait until it is answered.
    standing.probeAtMs = clock.monotonicMs() + PROBE_EVERY_MS
    return undefined
  }

  function note(name: string, { result }: PushResult): void {
    const failures = (standings.get(name)?.failures ?? 0) + 1
    // Behind all others, whose last failure is older.
    standings.delete(name)
    if (result !== 'try_later') return
    standings.set(name, { failures, probeAtMs: clock.monotonicMs() + PROBE_EVERY_MS })
    const [oldest] = standings.keys()
    if (standings.size > MOST_STANDINGS && oldest !== undefined) standings.delete(oldest)
  }

  return {
    async push({ account, base, authorization, body, deadlineMs }) {
      const { host } = new URL(base)
      const name = `${account} ${host}`
      const waitSeconds = pauseOf(name)
      if (waitSeconds !== undefined) {
        return { result: 'try_later', reason: PAUSED, afterSeconds: waitSeconds, notTried: true }
      }
      const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
      if (authorization) headers.authorization = authorization
      const request = { url: `${base}/push`, headers, body, deadlineMs, maxResponseBytes: MOST_ANSWER_BYTES }
      const result = toResult(await outbound.send({ ...request, requireHttps: false }), host, clock.now())
      note(name, result)
      return result
    },
  }
}

const PAUSED = 'bark-server: has failed too often; asked once a minute'
const GONE = /^failed to get device token/
const GONE_AT_APPLE = /Unregistered|BadDeviceToken/

function toResult(reply: OutboundReply, host: string, now: Instant): PushResult {
  if (reply.kind === 'refused') return { result: 'rejected', reason: `bark-server: ${reply.reason}` }
  if (reply.kind === 'failed') return { result: 'try_later', reason: `bark-server: ${reply.reason}` }
  const { status } = reply
  const { code, message } = readAnswer(reply.body)
  if (status === 200 && code === 200) return { result: 'accepted', by: host }
  if (status === 400 && GONE.test(message))
    return { result: 'device_gone', reason: 'bark-server: does not know the phone' }
  if (status === 500 && GONE_AT_APPLE.test(message)) {
    return { result: 'device_gone', reason: 'bark-server: Apple does not know the phone any more' }
  }
  const reason = `bark-server answered ${status}`
  if (status === 429 || status >= 500) {
    const afterSeconds = retryAfterSeconds(reply.headers, now)
    return afterSeconds === undefined ? { result: 'try_later', reason } : { result: 'try_later', reason, afterSeconds }
  }
  return { result: 'rejected', reason }
}

// Nothing of it is shown or logged.
function readAnswer(body: Buffer): { code?: unknown; message: string } {
  try {
    const { code, message } = JSON.parse(body.toString())
    return { code, message: typeof message === 'string' ? message : '' }
  } catch {
    return { message: '' }
  }
}
