// Idempotency-Key: the same request twice is carried out once, and answered twice with the same words.
import { createHash } from 'node:crypto'
import { Problem } from '../contract/problems.ts'
import type { Caller } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import type { Writer } from '../store/engine/database.ts'
import {
  claimIdempotencyKey,
  type IdempotencyKey,
  type KnownRequest,
  updateIdempotencyKey,
} from '../store/idempotency.ts'
import type { Context } from './context.ts'

// A first call that has not stored its answer after this long died on the way; what it did stands.
const ABANDONED_AFTER_MS = 10_000

export function idempotencyKey(caller: Caller, route: string, key: string, body: unknown): IdempotencyKey {
  return {
    owner: caller.kind === 'key' ? `key:${caller.keyId}` : `user:${caller.userId}`,
    route,
    key,
    userId: caller.userId,
    bodyHash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
  }
}

// Nothing: carry it out. Otherwise the earlier request, answered or abandoned.
export async function claimOrRecall(tx: Writer, key: IdempotencyKey, now: Instant): Promise<KnownRequest | undefined> {
  const known = await claimIdempotencyKey(tx, key, now)
  if (!known) return undefined
  if (known.bodyHash !== key.bodyHash) {
    throw new Problem('idempotency.key_reused', 'This Idempotency-Key was used with another body; use a new key.')
  }
  if (known.answer === null && now - known.createdAt < ABANDONED_AFTER_MS) {
    throw new Problem('idempotency.in_progress', 'The first request with this Idempotency-Key is still running.', {
      retry_after_ms: 1000,
    })
  }
  return known
}

// The answer of the first call, for whoever repeats it.
export async function rememberAnswer(
  ctx: Context,
  once: IdempotencyKey,
  resourceId: number,
  answer: string,
): Promise<void> {
  await ctx.db.transact((tx) => updateIdempotencyKey(tx, once, { resourceId, answer }))
}
