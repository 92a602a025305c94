// When each key and each session was last used, to the minute, and each screen link, to ten minutes. Kept in memory and written in batches, so that no request
// waits for it.
import { LIMITS } from '../contract/limits.ts'
import type { KeyCaller, LinkCaller, UserCaller, UserId } from '../domain/caller.ts'
import { type Instant, instant } from '../domain/instant.ts'
import { updateSessionUse } from '../store/accounts/sessions.ts'
import type { Database, Writer } from '../store/engine/database.ts'
import { updateLastUsed } from '../store/keys.ts'
import { updateScreenUse } from '../store/screens.ts'

export type LastUsed = {
  note(caller: KeyCaller | LinkCaller | UserCaller, now: Instant): void
  flush(): Promise<void>
}

const MINUTE_MS = 60_000
const LINK_MS = LIMITS.screen.lastUsedSeconds * 1000
// Bounds how long one transaction delays the requests behind it.
const USES_PER_TRANSACTION = 200

export function createLastUsed(db: Database): LastUsed {
  const keys = createUses(db, MINUTE_MS, updateLastUsed)
  const sessions = createUses(db, MINUTE_MS, updateSessionUse)
  const links = createUses(db, LINK_MS, updateScreenUse)
  return {
    note(caller, now) {
      if (caller.kind === 'key') keys.note(caller.keyId, caller.userId, now)
      else if (caller.kind === 'screen-link') links.note(caller.linkId, caller.userId, now)
      else sessions.note(caller.tokenHash, caller.userId, now)
    },
    async flush() {
      await keys.flush()
      await sessions.flush()
      await links.flush()
    },
  }
}

type Use = { userId: UserId; at: Instant }
type Write<Id> = (tx: Writer, userId: UserId, id: Id, at: Instant) => Promise<void>

function createUses<Id extends string>(db: Database, precisionMs: number, write: Write<Id>) {
  // The period of the latest use of each of them, written or waiting to be written.
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
  function forgetBefore(period: Instant) {
    for (const [id, at] of latest) if (at < period) latest.delete(id)
  }

  return {
    note(id: Id, userId: UserId, now: Instant): void {
      const period = instant(now - (now % precisionMs))
      if (latest.get(id) === period) return
      latest.set(id, period)
      waiting.set(id, { userId, at: period })
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
