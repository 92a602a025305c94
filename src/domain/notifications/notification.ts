// A notification, as it is drafted from a request and as it is stored.
import type { NotificationAction, NotificationInput, NotificationView } from '../../contract/notification.ts'
import type { KeyId, UserId } from '../caller.ts'
import type { Instant } from '../instant.ts'

export type NotificationId = number & { readonly of: 'notification' }

export type NotificationDraft = {
  title: string
  body: string
  subtitle?: string
  level: NotificationView['level']
  volume?: number
  threadId?: string
  source?: string
  sourceDisplayName?: string
  url?: string
  media?: NonNullable<NotificationInput['media']>
  // A client's document: it keeps its wire names. Methods are in upper case.
  actions?: NotificationAction[]
  iconUrl?: string
  metadata?: Record<string, string>
  activitySlug?: string
  encrypted?: string
}

export type Notification = NotificationDraft & {
  id: NotificationId
  userId: UserId
  keyId: KeyId | null
  pushed: boolean
  createdAt: Instant
  readAt: Instant | null
}
