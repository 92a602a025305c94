// The time of last use of each key, to the minute. Kept in memory and written in batches, so that no request waits for
// it.
import type { KeyCaller, KeyId, UserId } from '../domain/caller.ts'
import { type Instant, instant } from '../domain/instant.ts'
import type { Database } from '../store/engine/database.ts'
import { updateLastUsed } from '../store/integration-keys.ts'

export type LastUsed = {
  note(caller: KeyCaller, now: Instant): void
  flush(): Promise<void>
}

const PRECISION_MS = 60_000
// Bounds how long one transaction delays the requests behind it.
const KEYS_PER_TRANSACTION = 200

type Use = { userId: UserId; at: Instant }

export function createLastUsed(db: Database): LastUsed {
  // The minute of the latest use of each key, written or waiting to be written.
  const latest = new Map<KeyId, Instant>()
  const waiting = new Map<KeyId, Use>()

  function takeBatch(): [KeyId, Use][] {
    const batch = [...waiting].slice(0, KEYS_PER_TRANSACTION)
    for (const [keyId] of batch) waiting.delete(keyId)
    return batch
  }

  function putBack(batch: [KeyId, Use][]) {
    for (const [keyId, use] of batch) if (!waiting.has(keyId)) waiting.set(keyId, use)
  }

  // Keys that are no longer used must not stay in memory for ever.
  function forgetBefore(minute: Instant) {
    for (const [keyId, at] of latest) if (at < minute) latest.delete(keyId)
  }

  return {
    note({ keyId, userId }, now) {
      const minute = instant(now - (now % PRECISION_MS))
      if (latest.get(keyId) === minute) return
      latest.set(keyId, minute)
      waiting.set(keyId, { userId, at: minute })
    },
    async flush() {
      for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
        try {
          await db.transact(async (tx) => {
            for (const [keyId, { userId, at }] of batch) await updateLastUsed(tx, userId, keyId, at)
          })
        } catch (error) {
          putBack(batch)
          throw error
        }
        forgetBefore(instant(Math.max(...batch.map(([, { at }]) => at))))
      }
    },
  }
}
