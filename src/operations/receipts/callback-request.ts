// The request of a callback: signed with the secret of an integration key, and abandoned if the server stops.
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { JOB_RETRY_SECONDS } from '../../domain/jobs.ts'
import { callbackHeaders } from '../../domain/receipts/callback-signature.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { CallbackReply, CallbackRequest, JobContext } from '../context.ts'

// `id`: the same with every attempt, so that the receiver recognizes a repeated one.
export type Callback = { url: string; id: string; body: object; keyHashes: TokenHash[] }

export function signedRequest({ url, id, body: document, keyHashes }: Callback, now: Instant): CallbackRequest {
  const body = JSON.stringify(document)
  const signed = { id, timestampSeconds: Math.floor(now / 1000), body }
  const headers = { 'content-type': 'application/json', ...callbackHeaders(keyHashes, signed) }
  return { url, headers, body, requireHttps: true }
}

// A stopping server does not wait for a slow receiver.
export function postUnlessStopping(
  { stopping, postCallback }: JobContext,
  request: CallbackRequest,
): Promise<CallbackReply> {
  const over = new AbortController()
  const stopped = new Promise<CallbackReply>((resolve) => {
    const abandon = () => resolve({ kind: 'failed', reason: 'this server was stopped' })
    stopping.addEventListener('abort', abandon, { signal: over.signal })
  })
  return Promise.race([postCallback(request), stopped]).finally(() => over.abort())
}

// Undefined after the last attempt.
export function nextAttemptAt(attempt: number, startedAt: Instant): Instant | undefined {
  const seconds = JOB_RETRY_SECONDS['send-callback'][attempt - 1]
  return seconds === undefined ? undefined : plusSeconds(startedAt, seconds)
}

export const isDelivered = (reply: CallbackReply): boolean =>
  reply.kind === 'answered' && reply.status >= 200 && reply.status < 300

// A receiver that answers 410 wants no more attempts.
export const isFinal = (reply: CallbackReply): boolean =>
  isDelivered(reply) || (reply.kind === 'answered' && reply.status === 410)

export const replyInWords = (reply: CallbackReply): string =>
  reply.kind === 'answered' ? `answered ${reply.status}` : reply.reason
