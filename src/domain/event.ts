// The events of an account, as devices and the console receive them.
import type { Instant } from './instant.ts'

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
  'device.registered',
  'device.updated',
  'device.deleted',
  'key.created',
  'key.updated',
  'key.deleted',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

export type AccountEvent = { number: number; type: EventType; at: Instant; data: unknown }
