// Idempotency-Key: a request that is repeated with the same key is carried out once and gets the same response again.
import { createHash } from 'node:crypto'
import { Problem } from '../contract/problems.ts'
import type { Caller } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import type { Group, Writer } from '../store/engine/database.ts'
import {
  claimIdempotencyKey,
  type IdempotencyKey,
  type KnownRequest,
  updateIdempotencyKey,
} from '../store/idempotency.ts'
import { afterCommit } from './after-commit.ts'
import type { Context } from './context.ts'

export type IdempotentRequest = { key: string; route: string; body: unknown }

// The first request returns its result. A repeated one returns the response body that the first has stored, or, if the
// first died before it stored one, the result as it can be read back.
export type Idempotent<Result> = { result: Result; isReplay: boolean } | { storedBody: string; isReplay: true }

// A result that is known at the commit is stored in the same transaction; `complete` produces one after the commit.
export type Committed<Result> = { resourceId: number } & ({ result: Result } | { complete(): Promise<Result> })

export type IdempotentWork<Result> = {
  now: Instant
  // See TransactOptions. A request with a key locks the row of the key first, and so shares no transaction.
  group?: Group
  commit(tx: Writer): Promise<Committed<Result>>
  // For a request whose process died between the commit and the stored response.
  recover(resourceId: number): Promise<Result>
  // The response body, which a repeated request gets byte for byte.
  view(result: Result): object
}

// A first request that has not stored its response after this long has died; its commit is kept.
const ABANDONED_AFTER_MS = 10_000

export async function idempotently<Result>(
  ctx: Context,
  caller: Caller,
  request: IdempotentRequest | undefined,
  { now, group, commit, recover, view }: IdempotentWork<Result>,
): Promise<Idempotent<Result>> {
  const key = request && idempotencyKeyOf(caller, request)
  const bodyOf = (result: Result) => JSON.stringify(view(result))
  const claimAndCommit = async (tx: Writer) => {
    const known = key && (await claimOrRecall(tx, key, now))
    if (known) return { known }
    const done = await commit(tx)
    const body = key && 'result' in done ? bodyOf(done.result) : undefined
    if (key) await updateIdempotencyKey(tx, key, { resourceId: done.resourceId, body })
    return { done }
  }
  const { known, done } = await ctx.db.transact(claimAndCommit, { group: key ? undefined : group })
  if (known) {
    if (known.body !== null) return { storedBody: known.body, isReplay: true }
    return { result: await recover(known.resourceId), isReplay: true }
  }
  if ('result' in done) return { result: done.result, isReplay: false }
  const result = await done.complete()
  const response = { resourceId: done.resourceId, body: key && bodyOf(result) }
  // Without the stored response, a repeated request gets the result as it can be read back.
  if (key)
    await afterCommit(
      ctx.db.transact((tx) => updateIdempotencyKey(tx, key, response)),
      undefined,
    )
  return { result, isReplay: false }
}

function idempotencyKeyOf(caller: Caller, { key, route, body }: IdempotentRequest): IdempotencyKey {
  return {
    owner: caller.kind === 'key' ? `key:${caller.keyId}` : `user:${caller.userId}`,
    route,
    key,
    userId: caller.userId,
    bodyHash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
  }
}

// Returns the earlier request with this key, answered or abandoned; undefined if there is none.
async function claimOrRecall(tx: Writer, key: IdempotencyKey, now: Instant): Promise<KnownRequest | undefined> {
  const known = await claimIdempotencyKey(tx, key, now)
  if (!known) return undefined
  if (known.bodyHash !== key.bodyHash) {
    throw new Problem('idempotency.key_reused', 'This Idempotency-Key was used with another body; use a new key.')
  }
  if (known.body === null && now - known.createdAt < ABANDONED_AFTER_MS) {
    throw new Problem('idempotency.in_progress', 'The first request with this Idempotency-Key is still running.', {
      retry_after_ms: 1000,
    })
  }
  return known
}
