// The answer to a notification: what may be chosen, and what was.
import type { KeyId, UserId } from '../caller.ts'
import type { Instant } from '../instant.ts'
import type { NotificationAction, NotificationId } from './notification.ts'

export type Answer = {
  notificationId: NotificationId
  userId: UserId
  keyId: KeyId | null
  // What may be chosen.
  actions: NotificationAction[]
  given?: { actionId: string; text?: string; at: Instant }
}
