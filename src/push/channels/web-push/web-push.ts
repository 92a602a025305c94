// The Web Push channel (RFC 8030): encrypts a message, posts it to the endpoint of the subscription, and translates the
// answer of the service. Only 404 and 410 mean that the subscription is gone.
import { createHash } from 'node:crypto'
import type { Instant } from '../../../domain/instant.ts'
import type { PushResult } from '../../../domain/push.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { type Outbound, type OutboundReply, type OutboundRequest, retryAfterSeconds } from '../../outbound-http.ts'
import { encryptForSubscription, type SubscriptionKeys } from './encryption.ts'
import { openVapid, type Vapid, type VapidKeys } from './vapid.ts'

export type WebPushUrgency = 'low' | 'normal' | 'high'

export type WebPush = {
  endpoint: string
  keys: SubscriptionKeys
  payload: string
  // How long the service keeps the message for a browser that is offline.
  ttlSeconds: number
  urgency: WebPushUrgency
  // Replaces a waiting message with the same topic; made by webPushTopic.
  topic?: string
  deadlineMs?: number
}

export type WebPushChannel = {
  // Never rejects.
  push(message: WebPush): Promise<PushResult>
}

export type WebPushOptions = { keys: VapidKeys; subject: string; outbound: Outbound; clock: Clock }

const DEADLINE_MS = 10_000
// Answers are empty or one line of text.
const MAX_RESPONSE_BYTES = 4096
// Services refuse more than four weeks.
const MAX_TTL_SECONDS = 28 * 24 * 3600

export function openWebPush(options: WebPushOptions): WebPushChannel {
  const vapid = openVapid(options)
  return {
    async push(message) {
      let request: OutboundRequest
      try {
        request = prepare(message, vapid)
      } catch (error) {
        return { result: 'rejected', reason: error instanceof Error ? error.message : 'message cannot be encrypted' }
      }
      return toPushResult(await options.outbound.send(request), options.clock.now())
    },
  }
}

// A topic has at most 32 base64url characters, a collapse id may have more and others: 24 bytes of its hash fit.
export function webPushTopic(collapseId: string): string {
  return createHash('sha256').update(collapseId).digest().subarray(0, 24).toString('base64url')
}

export function webPushUrgency(level: 'passive' | 'active' | 'time-sensitive' | 'critical'): WebPushUrgency {
  if (level === 'passive') return 'low'
  return level === 'active' ? 'normal' : 'high'
}

function prepare(message: WebPush, vapid: Vapid): OutboundRequest {
  const ttlSeconds = Math.min(Math.max(Math.floor(message.ttlSeconds), 0), MAX_TTL_SECONDS)
  return {
    url: message.endpoint,
    headers: {
      authorization: vapid.authorizationFor(new URL(message.endpoint).origin),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttlSeconds),
      urgency: message.urgency,
      ...(message.topic && { topic: message.topic }),
    },
    body: encryptForSubscription(message.payload, message.keys),
    deadlineMs: message.deadlineMs ?? DEADLINE_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    requireHttps: false,
  }
}

// Microsoft's service answers 406 to throttle.
const BUSY = new Set([406, 408, 425, 429])

function toPushResult(reply: OutboundReply, now: Instant): PushResult {
  if (reply.kind === 'refused') return { result: 'rejected', reason: reply.reason }
  if (reply.kind === 'failed') return { result: 'try_later', reason: `push service: ${reply.reason}` }

  const { status } = reply
  const reason = `push service answered ${status}`
  if (status >= 200 && status < 300) return { result: 'accepted' }
  if (status === 404 || status === 410) return { result: 'device_gone', reason }
  if (status < 500 && !BUSY.has(status)) return { result: 'rejected', reason }
  const afterSeconds = retryAfterSeconds(reply.headers, now)
  return { result: 'try_later', reason, ...(afterSeconds !== undefined && { afterSeconds }) }
}
