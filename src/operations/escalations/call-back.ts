// Tells the server that a step of an escalation policy names that the step was taken. As with all callbacks, an attempt is
// counted and the next one scheduled before it is made; here the job itself counts them.
import { LIMITS } from '../../contract/limits.ts'
import { plusSeconds } from '../../domain/instant.ts'
import type { Receipt } from '../../domain/receipts/receipt.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Reader } from '../../store/engine/database.ts'
import { type Job, LEASE_SECONDS, postponeJob } from '../../store/jobs.ts'
import { findDefaultKey, findKeyHash } from '../../store/keys.ts'
import { insertTimeline } from '../../store/notifications/timeline.ts'
import { findReceipt, listCallbackKeys } from '../../store/receipts.ts'
import { stepCallbackBody } from '../../views/receipts.ts'
import type { CallbackReply, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import {
  isFinal,
  nextAttemptAt,
  postUnlessStopping,
  replyInWords,
  signedRequest,
} from '../receipts/callback-request.ts'

const { maxAttempts } = LIMITS.callback

export async function callBackStep(ctx: JobContext, job: Job<'send-step-callback'>): Promise<JobResult> {
  const { userId, notificationId, step, at } = job.payload
  const receipt = await findReceipt(ctx.db.read, userId, notificationId)
  const url = receipt?.escalation?.steps[step - 1]?.callbackUrl
  // If the process was killed during the last attempt, its result is unknown.
  if (!receipt || url === undefined || job.attempt > maxAttempts) return { done: true }
  const startedAt = ctx.clock.now()
  if (ctx.stopping.aborted) return { retryAt: startedAt }
  const retryAt = nextAttemptAt(job.attempt, startedAt)
  const isOurs = await ctx.db.transact((tx) => postponeJob(tx, job, retryAt ?? plusSeconds(startedAt, LEASE_SECONDS)))
  if (!isOurs) return { done: true }
  const keyHashes = await listSigningKeys(ctx.db.read, receipt)
  const callback = { url, id: `pwr_${notificationId}_${step}`, body: stepCallbackBody(receipt, step, at), keyHashes }
  const reply = await post(ctx, callback, startedAt)
  const detail = `step ${step}, attempt ${job.attempt} of ${maxAttempts}: ${replyInWords(reply)}`
  const entry = { at: ctx.clock.now(), event: 'callback_attempt', detail } as const
  const record: JobResult['record'] = (tx) => insertTimeline(tx, userId, notificationId, entry)
  return retryAt === undefined || isFinal(reply) ? { done: true, record } : { retryAt, record }
}

type SignedCallback = Parameters<typeof signedRequest>[0]

async function post(
  ctx: JobContext,
  callback: SignedCallback,
  now: Parameters<typeof signedRequest>[1],
): Promise<CallbackReply> {
  if (callback.keyHashes.length === 0) return { kind: 'refused', reason: 'the account has no key to sign it with' }
  return postUnlessStopping(ctx, signedRequest(callback, now))
}

// No key sends the alert of a heartbeat, or of a person; the default key of the account then signs.
async function listSigningKeys(db: Reader, { userId, notificationId }: Receipt): Promise<TokenHash[]> {
  const keys = await listCallbackKeys(db, userId, notificationId)
  if (keys.length > 0) return keys
  const key = await findDefaultKey(db, userId)
  const hash = key && (await findKeyHash(db, userId, key.id))
  return hash === undefined ? [] : [hash]
}
