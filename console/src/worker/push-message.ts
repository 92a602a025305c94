// Web Push messages from the server.
import type { NotificationAction } from '../../../src/contract/notifications/notification.ts'

export type NotificationMessage = {
  type: 'notification'
  notification_id: number
  title: string
  subtitle?: string
  body: string
  level: 'passive' | 'active' | 'time-sensitive' | 'critical'
  sound?: string
  badge: number
  tag?: string
  created_at: string
  url?: string
  media?: { url: string; type: 'image' | 'video' | 'audio' }
  icon_url?: string
  actions?: NotificationAction[]
  encrypted?: string
  answer_ticket?: string
}

export type ActivityMessage = {
  type: 'activity'
  event: 'start' | 'update' | 'end'
  tag: string
  id: string
  slug: string
  name: string
  content: { state?: string; subtitle?: string; options?: { id: string; title: string; url?: string }[] }
  sound?: string
  answer_ticket?: string
  // The banner is closed: the activity was deleted or left, or is dismissed at its end.
  dismiss?: true
}

export type PushMessage =
  | NotificationMessage
  | ActivityMessage
  | { type: 'withdraw'; withdraw: number[]; badge: number }
  // Messages that the service worker ignores: open pages learn of widget changes from the event stream.
  | { type: string }

// Stored with each banner and read when it is clicked.
export type BannerData = Pick<NotificationMessage, 'notification_id' | 'url' | 'actions' | 'answer_ticket'>
export type ActivityData = Pick<ActivityMessage, 'id' | 'answer_ticket'>
