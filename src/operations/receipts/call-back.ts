// Tells the sender's server that an alert was acknowledged or has expired. An attempt is counted, and the next one
// scheduled, before it is made: a process that is killed during an attempt leads to neither more nor earlier attempts.
import { LIMITS } from '../../contract/limits.ts'
import { pushoverAcknowledgement } from '../../domain/doors/pushover/receipt.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Callback, Receipt } from '../../domain/receipts/receipt.ts'
import { findDoorRecord } from '../../store/doors/records.ts'
import { type Job, LEASE_SECONDS, postponeJob } from '../../store/jobs.ts'
import { insertTimeline } from '../../store/notifications/timeline.ts'
import { beginCallbackAttempt, findReceipt, listCallbackKeys, updateCallback } from '../../store/receipts.ts'
import { callbackBody } from '../../views/receipts.ts'
import type { CallbackReply, CallbackRequest, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import {
  isDelivered,
  isFinal,
  nextAttemptAt,
  postUnlessStopping,
  replyInWords,
  signedRequest,
} from './callback-request.ts'

type CallbackJob = Job<'send-callback'>
type CallingBack = Receipt & { callback: Callback }

export async function callBack(ctx: JobContext, job: CallbackJob): Promise<JobResult> {
  const { userId, notificationId } = job.payload
  const receipt = await findReceipt(ctx.db.read, userId, notificationId)
  if (receipt?.callback?.status !== 'pending') return { done: true }
  const startedAt = ctx.clock.now()
  if (ctx.stopping.aborted) return { retryAt: startedAt }
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

async function post(ctx: JobContext, receipt: CallingBack, now: Instant): Promise<CallbackReply> {
  const { form } = receipt.callback
  const request = form === 'pushover' ? await pushoverRequest(ctx, receipt) : await ourRequest(ctx, receipt, now)
  return postUnlessStopping(ctx, request)
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

async function ourRequest(ctx: JobContext, receipt: CallingBack, now: Instant): Promise<CallbackRequest> {
  const { userId, notificationId, callback } = receipt
  const keyHashes = await listCallbackKeys(ctx.db.read, userId, notificationId)
  return signedRequest({ url: callback.url, id: `pwr_${notificationId}`, body: callbackBody(receipt), keyHashes }, now)
}

type Times = { startedAt: Instant; now: Instant }

function toJobResult(receipt: CallingBack, reply: CallbackReply, { startedAt, now }: Times): JobResult {
  const { userId, notificationId, callback } = receipt
  const retryAt = isFinal(reply) ? undefined : nextAttemptAt(callback.attempts, startedAt)
  const undelivered = retryAt === undefined ? 'failed' : 'pending'
  const changes: Omit<Callback, 'url' | 'attempts'> = {
    status: isDelivered(reply) ? 'delivered' : undelivered,
    deliveredAt: isDelivered(reply) ? now : undefined,
    lastStatusCode: reply.kind === 'answered' ? reply.status : undefined,
  }
  const detail = `attempt ${callback.attempts} of ${LIMITS.callback.maxAttempts}: ${replyInWords(reply)}`
  const record: JobResult['record'] = async (tx) => {
    await updateCallback(tx, userId, notificationId, changes)
    await insertTimeline(tx, userId, notificationId, { at: now, event: 'callback_attempt', detail })
  }
  return retryAt === undefined ? { done: true, record } : { retryAt, record }
}
