// When each key and each session was last used, to the minute. Kept in memory and written in batches, so that no request
// waits for it.
import type { KeyCaller, UserCaller, UserId } from '../domain/caller.ts'
import { type Instant, instant } from '../domain/instant.ts'
import { updateSessionUse } from '../store/accounts/sessions.ts'
import type { Database, Writer } from '../store/engine/database.ts'
import { updateLastUsed } from '../store/keys.ts'

export type LastUsed = {
  note(caller: KeyCaller | UserCaller, now: Instant): void
  flush(): Promise<void>
}

const PRECISION_MS = 60_000
// Bounds how long one transaction delays the requests behind it.
const USES_PER_TRANSACTION = 200

export function createLastUsed(db: Database): LastUsed {
  const keys = createUses(db, updateLastUsed)
  const sessions = createUses(db, updateSessionUse)
  return {
    note(caller, now) {
      if (caller.kind === 'key') keys.note(caller.keyId, caller.userId, now)
      else sessions.note(caller.tokenHash, caller.userId, now)
    },
    async flush() {
      await keys.flush()
      await sessions.flush()
    },
  }
}

type Use = { userId: UserId; at: Instant }
type Write<Id> = (tx: Writer, userId: UserId, id: Id, at: Instant) => Promise<void>

function createUses<Id extends string>(db: Database, write: Write<Id>) {
  // The minute of the latest use of each of them, written or waiting to be written.
  const latest = new Map<Id, Instant>()
  const waiting = new Map<Id, Use>()

  function takeBatch(): [Id, Use][] {
    const batch = [...waiting].slice(0, USES_PER_TRANSACTION)
    for (const [id] of batch) waiting.delete(id)
    // In the order of their ids: two nodes that write the same rows must not deadlock.
    return batch.sort(([a], [b]) => (a < b ? -1 : 1))
  }

  function putBack(batch: [Id, Use][]) {
    for (const [id, use] of batch) if (!waiting.has(id)) waiting.set(id, use)
  }

  // Bounds the memory to those that are still in use.
  function forgetBefore(minute: Instant) {
    for (const [id, at] of latest) if (at < minute) latest.delete(id)
  }

  return {
    note(id: Id, userId: UserId, now: Instant): void {
      const minute = instant(now - (now % PRECISION_MS))
      if (latest.get(id) === minute) return
      latest.set(id, minute)
      waiting.set(id, { userId, at: minute })
    },
    async flush(): Promise<void> {
      for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
        try {
          await db.transact(async (tx) => {
            for (const [id, { userId, at }] of batch) await write(tx, userId, id, at)
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
