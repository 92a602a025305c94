// When each key was last used, to the minute. Noted in memory and written in batches, so that no request waits for it.
import type { KeyCaller, KeyId, UserId } from '../domain/caller.ts'
import { type Instant, instant } from '../domain/instant.ts'
import type { Database } from '../store/database.ts'
import { updateLastUsed } from '../store/integration-keys.ts'

export type LastUsed = {
  note(caller: KeyCaller, now: Instant): void
  flush(): Promise<void>
}

const PRECISION_MS = 60_000

export function createLastUsed(db: Database): LastUsed {
  const written = new Map<KeyId, Instant>()
  const noted = new Map<KeyId, { userId: UserId; at: Instant }>()

  return {
    note({ keyId, userId }, now) {
      const minute = instant(now - (now % PRECISION_MS))
      if (written.get(keyId) === minute) return
      written.set(keyId, minute)
      noted.set(keyId, { userId, at: minute })
    },
    async flush() {
      if (noted.size === 0) return
      const batch = [...noted]
      noted.clear()
      written.clear()
      for (const [keyId, { at }] of batch) written.set(keyId, at)
      await db.transact(async (tx) => {
        for (const [keyId, { userId, at }] of batch) await updateLastUsed(tx, userId, keyId, at)
      })
    },
  }
}
