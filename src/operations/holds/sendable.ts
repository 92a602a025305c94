// A message that has been composed and not been stored yet, as the rules see it that may hold it.
import type { Sender, Shield } from '../../domain/caller.ts'
import type { Held, Holdable } from '../../domain/holds/hold.ts'
import type { NotificationDraft } from '../../domain/notifications/notification.ts'

export type Sendable = {
  draft: NotificationDraft
  push: boolean
  acknowledge?: object
  held?: Held
  shields?: Shield[]
}

export const holdableOf = ({ keyId }: Sender, { draft, push, acknowledge }: Sendable): Holdable => ({
  level: draft.level,
  source: draft.source,
  threadId: draft.threadId,
  push,
  keyId,
  isAlert: acknowledge !== undefined,
})
