// Tells the sender's server that an alert was acknowledged or has expired. An attempt is counted, and the next one
// planned, before it is made: whoever is killed in the middle, there are never more attempts than promised, nor sooner.
import { LIMITS } from '../../contract/limits.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { callbackHeaders } from '../../domain/receipts/callback-signature.ts'
import type { Callback, Receipt } from '../../domain/receipts/receipt.ts'
import type { Context } from '../../operations/context.ts'
import type { OutboundReply } from '../../push/outbound-http.ts'
import { type Job, LEASE_SECONDS, postponeJob } from '../../store/jobs.ts'
import { insertTimeline } from '../../store/notifications/timeline.ts'
import { beginCallbackAttempt, findReceipt, listCallbackKeys, updateCallback } from '../../store/receipts.ts'
import { callbackBody } from '../../views/receipt.ts'
import type { Delivery, JobResult } from '../job.ts'

type Payload = Pick<Receipt, 'userId' | 'notificationId'>
type CallingBack = Receipt & { callback: Callback }

// After attempt n: seconds until attempt n + 1, from the beginning of one to the beginning of the next.
export const CALLBACK_RETRY_SECONDS = [60, 120, 240, 480, 960, 1920] as const

export async function sendCallback(delivery: Delivery, job: Job): Promise<JobResult> {
  const { ctx } = delivery
  const { userId, notificationId } = job.payload as Payload
  const receipt = await findReceipt(ctx.db.read, userId, notificationId)
  if (receipt?.callback?.status !== 'pending') return { done: true }
  const startedAt = ctx.clock.now()
  if (ctx.stopping.aborted) return { again: startedAt }
  const attempts = receipt.callback.attempts + 1
  if (attempts > LIMITS.callbackAttempts) {
    // Killed in the last attempt: nobody knows what became of it.
    return { done: true, record: (tx) => updateCallback(tx, userId, notificationId, { status: 'failed' }) }
  }
  if (!(await begin(ctx, job, attempts, startedAt))) return { done: true }
  const counted: CallingBack = { ...receipt, callback: { ...receipt.callback, attempts } }
  const reply = await post(delivery, counted, startedAt)
  return settled(counted, reply, { startedAt, now: ctx.clock.now() })
}

// False: our lease has lapsed, and someone else makes this attempt.
function begin(ctx: Context, job: Job, attempt: number, now: Instant): Promise<boolean> {
  const { userId, notificationId } = job.payload as Payload
  return ctx.db.transact(async (tx) => {
    const isOurs = await postponeJob(tx, job, nextAttemptAt(attempt, now) ?? plusSeconds(now, LEASE_SECONDS))
    return isOurs && (await beginCallbackAttempt(tx, userId, notificationId, attempt))
  })
}

function nextAttemptAt(attempt: number, startedAt: Instant): Instant | undefined {
  const seconds = CALLBACK_RETRY_SECONDS[attempt - 1]
  return seconds === undefined ? undefined : plusSeconds(startedAt, seconds)
}

async function post({ ctx, outbound }: Delivery, receipt: CallingBack, now: Instant): Promise<OutboundReply> {
  const { userId, notificationId, callback } = receipt
  const body = JSON.stringify(callbackBody(receipt))
  const keyHashes = await listCallbackKeys(ctx.db.read, userId, notificationId)
  const signed = { id: `pwr_${notificationId}`, timestampSeconds: Math.floor(now / 1000), body }
  const reply = outbound.post({
    url: callback.url,
    headers: { 'content-type': 'application/json', ...callbackHeaders(keyHashes, signed) },
    body,
    deadlineMs: LIMITS.callbackSeconds * 1000,
    maxResponseBytes: LIMITS.callbackAnswerBytes,
    requireHttps: true,
  })
  return unlessStopping(ctx, reply)
}

// A server that stops does not wait for others.
function unlessStopping({ stopping }: Context, reply: Promise<OutboundReply>): Promise<OutboundReply> {
  const over = new AbortController()
  const stopped = new Promise<OutboundReply>((resolve) => {
    const breakOff = () => resolve({ kind: 'failed', reason: 'this server was stopped' })
    stopping.addEventListener('abort', breakOff, { signal: over.signal })
  })
  return Promise.race([reply, stopped]).finally(() => over.abort())
}

type Times = { startedAt: Instant; now: Instant }

// 410 is how a receiver says that it wants no more of it.
function settled(receipt: CallingBack, reply: OutboundReply, { startedAt, now }: Times): JobResult {
  const { userId, notificationId, callback } = receipt
  const code = reply.kind === 'answered' ? reply.status : undefined
  const isDelivered = code !== undefined && code >= 200 && code < 300
  const again = isDelivered || code === 410 ? undefined : nextAttemptAt(callback.attempts, startedAt)
  const unheard = again === undefined ? 'failed' : 'pending'
  const outcome: Omit<Callback, 'url' | 'attempts'> = {
    status: isDelivered ? 'delivered' : unheard,
    deliveredAt: isDelivered ? now : undefined,
    lastStatusCode: code,
  }
  const what = reply.kind === 'answered' ? `answered ${reply.status}` : reply.reason
  const detail = `attempt ${callback.attempts} of ${LIMITS.callbackAttempts}: ${what}`
  const record: JobResult['record'] = async (tx) => {
    await updateCallback(tx, userId, notificationId, outcome)
    await insertTimeline(tx, userId, notificationId, { at: now, event: 'callback_attempt', detail })
  }
  return again === undefined ? { done: true, record } : { again, record }
}
