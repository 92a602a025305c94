// Tells the sender's server that an alert was acknowledged or has expired. An attempt is counted, and the next one
// scheduled, before it is made: a process that is killed during an attempt leads to neither more nor earlier attempts.
import { LIMITS } from '../../contract/limits.ts'
import { pushoverAcknowledgement } from '../../domain/doors/pushover/receipt.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { JOB_RETRY_SECONDS } from '../../domain/jobs.ts'
import { callbackHeaders } from '../../domain/receipts/callback-signature.ts'
import type { Callback, Receipt } from '../../domain/receipts/receipt.ts'
import { findDoorRecord } from '../../store/doors/records.ts'
import { type Job, LEASE_SECONDS, postponeJob } from '../../store/jobs.ts'
import { insertTimeline } from '../../store/notifications/timeline.ts'
import { beginCallbackAttempt, findReceipt, listCallbackKeys, updateCallback } from '../../store/receipts.ts'
import { callbackBody } from '../../views/receipt.ts'
import type { CallbackReply, CallbackRequest, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'

type CallbackJob = Job<'send-callback'>
type CallingBack = Receipt & { callback: Callback }

export async function callBack(ctx: JobContext, job: CallbackJob): Promise<JobResult> {
  const { userId, notificationId } = job.payload
  const receipt = await findReceipt(ctx.db.read, userId, notificationId)
  if (receipt?.callback?.status !== 'pending') return { done: true }
  const startedAt = ctx.clock.now()
  if (ctx.stopping.aborted) return { again: startedAt }
  const attempts = receipt.callback.attempts + 1
  if (attempts > LIMITS.callback.maxAttempts) {
    // The process was killed during the last attempt: its result is unknown.
    return { done: true, record: (tx) => updateCallback(tx, userId, notificationId, { status: 'failed' }) }
  }
  if (!(await countAttempt(ctx, job, attempts, startedAt))) return { done: true }
  const counted: CallingBack = { ...receipt, callback: { ...receipt.callback, attempts } }
  const reply = await post(ctx, counted, startedAt)
  return toJobResult(counted, reply, { startedAt, now: ctx.clock.now() })
}

// Returns false if the lease has lapsed: another node makes this attempt.
function countAttempt(ctx: JobContext, job: CallbackJob, attempt: number, now: Instant): Promise<boolean> {
  const { userId, notificationId } = job.payload
  return ctx.db.transact(async (tx) => {
    const isOurs = await postponeJob(tx, job, nextAttemptAt(attempt, now) ?? plusSeconds(now, LEASE_SECONDS))
    return isOurs && (await beginCallbackAttempt(tx, userId, notificationId, attempt))
  })
}

function nextAttemptAt(attempt: number, startedAt: Instant): Instant | undefined {
  const seconds = JOB_RETRY_SECONDS['send-callback'][attempt - 1]
  return seconds === undefined ? undefined : plusSeconds(startedAt, seconds)
}

async function post(ctx: JobContext, receipt: CallingBack, now: Instant): Promise<CallbackReply> {
  const { form } = receipt.callback
  const request = form === 'pushover' ? await pushoverRequest(ctx, receipt) : await signedRequest(ctx, receipt, now)
  return unlessStopping(ctx, ctx.postCallback(request))
}

async function pushoverRequest(ctx: JobContext, receipt: CallingBack): Promise<CallbackRequest> {
  const record = await findDoorRecord(ctx.db.read, receipt.userId, receipt.notificationId)
  return {
    url: receipt.callback.url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(pushoverAcknowledgement(receipt, record)).toString(),
    requireHttps: false,
  }
}

async function signedRequest(ctx: JobContext, receipt: CallingBack, now: Instant): Promise<CallbackRequest> {
  const { userId, notificationId, callback } = receipt
  const body = JSON.stringify(callbackBody(receipt))
  const keyHashes = await listCallbackKeys(ctx.db.read, userId, notificationId)
  const signed = { id: `pwr_${notificationId}`, timestampSeconds: Math.floor(now / 1000), body }
  const headers = { 'content-type': 'application/json', ...callbackHeaders(keyHashes, signed) }
  return { url: callback.url, headers, body, requireHttps: true }
}

// A stopping server does not wait for a slow receiver.
function unlessStopping({ stopping }: JobContext, reply: Promise<CallbackReply>): Promise<CallbackReply> {
  const over = new AbortController()
  const stopped = new Promise<CallbackReply>((resolve) => {
    const abandon = () => resolve({ kind: 'failed', reason: 'this server was stopped' })
    stopping.addEventListener('abort', abandon, { signal: over.signal })
  })
  return Promise.race([reply, stopped]).finally(() => over.abort())
}

type Times = { startedAt: Instant; now: Instant }

// A receiver that answers 410 wants no more attempts.
function toJobResult(receipt: CallingBack, reply: CallbackReply, { startedAt, now }: Times): JobResult {
  const { userId, notificationId, callback } = receipt
  const code = reply.kind === 'answered' ? reply.status : undefined
  const isDelivered = code !== undefined && code >= 200 && code < 300
  const again = isDelivered || code === 410 ? undefined : nextAttemptAt(callback.attempts, startedAt)
  const undelivered = again === undefined ? 'failed' : 'pending'
  const changes: Omit<Callback, 'url' | 'attempts'> = {
    status: isDelivered ? 'delivered' : undelivered,
    deliveredAt: isDelivered ? now : undefined,
    lastStatusCode: code,
  }
  const what = reply.kind === 'answered' ? `answered ${reply.status}` : reply.reason
  const detail = `attempt ${callback.attempts} of ${LIMITS.callback.maxAttempts}: ${what}`
  const record: JobResult['record'] = async (tx) => {
    await updateCallback(tx, userId, notificationId, changes)
    await insertTimeline(tx, userId, notificationId, { at: now, event: 'callback_attempt', detail })
  }
  return again === undefined ? { done: true, record } : { again, record }
}
