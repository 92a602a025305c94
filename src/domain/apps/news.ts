// What an app of another service is told: a message to show, or that one needs no attention any more. Made of the events of
// the account; each app writes it in the form of its service.
import type { EventType, HiddenEventType } from '../../contract/events/event.ts'
import type { Instant } from '../instant.ts'
import type { DoorRecord, Notification, NotificationId } from '../notifications/notification.ts'

// By which an app finds a message again. `sequence`: that of a message from ntfy's senders, within its topic, which is the
// source; `isReplaced`: apps show a later message of the sequence in its place. `repeat`: an alert is a new message with every
// repeat, because an update of a message makes no sound; 0 is the first.
export type MessageName = {
  notificationId: NotificationId
  source?: string
  sequence?: string
  isReplaced?: boolean
  repeat: number
}

// `event`: the number of the event, which orders the news of an account. `isSilent`: it is shown, and makes no sound.
export type AppMessage = {
  kind: 'message'
  event: number
  at: Instant
  name: MessageName
  notification: Notification
  record: DoorRecord | undefined
  isSilent: boolean
}

// `clear`: someone has read, answered or acknowledged it. `delete`: it is gone, or a repeat takes its place.
export type AppWithdrawal = { kind: 'clear' | 'delete'; event: number; at: Instant; name: MessageName }

// Data of another app on the phone (UnifiedPush), for ntfy. `body`: in base64.
export type AppData = {
  kind: 'data'
  event: number
  at: Instant
  endpointId: string
  body: string
  priority: number
  expiresAt: Instant
}

// A live activity, for ntfy. `round`: of an approval that can be answered.
export type AppActivity = {
  kind: 'activity'
  event: number
  at: Instant
  activityId: string
  sequence: string
  // Undefined: it is gone.
  shown?: {
    title: string
    message: string
    priority: number
    url?: string
    round?: number
    // With this account, which answers by a ticket of its own.
    shared?: boolean
    options?: { id: string; title: string }[]
  }
}

export type AppNews = AppMessage | AppWithdrawal | AppData | AppActivity

export const NEWS_EVENTS = [
  'notification.created',
  'notification.read',
  'notification.deleted',
  'notification.answered',
  'receipt.repeated',
  'receipt.escalated',
  'receipt.acknowledged',
  'receipt.canceled',
  'push.received',
  'activity.shown',
] as const satisfies (EventType | HiddenEventType)[]
