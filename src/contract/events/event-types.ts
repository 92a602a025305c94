// The types of the events of GET /events. In a file of their own, because the console bundles this list.

export const EVENT_TYPES = [
  'notification.created',
  'notification.read',
  'notification.deleted',
  'notification.answered',
  'receipt.created',
  'receipt.repeated',
  'receipt.acknowledged',
  'receipt.expired',
  'receipt.canceled',
  'schedule.created',
  'schedule.sent',
  'schedule.skipped',
  'schedule.failed',
  'schedule.canceled',
  'schedule.deleted',
  'widget.updated',
  'widget.deleted',
  'activity.created',
  'activity.updated',
  'activity.started',
  'activity.ended',
  'activity.preempted',
  'activity.answered',
  'activity.deleted',
  'share.created',
  'share.updated',
  'share.deleted',
  'device.registered',
  'device.updated',
  'device.deleted',
  'key.created',
  'key.updated',
  'key.deleted',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

export type ActivityEventType = Extract<EventType, `activity.${string}`>

export const isActivityEventType = (type: EventType): type is ActivityEventType => type.startsWith('activity.')
