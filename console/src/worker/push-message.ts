// What the server pushes to a browser, as the service worker reads it.
import type { NotificationAction } from '../../../src/contract/notification.ts'

export type NotificationMessage = {
  type: 'notification'
  notification_id: number
  title: string
  subtitle?: string
  body: string
  level: 'passive' | 'active' | 'time-sensitive' | 'critical'
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

export type PushMessage =
  | NotificationMessage
  | { type: 'withdraw'; withdraw: number[]; badge: number }
  // Widgets and activities change on the page, by the event stream.
  | { type: string }

// Kept with each banner, for when it is clicked.
export type BannerData = Pick<NotificationMessage, 'notification_id' | 'url' | 'actions' | 'answer_ticket'>
